// The frame around every page: sidebar, search, palette, shortcuts.
import { useLingui } from "@lingui/react/macro";
import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { Palette } from "./Palette";
import { ProjectScope } from "./ProjectScope";
import { SearchBox } from "./SearchBox";
import classes from "./Shell.module.css";
import { Shortcuts } from "./Shortcuts";
import { Sidebar } from "./Sidebar";

export function Shell() {
  const { t } = useLingui();
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);

  return (
    <AppShell
      layout="alt"
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !opened } }}
      transitionDuration={120}
    >
      <AppShell.Header className={classes.header}>
        <Group h="100%" px={{ base: "sm", sm: "lg" }} gap={8} wrap="nowrap">
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t`Open the menu`} />
          <SearchBox />
          <ProjectScope />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <Sidebar onClose={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
      <Palette />
      <Shortcuts />
    </AppShell>
  );
}
