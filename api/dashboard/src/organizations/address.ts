export interface OrganizationSearch {
  /** Slug of the project that lists and searches are narrowed to; absent means every project. */
  project?: string;
}

export function organizationSearch(search: Record<string, unknown>): OrganizationSearch {
  return typeof search.project === "string" && search.project ? { project: search.project } : {};
}

const TABS = ["general", "sign-in"] as const;

export interface SettingsSearch {
  tab?: (typeof TABS)[number];
}

export function settingsSearch(search: Record<string, unknown>): SettingsSearch {
  return { tab: TABS.find((tab) => tab === search.tab) };
}
