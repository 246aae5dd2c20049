import { queryOptions } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { OrganizationRole } from "@/api/types";
import { useAct } from "@/components/use-act";

export function membersQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["members", organization_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/organizations/{organization_id}/members", {
            params: { path: { organization_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
    // People join on their own, so whoever opens a page wants the list of now.
    staleTime: 0,
  });
}

export function useChangeMember(organization_id: string) {
  return useAct(
    ({ user_id, role }: { user_id: string; role: OrganizationRole }) =>
      unwrap(
        api.PATCH("/api/v1/organizations/{organization_id}/members/{user_id}", {
          params: { path: { organization_id, user_id } },
          body: { role },
        }),
      ),
    ["members", organization_id],
    ["me"],
  );
}

export function useRemoveMember(organization_id: string) {
  return useAct(
    (user_id: string) =>
      unwrap(
        api.DELETE("/api/v1/organizations/{organization_id}/members/{user_id}", { params: { path: { organization_id, user_id } } }),
      ),
    ["members", organization_id],
    ["teams", organization_id],
  );
}

export function useLeaveOrganization(organization_id: string) {
  return useAct(
    () => unwrap(api.POST("/api/v1/organizations/{organization_id}/leave", { params: { path: { organization_id } } })),
    ["me"],
  );
}
