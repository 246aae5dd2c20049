import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { operations } from "@/api/schema";

export type SymbolLookup = operations["list_symbols"]["parameters"]["query"];

export function symbolsQuery(lookup: SymbolLookup) {
  return queryOptions({
    queryKey: ["symbols", lookup],
    queryFn: ({ signal }) => unwrap(api.GET("/api/v1/symbols", { params: { query: lookup }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
