// The snapshots of one branch, as further rows of the branch table.
import { Trans } from "@lingui/react/macro";
import { Anchor, Badge, Code, Group, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { BranchResponse } from "@/api/types";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { useFormat } from "@/format/use-format";
import { useScope } from "@/organizations/scope";
import { snapshotsQuery } from "./queries";

export function SnapshotRows({ repositoryId, branch }: { repositoryId: string; branch: BranchResponse }) {
  const format = useFormat();
  const { organization } = useScope();
  const query = useQuery(snapshotsQuery(branch.id));
  if (!query.data || query.data.length === 0) {
    return (
      <Table.Tr>
        <Table.Td colSpan={6} pl={44} c="dimmed">
          {query.isPending && <ListSkeleton rows={2} />}
          {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
          {query.data && <Trans>No snapshot has been published yet.</Trans>}
        </Table.Td>
      </Table.Tr>
    );
  }
  return query.data.map((snapshot) => (
    <Table.Tr key={snapshot.snapshot_id} bg="var(--quarry-sunken)">
      <Table.Td pl={44}>
        <Group gap={6}>
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                to="/o/$organization/repositories/$repositoryId"
                params={{ organization: organization.slug, repositoryId }}
                search={{ tab: "ledger", snapshot: snapshot.snapshot_id }}
                {...props}
              />
            )}
          >
            <Trans>snapshot {snapshot.snapshot_id}</Trans>
          </Anchor>
          {snapshot.snapshot_id === branch.published?.snapshot_id && (
            <Badge variant="default" size="sm">
              <Trans>current</Trans>
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td><Code>{shortCommit(snapshot.commit)}</Code></Table.Td>
      <Table.Td><When at={snapshot.published_at} /></Table.Td>
      <Table.Td ta="right">{format.count(snapshot.files_indexed)}</Table.Td>
      <Table.Td ta="right">{format.count(snapshot.files_skipped)}</Table.Td>
      <Table.Td ta="right">{format.count(snapshot.chunks)}</Table.Td>
    </Table.Tr>
  ));
}
