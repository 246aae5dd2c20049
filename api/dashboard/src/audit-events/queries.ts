import { infiniteQueryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { AuditFilter } from "./address";

const PAGE = 100;

export function auditEventsQuery(organization_id: string, filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ["audit-events", organization_id, filter],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{organization_id}/audit-events", {
          params: { path: { organization_id }, query: { ...filter, cursor: pageParam, limit: PAGE } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
}

/** The events as JSON lines. The request carries the access token, so no plain link can make it. */
export function useExportAuditEvents(organization_id: string, filter: AuditFilter) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.GET("/api/v1/organizations/{organization_id}/audit-events/export", {
          params: { path: { organization_id }, query: filter },
          parseAs: "blob",
        }) as Promise<{ data?: Blob; error?: unknown; response: Response }>,
      ),
    onSuccess: save,
  });
}

function save(blob: Blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "audit-events.jsonl";
  link.click();
  URL.revokeObjectURL(link.href);
}

export function useVerifyAuditLog(organization_id: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.GET("/api/v1/organizations/{organization_id}/audit-events/verification", { params: { path: { organization_id } } }),
      ),
  });
}
