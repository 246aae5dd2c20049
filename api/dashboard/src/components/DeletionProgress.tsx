// A long deletion: how far it is. It goes on when this page is left.
import { Trans, useLingui } from "@lingui/react/macro";
import { Progress, Stack, Text } from "@mantine/core";
import type { DeletionResponse } from "@/api/types";
import { SummaryAlert } from "./SummaryAlert";

export function DeletionProgress({ deletion }: { deletion: DeletionResponse }) {
  const { t } = useLingui();
  const { steps_done, steps_total, state, error } = deletion;
  if (error && state === "dead") return <SummaryAlert problem={error} />;
  const part = state === "succeeded" ? 100 : steps_total > 0 ? (100 * steps_done) / steps_total : 0;
  return (
    <Stack gap={8} role="status">
      <Text size="sm">
        {state === "succeeded" ? (
          <Trans>Everything is removed.</Trans>
        ) : (
          <Trans>Removing: {steps_done} of {steps_total} parts. This goes on when you leave the page.</Trans>
        )}
      </Text>
      <Progress value={part} animated={state === "running"} aria-label={t`Progress of the deletion`} />
    </Stack>
  );
}
