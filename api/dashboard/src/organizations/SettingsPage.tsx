import { Trans, useLingui } from "@lingui/react/macro";
import { Tabs } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { IdentityProvidersTab } from "@/identity-providers/IdentityProvidersTab";
import type { SettingsSearch } from "./address";
import { GeneralTab } from "./GeneralTab";
import { useScope } from "./scope";

const route = getRouteApi("/shell/o/$organization/settings");

export function SettingsPage() {
  const { t } = useLingui();
  const { organization } = useScope();
  const { tab = "general" } = route.useSearch();
  const navigate = route.useNavigate();
  if (organization.role !== "owner") {
    return (
      <Page title={t`Settings`}>
        <EmptyState icon={<IconLock size={28} stroke={1.5} />} title={<Trans>Only owners change the organization</Trans>}>
          <Trans>The page of people says who they are.</Trans>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={t`Settings`}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ search: ({ project }) => ({ project, tab: (next ?? "general") as SettingsSearch["tab"] }) })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="general"><Trans>General</Trans></Tabs.Tab>
          <Tabs.Tab value="sign-in"><Trans>Identity providers</Trans></Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="general"><GeneralTab key={organization.id} /></Tabs.Panel>
        <Tabs.Panel value="sign-in"><IdentityProvidersTab /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
