import { Trans, useLingui } from "@lingui/react/macro";
import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Loaded } from "@/components/Loaded";
import { Page } from "@/components/Page";
import { administers } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import type { TokensSearch } from "./address";
import { NewServiceAccountButton, ServiceAccounts } from "./ServiceAccounts";
import { NewTokenButton } from "./NewTokenButton";
import { memberTokensQuery, tokensQuery } from "./queries";
import { TokensTable } from "./TokensTable";

const route = getRouteApi("/shell/o/$organization/tokens");

export function TokensPage() {
  const { t } = useLingui();
  const { organization } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayManage = administers(organization.role);
  const tab = mayManage ? (search.tab ?? "mine") : "mine";
  const actions = tab === "mine" ? <NewTokenButton /> : tab === "services" ? <NewServiceAccountButton /> : null;
  return (
    <Page title={t`API tokens`} actions={actions}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ search: ({ project }) => ({ project, tab: (next ?? "mine") as TokensSearch["tab"] }) })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="mine"><Trans>My tokens</Trans></Tabs.Tab>
          {mayManage && <Tabs.Tab value="services"><Trans>Service accounts</Trans></Tabs.Tab>}
          {mayManage && <Tabs.Tab value="members"><Trans>Everybody's tokens</Trans></Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="mine"><Mine /></Tabs.Panel>
        {mayManage && <Tabs.Panel value="services"><ServiceAccounts /></Tabs.Panel>}
        {mayManage && <Tabs.Panel value="members"><Members /></Tabs.Panel>}
      </Tabs>
    </Page>
  );
}

function Mine() {
  const { organization } = useScope();
  const query = useQuery(tokensQuery(organization.id));
  return <Loaded query={query}>{(tokens) => <TokensTable tokens={tokens} isOwn />}</Loaded>;
}

function Members() {
  const { organization } = useScope();
  const query = useQuery(memberTokensQuery(organization.id));
  return <Loaded query={query}>{(tokens) => <TokensTable tokens={tokens} isOwn={false} />}</Loaded>;
}
