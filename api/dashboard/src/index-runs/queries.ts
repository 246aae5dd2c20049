import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";

export function indexRunQuery(index_run_id: string) {
  return queryOptions({
    queryKey: ["index-run", index_run_id],
    queryFn: () => unwrap(api.GET("/api/v1/index-runs/{index_run_id}", { params: { path: { index_run_id } } })),
  });
}

export function indexRunsQuery(repository_id: string) {
  return queryOptions({
    queryKey: ["index-runs", repository_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/repositories/{repository_id}/index-runs", {
            params: { path: { repository_id }, query: { cursor, limit: 50 } },
          }),
        ),
      ),
  });
}

/** What a run changes when it starts, ends or is stopped. */
export function useRefreshRepository(repository_id: string) {
  const queryClient = useQueryClient();
  return () => {
    const keys = [
      ["repository", repository_id],
      ["repositories"],
      ["branches", repository_id],
      ["index-runs", repository_id],
      ["index-run"],
      ["snapshots"],
    ];
    return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
}

export function useCreateIndexRun(repository_id: string) {
  const refresh = useRefreshRepository(repository_id);
  return useMutation({
    mutationFn: (branch: string | undefined) =>
      unwrap(
        api.POST("/api/v1/repositories/{repository_id}/index", { params: { path: { repository_id } }, body: { branch } }),
      ),
    onSuccess: refresh,
  });
}

export function useCancelIndexRun(repository_id: string) {
  const refresh = useRefreshRepository(repository_id);
  return useMutation({
    mutationFn: (index_run_id: string) =>
      unwrap(api.POST("/api/v1/index-runs/{index_run_id}/cancel", { params: { path: { index_run_id } } })),
    onSuccess: refresh,
  });
}

export function useRetryIndexRun(repository_id: string) {
  const refresh = useRefreshRepository(repository_id);
  return useMutation({
    mutationFn: (index_run_id: string) =>
      unwrap(api.POST("/api/v1/index-runs/{index_run_id}/retry", { params: { path: { index_run_id } } })),
    onSuccess: refresh,
  });
}
