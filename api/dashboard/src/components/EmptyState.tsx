// An empty list: what would be here, and the one next action.
import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <Stack align="center" gap={8} py={48} px="md" ta="center">
      {icon && <Text c="dimmed" component="div">{icon}</Text>}
      <Title order={2}>{title}</Title>
      {children && (
        <Text c="dimmed" size="sm" maw={480} component="div">
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  );
}
