import { Trans, useLingui } from "@lingui/react/macro";
import { ActionIcon, AppShell, Divider, Group, NavLink, ScrollArea, Stack } from "@mantine/core";
import { IconActivityHeartbeat, IconApi, IconCode, IconFolders, IconHistory, IconKey, IconLock, IconSearch, IconSettings, IconUserCog, IconUsers, IconX } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { OrganizationSwitch } from "./OrganizationSwitch";
import classes from "./Shell.module.css";
import { UserMenu } from "./UserMenu";
import { useShellOrganization } from "./use-shell-organization";

export function Sidebar({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const { organization, user } = useShellOrganization();
  const { pathname } = useLocation();
  const params = { organization: organization?.slug ?? "" };
  const isIn = (part: string) => pathname.startsWith(`/o/${params.organization}/${part}`);

  return (
    <>
      <Group gap={0} wrap="nowrap">
        <OrganizationSwitch />
        <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" mr="sm" onClick={onClose} aria-label={t`Close the menu`}>
          <IconX size={18} />
        </ActionIcon>
      </Group>
      <AppShell.Section grow component={ScrollArea} p={8}>
        <Stack gap={2} component="nav" aria-label={t`Main`}>
          {organization && (
            <>
              <NavLink
                className={classes.link}
                renderRoot={(props) => <Link to="/o/$organization/search" params={params} {...props} />}
                active={isIn("search")}
                leftSection={<IconSearch size={16} stroke={1.75} />}
                label={<Trans>Search</Trans>}
              />
              <NavLink
                className={classes.link}
                renderRoot={(props) => <Link to="/o/$organization/code" params={params} {...props} />}
                active={isIn("code")}
                leftSection={<IconCode size={16} stroke={1.75} />}
                label={<Trans>Code</Trans>}
              />
              <NavLink
                className={classes.link}
                renderRoot={(props) => <Link to="/o/$organization/repositories" params={params} {...props} />}
                active={isIn("repositories")}
                leftSection={<IconFolders size={16} stroke={1.75} />}
                label={<Trans>Repositories</Trans>}
              />
              <Divider my={8} color="var(--quarry-border)" />
              <NavLink
                className={classes.link}
                renderRoot={(props) => <Link to="/o/$organization/projects" params={params} {...props} />}
                active={isIn("projects")}
                leftSection={<IconLock size={16} stroke={1.75} />}
                label={<Trans>Projects</Trans>}
              />
              <NavLink
                className={classes.link}
                renderRoot={(props) => <Link to="/o/$organization/people" params={params} {...props} />}
                active={isIn("people") || isIn("teams")}
                leftSection={<IconUsers size={16} stroke={1.75} />}
                label={<Trans>People</Trans>}
              />
              <NavLink
                className={classes.link}
                renderRoot={(props) => <Link to="/o/$organization/tokens" params={params} {...props} />}
                active={isIn("tokens")}
                leftSection={<IconKey size={16} stroke={1.75} />}
                label={<Trans>API tokens</Trans>}
              />
              {organization.role !== "member" && (
                <NavLink
                  className={classes.link}
                  renderRoot={(props) => <Link to="/o/$organization/audit" params={params} {...props} />}
                  active={isIn("audit")}
                  leftSection={<IconHistory size={16} stroke={1.75} />}
                  label={<Trans>Audit log</Trans>}
                />
              )}
              {organization.role === "owner" && (
                <NavLink
                  className={classes.link}
                  renderRoot={(props) => <Link to="/o/$organization/settings" params={params} {...props} />}
                  active={isIn("settings")}
                  leftSection={<IconSettings size={16} stroke={1.75} />}
                  label={<Trans>Settings</Trans>}
                />
              )}
              <Divider my={8} color="var(--quarry-border)" />
            </>
          )}
          <NavLink
            className={classes.link}
            renderRoot={(props) => <Link to="/status" {...props} />}
            active={pathname === "/status"}
            leftSection={<IconActivityHeartbeat size={16} stroke={1.75} />}
            label={<Trans>Status</Trans>}
          />
          <NavLink
            className={classes.link}
            renderRoot={(props) => <Link to="/api/docs" {...props} />}
            active={pathname === "/api/docs"}
            leftSection={<IconApi size={16} stroke={1.75} />}
            label={<Trans>API</Trans>}
          />
          {user?.is_instance_administrator && (
            <NavLink
              className={classes.link}
              renderRoot={(props) => <Link to="/users" {...props} />}
              active={pathname === "/users"}
              leftSection={<IconUserCog size={16} stroke={1.75} />}
              label={<Trans>Accounts</Trans>}
            />
          )}
        </Stack>
      </AppShell.Section>
      <AppShell.Section p={8}>
        <UserMenu />
      </AppShell.Section>
    </>
  );
}
