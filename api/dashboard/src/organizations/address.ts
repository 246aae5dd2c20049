export interface OrganizationSearch {
  /** Slug of the project that lists and searches are narrowed to; absent means every project. */
  project?: string;
}

export function organizationSearch(search: Record<string, unknown>): OrganizationSearch {
  return typeof search.project === "string" && search.project ? { project: search.project } : {};
}
