import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";

const REFRESH_MS = 15_000;

export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: () => unwrap(api.GET("/api/v1/status")),
  refetchInterval: REFRESH_MS,
});

export const deadJobsQuery = queryOptions({
  queryKey: ["jobs", "dead"],
  queryFn: () =>
    everyPage((cursor) => unwrap(api.GET("/api/v1/jobs", { params: { query: { state: "dead", cursor, limit: 100 } } }))),
  refetchInterval: REFRESH_MS,
});

export function useRetryJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (job_id: string) => unwrap(api.POST("/api/v1/jobs/{job_id}/retry", { params: { path: { job_id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["jobs"] }),
  });
}
