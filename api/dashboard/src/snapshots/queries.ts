import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";

export function snapshotsQuery(branch_id: string) {
  return queryOptions({
    queryKey: ["snapshots", branch_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/branches/{branch_id}/snapshots", { params: { path: { branch_id }, query: { cursor, limit: 100 } } }),
        ),
      ),
  });
}

export interface LedgerFilter {
  status?: "indexed" | "skipped";
  reason?: string;
  path_prefix?: string;
}

const LEDGER_PAGE = 200;

export function ledgerQuery(snapshot_id: number, filter: LedgerFilter) {
  return infiniteQueryOptions({
    queryKey: ["ledger", snapshot_id, filter],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/snapshots/{snapshot_id}/ledger", {
          params: { path: { snapshot_id }, query: { ...filter, cursor: pageParam, limit: LEDGER_PAGE } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    staleTime: Infinity,
  });
}
