import { queryOptions } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { IdentityProviderRequest } from "@/api/types";
import { useAct } from "@/components/use-act";

export function identityProvidersQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["identity-providers", organization_id],
    // The server lists all of them at once.
    queryFn: () =>
      everyPage(() =>
        unwrap(api.GET("/api/v1/organizations/{organization_id}/identity-providers", { params: { path: { organization_id } } })),
      ),
  });
}

/** Adds a provider, or replaces `identity_provider_id`. */
export function useSaveIdentityProvider(organization_id: string, identity_provider_id?: string) {
  return useAct(
    (body: IdentityProviderRequest) =>
      identity_provider_id
        ? unwrap(
            api.PUT("/api/v1/organizations/{organization_id}/identity-providers/{identity_provider_id}", {
              params: { path: { organization_id, identity_provider_id } },
              body,
            }),
          )
        : unwrap(api.POST("/api/v1/organizations/{organization_id}/identity-providers", { params: { path: { organization_id } }, body })),
    ["identity-providers", organization_id],
  );
}

export function useDeleteIdentityProvider(organization_id: string) {
  return useAct(
    (identity_provider_id: string) =>
      unwrap(
        api.DELETE("/api/v1/organizations/{organization_id}/identity-providers/{identity_provider_id}", {
          params: { path: { organization_id, identity_provider_id } },
        }),
      ),
    ["identity-providers", organization_id],
  );
}
