// The frame of a page: title, actions at the right, content.
import { Box, Group, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface Props {
  title: string;
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, heading, actions, children }: Props) {
  useDocumentTitle(`${title} · Quarry`);
  return (
    <Box p={{ base: "sm", sm: "lg" }} maw={1280}>
      <Group justify="space-between" align="center" mb="md" gap="sm" mih={30}>
        {heading ?? <Title order={1}>{title}</Title>}
        {actions && <Group gap={8}>{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
