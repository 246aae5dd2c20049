// Jobs that failed as often as they may. They wait until somebody retries them.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Code, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { sentenceOf, sentenceOfCode } from "@/api/problem-messages";
import type { JobResponse } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { Panel } from "@/components/Panel";
import { ProblemAlert } from "@/components/ProblemAlert";
import { When } from "@/components/When";
import { deadJobsQuery, useRetryJob } from "./queries";

export function DeadJobs() {
  const query = useQuery(deadJobsQuery);
  return (
    <Panel title={<Trans>Dead jobs</Trans>} padded={false}>
      {query.isPending && <ListSkeleton rows={3} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <EmptyState icon={<IconCircleCheck size={28} stroke={1.5} />} title={<Trans>No dead jobs</Trans>}>
          <Trans>A job lands here when it has failed as often as it may be tried.</Trans>
        </EmptyState>
      )}
      {query.data && query.data.length > 0 && (
        <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th><Trans>Job</Trans></Table.Th>
                <Table.Th><Trans>Problem</Trans></Table.Th>
                <Table.Th ta="right"><Trans>Attempts</Trans></Table.Th>
                <Table.Th ta="right"><Trans>Finished</Trans></Table.Th>
                <Table.Th w={100} aria-label="-" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {query.data.map((job) => (
                <Row key={job.id} job={job} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}

function Row({ job }: { job: JobResponse }) {
  const { t, i18n } = useLingui();
  const retry = useRetryJob();
  const onRetry = () =>
    retry.mutate(job.id, {
      onSuccess: () => notifications.show({ message: t`The job is queued again.` }),
      onError: (error) => notifications.show({ color: "red", message: i18n._(sentenceOf(error).title) }),
    });
  return (
    <Table.Tr>
      <Table.Td><Code>{job.kind}</Code></Table.Td>
      <Table.Td>
        {job.error && (
          <>
            <Text size="sm">{i18n._(sentenceOfCode(job.error.code).title)}</Text>
            <Text size="xs" c="dimmed" ff="monospace">{job.error.message}</Text>
          </>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <Trans>{job.attempts} of {job.max_attempts}</Trans>
      </Table.Td>
      <Table.Td ta="right"><When at={job.finished_at ?? job.created_at} /></Table.Td>
      <Table.Td ta="right">
        <Button variant="default" size="compact-xs" loading={retry.isPending} onClick={onRetry}>
          <Trans>Retry</Trans>
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
