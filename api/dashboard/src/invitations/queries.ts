import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { AcceptInvitationRequest, CreateInvitationRequest } from "@/api/types";
import { useAct } from "@/components/use-act";

export function invitationsQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["invitations", organization_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/organizations/{organization_id}/invitations", {
            params: { path: { organization_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
  });
}

export function useCreateInvitation(organization_id: string) {
  return useAct(
    (body: CreateInvitationRequest) =>
      unwrap(api.POST("/api/v1/organizations/{organization_id}/invitations", { params: { path: { organization_id } }, body })),
    ["invitations", organization_id],
  );
}

export function useRevokeInvitation(organization_id: string) {
  return useAct(
    (invitation_id: string) =>
      unwrap(
        api.DELETE("/api/v1/organizations/{organization_id}/invitations/{invitation_id}", {
          params: { path: { organization_id, invitation_id } },
        }),
      ),
    ["invitations", organization_id],
  );
}

/** What the link offers. The secret goes in the body, never in an address. */
export function offerQuery(token: string) {
  return queryOptions({
    queryKey: ["offer", token],
    queryFn: () => unwrap(api.POST("/api/v1/invitations/lookup", { body: { token } })),
    retry: false,
    refetchOnWindowFocus: false,
  });
}

export function useAcceptInvitation() {
  return useMutation({
    mutationFn: (body: AcceptInvitationRequest) => unwrap(api.POST("/api/v1/invitations/accept", { body })),
  });
}
