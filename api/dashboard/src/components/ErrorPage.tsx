import { Box } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ProblemAlert } from "./ProblemAlert";

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <Box p="md" maw={640}>
      <ProblemAlert error={error} onRetry={reset} />
    </Box>
  );
}
