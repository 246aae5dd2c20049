import { queryOptions } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { CreateTokenRequest } from "@/api/types";
import { useAct } from "@/components/use-act";

export function tokensQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["tokens", organization_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/organizations/{organization_id}/tokens", {
            params: { path: { organization_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
  });
}

export function memberTokensQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["member-tokens", organization_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/organizations/{organization_id}/member-tokens", {
            params: { path: { organization_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
  });
}

export function serviceAccountsQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["service-accounts", organization_id],
    queryFn: () =>
      everyPage((cursor) =>
        unwrap(
          api.GET("/api/v1/organizations/{organization_id}/service-accounts", {
            params: { path: { organization_id }, query: { cursor, limit: 100 } },
          }),
        ),
      ),
  });
}

/** A token for oneself, or for the service account `user_id`. */
export function useCreateToken(organization_id: string, user_id?: string) {
  return useAct(
    (body: CreateTokenRequest) =>
      user_id
        ? unwrap(
            api.POST("/api/v1/organizations/{organization_id}/service-accounts/{user_id}/tokens", {
              params: { path: { organization_id, user_id } },
              body,
            }),
          )
        : unwrap(api.POST("/api/v1/organizations/{organization_id}/tokens", { params: { path: { organization_id } }, body })),
    ["tokens", organization_id],
    ["member-tokens", organization_id],
  );
}

export function useRevokeToken(organization_id: string, isOwn: boolean) {
  return useAct(
    (token_id: string) => {
      const params = { path: { organization_id, token_id } };
      return isOwn
        ? unwrap(api.DELETE("/api/v1/organizations/{organization_id}/tokens/{token_id}", { params }))
        : unwrap(api.DELETE("/api/v1/organizations/{organization_id}/member-tokens/{token_id}", { params }));
    },
    ["tokens", organization_id],
    ["member-tokens", organization_id],
  );
}

export function useCreateServiceAccount(organization_id: string) {
  return useAct(
    (name: string) =>
      unwrap(
        api.POST("/api/v1/organizations/{organization_id}/service-accounts", {
          params: { path: { organization_id } },
          body: { name },
        }),
      ),
    ["service-accounts", organization_id],
    ["members", organization_id],
  );
}

export function useDeleteServiceAccount(organization_id: string) {
  return useAct(
    (user_id: string) =>
      unwrap(
        api.DELETE("/api/v1/organizations/{organization_id}/service-accounts/{user_id}", {
          params: { path: { organization_id, user_id } },
        }),
      ),
    ["service-accounts", organization_id],
    ["member-tokens", organization_id],
  );
}
