import { Trans, useLingui } from "@lingui/react/macro";
import { Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun, IconUser, IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { chooseLocale, type Locale, LOCALES } from "@/app/locale";
import { useLogout } from "@/auth/queries";
import classes from "./UserMenu.module.css";
import { openShortcuts } from "./shortcuts-store";
import { useShellOrganization } from "./use-shell-organization";

export function UserMenu() {
  const { t, i18n } = useLingui();
  const { user } = useShellOrganization();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logout = useLogout();
  const check = (on: boolean) => (on ? <IconCheck size={14} aria-label={t`Chosen`} /> : null);

  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.button} aria-label={t`Account and appearance`}>
          <IconUser size={16} stroke={1.75} />
          <Text size="sm" truncate component="span">
            {user?.name || user?.email}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {user && <Menu.Label>{user.email}</Menu.Label>}
        <Menu.Item leftSection={<IconUserCircle size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
          <Trans>Account</Trans>
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconSun size={16} />} rightSection={check(colorScheme === "light")} onClick={() => setColorScheme("light")}>
          <Trans>Light</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconMoon size={16} />} rightSection={check(colorScheme === "dark")} onClick={() => setColorScheme("dark")}>
          <Trans>Dark</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDeviceDesktop size={16} />}
          rightSection={check(colorScheme === "auto")}
          onClick={() => setColorScheme("auto")}
        >
          <Trans>As the system</Trans>
        </Menu.Item>
        <Menu.Divider />
        {(Object.keys(LOCALES) as Locale[]).map((locale) => (
          <Menu.Item key={locale} lang={locale} rightSection={check(i18n.locale === locale)} onClick={() => void chooseLocale(locale)}>
            {LOCALES[locale]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openShortcuts}>
          <Trans>Keyboard shortcuts</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logout.mutate()}>
          <Trans>Sign out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
