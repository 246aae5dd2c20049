import { queryOptions } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import { useAct } from "@/components/use-act";

export function teamsQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["teams", organization_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/organizations/{organization_id}/teams", {
            params: { path: { organization_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
  });
}

export function teamQuery(team_id: string) {
  return queryOptions({
    queryKey: ["team", team_id],
    queryFn: () => unwrap(api.GET("/api/v1/teams/{team_id}", { params: { path: { team_id } } })),
  });
}

export function teamMembersQuery(team_id: string) {
  return queryOptions({
    queryKey: ["team-members", team_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(api.GET("/api/v1/teams/{team_id}/members", { params: { path: { team_id }, query: { cursor, limit: 100 } } })),
      ),
  });
}

export function teamProjectsQuery(team_id: string) {
  return queryOptions({
    queryKey: ["team-projects", team_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(api.GET("/api/v1/teams/{team_id}/projects", { params: { path: { team_id }, query: { cursor, limit: 100 } } })),
      ),
  });
}

export function useCreateTeam(organization_id: string) {
  return useAct(
    (name: string) =>
      unwrap(
        api.POST("/api/v1/organizations/{organization_id}/teams", { params: { path: { organization_id } }, body: { name } }),
      ),
    ["teams", organization_id],
  );
}

export function useRenameTeam(team_id: string) {
  return useAct(
    (name: string) => unwrap(api.PATCH("/api/v1/teams/{team_id}", { params: { path: { team_id } }, body: { name } })),
    ["teams"],
    ["team", team_id],
  );
}

export function useDeleteTeam(team_id: string) {
  return useAct(
    () => unwrap(api.DELETE("/api/v1/teams/{team_id}", { params: { path: { team_id } } })),
    ["teams"],
    ["project-teams"],
    ["projects"],
  );
}

export function useAddTeamMember(team_id: string) {
  return useAct(
    (user_id: string) =>
      unwrap(api.PUT("/api/v1/teams/{team_id}/members/{user_id}", { params: { path: { team_id, user_id } } })),
    ["team-members", team_id],
    ["teams"],
    ["team", team_id],
  );
}

export function useRemoveTeamMember(team_id: string) {
  return useAct(
    (user_id: string) =>
      unwrap(api.DELETE("/api/v1/teams/{team_id}/members/{user_id}", { params: { path: { team_id, user_id } } })),
    ["team-members", team_id],
    ["teams"],
    ["team", team_id],
  );
}
