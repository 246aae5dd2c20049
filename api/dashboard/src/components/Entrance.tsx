// The frame of pages before the shell: one panel in the middle.
import { Center, Group, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./Entrance.module.css";
import { Logo } from "./Logo";

export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Quarry`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack className={classes.panel} gap="lg">
        <Group gap="sm" wrap="nowrap">
          <Logo size={28} />
          <Title order={1}>{title}</Title>
        </Group>
        {children}
      </Stack>
    </Center>
  );
}
