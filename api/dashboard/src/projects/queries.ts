import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";

export function projectsQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["projects", organization_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/organizations/{organization_id}/projects", {
            params: { path: { organization_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
    staleTime: 60_000,
  });
}

export function useCreateProject(organization_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      unwrap(
        api.POST("/api/v1/organizations/{organization_id}/projects", {
          params: { path: { organization_id } },
          body: { name },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["projects", organization_id] }),
  });
}
