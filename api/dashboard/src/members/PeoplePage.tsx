import { Trans, useLingui } from "@lingui/react/macro";
import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "@/components/Page";
import { InvitationsTab } from "@/invitations/InvitationsTab";
import { InviteButton } from "@/invitations/InviteButton";
import { useScope } from "@/organizations/scope";
import { NewTeamButton } from "@/teams/NewTeamButton";
import { TeamsTab } from "@/teams/TeamsTab";
import type { PeopleSearch } from "./address";
import { MembersTab } from "./MembersTab";
import { administers } from "./roles";

const route = getRouteApi("/shell/o/$organization/people");

export function PeoplePage() {
  const { t } = useLingui();
  const { organization } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayManage = administers(organization.role);
  const tab = search.tab === "invitations" && !mayManage ? "members" : (search.tab ?? "members");
  const openTab = (next: string | null) =>
    void navigate({ search: ({ project }) => ({ project, tab: (next ?? "members") as PeopleSearch["tab"] }) });

  return (
    <Page title={t`People`} actions={mayManage && (tab === "teams" ? <NewTeamButton /> : <InviteButton />)}>
      <Tabs value={tab} onChange={openTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="members"><Trans>Members</Trans></Tabs.Tab>
          {mayManage && <Tabs.Tab value="invitations"><Trans>Invitations</Trans></Tabs.Tab>}
          <Tabs.Tab value="teams"><Trans>Teams</Trans></Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="members"><MembersTab /></Tabs.Panel>
        {mayManage && <Tabs.Panel value="invitations"><InvitationsTab /></Tabs.Panel>}
        <Tabs.Panel value="teams"><TeamsTab /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
