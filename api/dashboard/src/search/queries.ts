import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { ExactSearchRequest, SearchRequest } from "@/api/types";

export function searchQuery(request: SearchRequest) {
  return queryOptions({
    queryKey: ["search", request],
    queryFn: ({ signal }) => unwrap(api.POST("/api/v1/search", { body: request, signal })),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
}

export function exactSearchQuery(request: ExactSearchRequest) {
  return queryOptions({
    queryKey: ["search", "exact", request],
    queryFn: ({ signal }) => unwrap(api.POST("/api/v1/search/exact", { body: request, signal })),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
}
