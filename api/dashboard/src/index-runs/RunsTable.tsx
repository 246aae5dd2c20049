import { Trans, useLingui } from "@lingui/react/macro";
import { Code, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { IndexRunResponse } from "@/api/types";
import { sentenceOfCode } from "@/api/problem-messages";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { formatDuration } from "@/format/time";
import { useFormat } from "@/format/use-format";
import { elapsedOf } from "./progress";
import { indexRunsQuery } from "./queries";
import { RunState } from "./RunState";
import { TRIGGERS } from "./trigger";

export function RunsTable({ repositoryId }: { repositoryId: string }) {
  const query = useQuery(indexRunsQuery(repositoryId));
  if (query.isPending) return <ListSkeleton />;
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data.length === 0) {
    return <EmptyState icon={<IconHistory size={28} stroke={1.5} />} title={<Trans>This repository has never been indexed</Trans>} />;
  }
  return (
    <Table.ScrollContainer minWidth={760} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th><Trans>State</Trans></Table.Th>
            <Table.Th><Trans>Branch</Trans></Table.Th>
            <Table.Th><Trans>Commit</Trans></Table.Th>
            <Table.Th><Trans>Cause</Trans></Table.Th>
            <Table.Th ta="right"><Trans>Files</Trans></Table.Th>
            <Table.Th ta="right"><Trans>Took</Trans></Table.Th>
            <Table.Th ta="right"><Trans>Started</Trans></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {query.data.map((run) => (
            <Row key={run.id} run={run} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ run }: { run: IndexRunResponse }) {
  const { i18n } = useLingui();
  const format = useFormat();
  const elapsed = elapsedOf(run);
  return (
    <Table.Tr>
      <Table.Td>
        <RunState state={run.state} />
        {run.error && (
          <Text size="xs" c="dimmed" title={run.error.message}>
            {i18n._(sentenceOfCode(run.error.code).title)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{run.branch ? <Code>{run.branch}</Code> : "—"}</Table.Td>
      <Table.Td>{run.commit ? <Code>{shortCommit(run.commit)}</Code> : "—"}</Table.Td>
      <Table.Td>{i18n._(TRIGGERS[run.trigger])}</Table.Td>
      <Table.Td ta="right">
        <Trans>
          {format.count(run.files_done)} of {format.count(run.files_total)}
        </Trans>
      </Table.Td>
      <Table.Td ta="right">{elapsed === null ? "—" : formatDuration(elapsed)}</Table.Td>
      <Table.Td ta="right">
        <When at={run.started_at ?? run.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}
