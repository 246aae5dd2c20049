import { Trans, useLingui } from "@lingui/react/macro";
import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "@/components/Page";
import type { AccountSearch } from "./address";
import { ProfileTab } from "./ProfileTab";
import { SecondFactorTab } from "./SecondFactorTab";
import { SessionsTab } from "./SessionsTab";

const route = getRouteApi("/shell/account");

export function AccountPage() {
  const { t } = useLingui();
  const { tab = "profile" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t`Account`}>
      <Tabs value={tab} onChange={(next) => void navigate({ search: { tab: (next ?? "profile") as AccountSearch["tab"] } })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="profile"><Trans>Profile and password</Trans></Tabs.Tab>
          <Tabs.Tab value="sessions"><Trans>Sign-ins</Trans></Tabs.Tab>
          <Tabs.Tab value="second-factor"><Trans>Second factor</Trans></Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile"><ProfileTab /></Tabs.Panel>
        <Tabs.Panel value="sessions"><SessionsTab /></Tabs.Panel>
        <Tabs.Panel value="second-factor"><SecondFactorTab /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
