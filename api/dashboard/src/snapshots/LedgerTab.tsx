// Every file of a snapshot: indexed, or skipped and why.
import { Trans } from "@lingui/react/macro";
import { Alert, Stack } from "@mantine/core";
import { IconInfoCircle, IconListCheck } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { RepositoryResponse } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { LedgerFilters } from "./LedgerFilters";
import { LedgerSummaryBar } from "./LedgerSummaryBar";
import { LedgerTable } from "./LedgerTable";
import { ledgerQuery } from "./queries";

const route = getRouteApi("/shell/o/$organization/repositories/$repositoryId");

export function LedgerTab({ repository }: { repository: RepositoryResponse }) {
  const { snapshot } = route.useSearch();
  const snapshotId = snapshot ?? repository.published?.snapshot_id;
  if (snapshotId === undefined) {
    return (
      <EmptyState icon={<IconListCheck size={28} stroke={1.5} />} title={<Trans>There is no ledger yet</Trans>}>
        <Trans>The ledger is written by the first index run that publishes a snapshot.</Trans>
      </EmptyState>
    );
  }
  return <Ledger repository={repository} snapshotId={snapshotId} />;
}

function Ledger({ repository, snapshotId }: { repository: RepositoryResponse; snapshotId: number }) {
  const { status, reason, prefix } = route.useSearch();
  const query = useInfiniteQuery(ledgerQuery(snapshotId, { status, reason, path_prefix: prefix }));
  const summary = query.data?.pages[0]?.summary;
  const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
  const isOld = repository.published != null && snapshotId !== repository.published.snapshot_id;
  return (
    <Stack gap="md">
      {isOld && (
        <Alert color="gray" icon={<IconInfoCircle size={18} />}>
          <Trans>This is the ledger of snapshot {snapshotId}, not of the one that is searched by default.</Trans>
        </Alert>
      )}
      {summary && <LedgerSummaryBar summary={summary} />}
      <LedgerFilters reasons={summary?.by_reason ?? []} />
      {query.isPending && <ListSkeleton rows={12} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon={<IconListCheck size={28} stroke={1.5} />} title={<Trans>No file matches the filters</Trans>} />
      )}
      {rows.length > 0 && (
        <LedgerTable
          repository={repository}
          snapshotId={snapshotId}
          rows={rows}
          hasMore={query.hasNextPage}
          isLoadingMore={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </Stack>
  );
}
