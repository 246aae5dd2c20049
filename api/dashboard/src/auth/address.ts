export interface LoginSearch {
  redirect?: string;
}

/** Only addresses of this dashboard are followed after signing in. */
export function loginSearch(search: Record<string, unknown>): LoginSearch {
  const redirect = search.redirect;
  const isLocal = typeof redirect === "string" && redirect.startsWith("/") && !/^\/[/\\]/.test(redirect);
  return isLocal ? { redirect } : {};
}
