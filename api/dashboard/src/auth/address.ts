export interface LoginSearch {
  redirect?: string;
  /** Code of the problem with which an identity provider's sign-in ended. */
  problem?: string;
}

/** Only addresses of this dashboard are followed after signing in. */
export function loginSearch(search: Record<string, unknown>): LoginSearch {
  const redirect = search.redirect;
  const isLocal = typeof redirect === "string" && redirect.startsWith("/") && !/^\/[/\\]/.test(redirect);
  const problem = typeof search.problem === "string" && /^[a-z_]{1,60}$/.test(search.problem) ? search.problem : undefined;
  return { ...(isLocal ? { redirect } : {}), ...(problem ? { problem } : {}) };
}
