import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

/** Which version of a repository is meant; nothing means the default branch as it is published now. */
export interface Revision {
  branch?: string;
  snapshot_id?: number;
  commit?: string;
}

export type FileLookup = Revision & { path: string; start_line?: number; end_line?: number };

export function fileQuery(repository_id: string, lookup: FileLookup) {
  return queryOptions({
    queryKey: ["file", repository_id, lookup],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/repositories/{repository_id}/file", { params: { path: { repository_id }, query: lookup }, signal }),
      ),
    staleTime: 60_000,
  });
}

export function treeQuery(repository_id: string, path: string, revision: Revision) {
  return queryOptions({
    queryKey: ["tree", repository_id, path, revision],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/repositories/{repository_id}/tree", {
          params: { path: { repository_id }, query: { ...revision, ...(path ? { path } : {}) } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}
