// Who may reach a project: people with a role of their own, and teams that it is shared with.
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { ProjectRole } from "@/api/types";
import { meQuery } from "@/auth/queries";
import { useAct } from "@/components/use-act";
import { administers } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { teamMembersQuery } from "@/teams/queries";

export function projectMembersQuery(project_id: string) {
  return queryOptions({
    queryKey: ["project-members", project_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(api.GET("/api/v1/projects/{project_id}/members", { params: { path: { project_id }, query: { cursor, limit: 100 } } })),
      ),
  });
}

export function projectTeamsQuery(project_id: string) {
  return queryOptions({
    queryKey: ["project-teams", project_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(api.GET("/api/v1/projects/{project_id}/teams", { params: { path: { project_id }, query: { cursor, limit: 100 } } })),
      ),
  });
}

/** Whether this person is a maintainer: by organization role, by a role of their own, or through a team. */
export function useMayManageProject(projectId: string): boolean {
  const { organization } = useScope();
  const { data: me } = useQuery(meQuery);
  const isAdministrator = administers(organization.role);
  const { data: members = [] } = useQuery({ ...projectMembersQuery(projectId), enabled: !isAdministrator });
  const { data: teams = [] } = useQuery({ ...projectTeamsQuery(projectId), enabled: !isAdministrator });
  const maintaining = teams.filter((team) => team.role === "maintainer");
  const people = useQueries({ queries: maintaining.map((team) => teamMembersQuery(team.team_id)) });
  const isMe = (one: { user_id: string }) => one.user_id === me?.user.id;
  return (
    isAdministrator ||
    members.some((member) => isMe(member) && member.role === "maintainer") ||
    people.some((team) => team.data?.some(isMe))
  );
}

export interface MemberRole {
  user_id: string;
  role: ProjectRole;
}

export interface TeamRole {
  project_id: string;
  team_id: string;
  role: ProjectRole;
}

export function useSetProjectMember(project_id: string) {
  return useAct(
    ({ user_id, role }: MemberRole) =>
      unwrap(
        api.PUT("/api/v1/projects/{project_id}/members/{user_id}", { params: { path: { project_id, user_id } }, body: { role } }),
      ),
    ["project-members", project_id],
  );
}

export function useRemoveProjectMember(project_id: string) {
  return useAct(
    (user_id: string) =>
      unwrap(api.DELETE("/api/v1/projects/{project_id}/members/{user_id}", { params: { path: { project_id, user_id } } })),
    ["project-members", project_id],
  );
}

export function useShareProject() {
  return useAct(
    ({ project_id, team_id, role }: TeamRole) =>
      unwrap(
        api.PUT("/api/v1/projects/{project_id}/teams/{team_id}", { params: { path: { project_id, team_id } }, body: { role } }),
      ),
    ["project-teams"],
    ["team-projects"],
  );
}

export function useUnshareProject() {
  return useAct(
    ({ project_id, team_id }: Omit<TeamRole, "role">) =>
      unwrap(api.DELETE("/api/v1/projects/{project_id}/teams/{team_id}", { params: { path: { project_id, team_id } } })),
    ["project-teams"],
    ["team-projects"],
  );
}
