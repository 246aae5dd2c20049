import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { ProjectResponse, RepositoryResponse, RepositorySource } from "@/api/types";
import { isActive } from "@/index-runs/progress";
import type { components } from "@/api/schema";

const WORKING_POLL_MS = 3_000;

/** Every repository of these projects, by name; fetched again while one of them is being indexed. */
export function repositoriesQuery(projects: ProjectResponse[]) {
  const ids = projects.map((project) => project.id);
  return queryOptions({
    queryKey: ["repositories", ids],
    queryFn: async () => {
      const lists = await Promise.all(ids.map(listRepositories));
      return lists.flat().sort((one, other) => one.name.localeCompare(other.name));
    },
    refetchInterval: ({ state }) => (state.data?.some(isWorking) ? WORKING_POLL_MS : false),
  });
}

function listRepositories(project_id: string) {
  return everyPage((cursor) =>
    unwrap(
      api.GET("/api/v1/projects/{project_id}/repositories", {
        params: { path: { project_id }, query: { cursor, limit: 100 } },
      }),
    ),
  );
}

export function isWorking(repository: RepositoryResponse) {
  return repository.state === "pending" || repository.state === "indexing" || repository.state === "deleting" || isActive(repository.latest_run);
}

export function repositoryQuery(repository_id: string) {
  return queryOptions({
    queryKey: ["repository", repository_id],
    queryFn: () => unwrap(api.GET("/api/v1/repositories/{repository_id}", { params: { path: { repository_id } } })),
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? WORKING_POLL_MS : false),
  });
}

export function branchesQuery(repository_id: string) {
  return queryOptions({
    queryKey: ["branches", repository_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/repositories/{repository_id}/branches", {
            params: { path: { repository_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
  });
}

export function useCheckSource() {
  return useMutation({
    mutationFn: ({ projectId, source }: { projectId: string; source: RepositorySource }) =>
      unwrap(
        api.POST("/api/v1/projects/{project_id}/repositories/check", {
          params: { path: { project_id: projectId } },
          body: { source },
        }),
      ),
  });
}

type CreateRepositoryRequest = components["schemas"]["CreateRepositoryRequest"];

export function useCreateRepository() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ projectId, body }: { projectId: string; body: CreateRepositoryRequest }) =>
      unwrap(
        api.POST("/api/v1/projects/{project_id}/repositories", { params: { path: { project_id: projectId } }, body }),
      ),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ["repositories"] }),
        queryClient.invalidateQueries({ queryKey: ["projects"] }),
      ]),
  });
}

export function useDeleteRepository(repository_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.DELETE("/api/v1/repositories/{repository_id}", { params: { path: { repository_id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["repositories"] }),
  });
}
