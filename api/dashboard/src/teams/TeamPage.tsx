import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "@/api/problem";
import type { TeamResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { Loaded } from "@/components/Loaded";
import { NameModal } from "@/components/NameModal";
import { NotFound } from "@/components/NotFound";
import { Page } from "@/components/Page";
import { administers } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { teamQuery, useDeleteTeam, useRenameTeam } from "./queries";
import { TeamMembers } from "./TeamMembers";
import { TeamProjects } from "./TeamProjects";

const route = getRouteApi("/shell/o/$organization/teams/$teamId");

export function TeamPage() {
  const { teamId } = route.useParams();
  const { organization } = useScope();
  const query = useQuery(teamQuery(teamId));
  const mayManage = administers(organization.role);
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  return (
    <Page title={query.data?.name ?? "…"} actions={mayManage && query.data && <Actions team={query.data} />}>
      <Anchor
        size="xs"
        mb="sm"
        display="inline-block"
        renderRoot={(props) => (
          <Link to="/o/$organization/people" params={{ organization: organization.slug }} search={{ tab: "teams" }} {...props} />
        )}
      >
        <Trans>All teams</Trans>
      </Anchor>
      <Loaded query={query}>
        {(team) => (
          <Stack gap="md">
            <TeamMembers team={team} mayManage={mayManage} />
            <TeamProjects team={team} mayManage={mayManage} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ team }: { team: TeamResponse }) {
  const { t } = useLingui();
  const { organization } = useScope();
  const navigate = route.useNavigate();
  const [renaming, { open, close }] = useDisclosure();
  const rename = useRenameTeam(team.id);
  const remove = useDeleteTeam(team.id);
  return (
    <>
      <Button variant="default" onClick={open}><Trans>Rename</Trans></Button>
      <NameModal
        opened={renaming}
        onClose={close}
        title={t`Rename ${team.name}`}
        action={t`Rename`}
        initial={team.name}
        error={rename.error}
        pending={rename.isPending}
        onSubmit={(name) => rename.mutate(name, { onSuccess: close })}
      />
      <ConfirmButton
        label={<Trans>Delete team</Trans>}
        variant="default"
        size="xs"
        title={t`Delete ${team.name}?`}
        consequence={<Trans>Its members lose the projects that they have through this team alone. Nobody's account is touched.</Trans>}
        action={<Trans>Delete team</Trans>}
        mutation={remove}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => navigate({ to: "/o/$organization/people", params: { organization: organization.slug }, search: { tab: "teams" } }),
          })
        }
      />
    </>
  );
}
