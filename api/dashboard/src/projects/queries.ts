import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { ChangeProjectRequest, CreateProjectRequest, DeletionResponse } from "@/api/types";
import { useAct } from "@/components/use-act";

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
    mutationFn: (body: CreateProjectRequest) =>
      unwrap(
        api.POST("/api/v1/organizations/{organization_id}/projects", {
          params: { path: { organization_id } },
          body,
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["projects", organization_id] }),
  });
}

export function useChangeProject(project_id: string) {
  return useAct(
    (body: ChangeProjectRequest) =>
      unwrap(api.PATCH("/api/v1/projects/{project_id}", { params: { path: { project_id } }, body })),
    ["projects"],
  );
}

export function useDeleteProject(project_id: string) {
  return useMutation({
    mutationFn: (with_repositories: boolean) =>
      unwrap(api.DELETE("/api/v1/projects/{project_id}", { params: { path: { project_id }, query: { with_repositories } } })),
  });
}

const DELETION_POLL_MS = 1_000;

export function isOver({ state }: DeletionResponse) {
  return state === "succeeded" || state === "dead" || state === "cancelled";
}

/** How far a deletion is, asked again until it is over. */
export function deletionQuery(deletion_id: string) {
  return queryOptions({
    queryKey: ["deletion", deletion_id],
    queryFn: () => unwrap(api.GET("/api/v1/deletions/{deletion_id}", { params: { path: { deletion_id } } })),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : DELETION_POLL_MS),
  });
}
