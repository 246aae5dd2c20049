export interface ApiDocsSearch {
  /** Operation id that is open. */
  operation?: string;
}

export function apiDocsSearch(search: Record<string, unknown>): ApiDocsSearch {
  return typeof search.operation === "string" ? { operation: search.operation } : {};
}
