// A bordered part of a page with its own heading.
import { Box, Group, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Panel.module.css";

interface Props {
  title?: ReactNode;
  actions?: ReactNode;
  padded?: boolean;
  children: ReactNode;
}

export function Panel({ title, actions, padded = true, children }: Props) {
  return (
    <Box component="section" className={classes.panel}>
      {title && (
        <Group className={classes.head} justify="space-between">
          <Title order={2} fz="sm">
            {title}
          </Title>
          {actions && <Group gap={8}>{actions}</Group>}
        </Group>
      )}
      <Box p={padded ? "md" : 0} className={classes.body}>
        {children}
      </Box>
    </Box>
  );
}
