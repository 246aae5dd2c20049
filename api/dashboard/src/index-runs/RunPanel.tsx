// The latest run of a repository: what it does now, and what can be done about it.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { IndexRunResponse } from "@/api/types";
import { sentenceOf } from "@/api/problem-messages";
import { Panel } from "@/components/Panel";
import { SummaryAlert } from "@/components/SummaryAlert";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { isActive } from "./progress";
import { useCancelIndexRun, useRetryIndexRun } from "./queries";
import { RunProgress } from "./RunProgress";
import { RunState } from "./RunState";
import { RunSteps } from "./RunSteps";
import { TRIGGERS } from "./trigger";
import { useLiveRun } from "./use-live-run";

export function RunPanel({ latest }: { latest: IndexRunResponse }) {
  const { t, i18n } = useLingui();
  const run = useLiveRun(latest);
  const cancel = useCancelIndexRun(run.repository_id);
  const retry = useRetryIndexRun(run.repository_id);
  const onError = (error: Error) => notifications.show({ color: "red", title: i18n._(sentenceOf(error).title), message: i18n._(sentenceOf(error).next) });
  const canRetry = run.state === "failed" || run.state === "cancelled";

  return (
    <Panel
      title={isActive(run) ? t`Index run` : t`Latest index run`}
      actions={
        <>
          {isActive(run) && (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(run.id, { onError })}>
              <Trans>Cancel run</Trans>
            </Button>
          )}
          {canRetry && (
            <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate(run.id, { onError })}>
              <Trans>Retry</Trans>
            </Button>
          )}
        </>
      }
    >
      <Stack gap="md">
        <Group gap="sm">
          <RunState state={run.state} />
          {run.branch && <Code>{run.branch}</Code>}
          {run.commit && <Code>{shortCommit(run.commit)}</Code>}
          <Text size="xs" c="dimmed">
            {i18n._(TRIGGERS[run.trigger])} · <When at={run.finished_at ?? run.started_at ?? run.created_at} />
            {run.attempts > 1 && (
              <>
                {" · "}
                <Trans>attempt {run.attempts}</Trans>
              </>
            )}
          </Text>
        </Group>
        {run.error && <SummaryAlert problem={run.error} />}
        {isActive(run) && <RunProgress run={run} />}
        <RunSteps run={run} />
      </Stack>
    </Panel>
  );
}
