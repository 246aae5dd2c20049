const TABS = ["members", "invitations", "teams"] as const;

export interface PeopleSearch {
  tab?: (typeof TABS)[number];
  name?: string;
}

export function peopleSearch(search: Record<string, unknown>): PeopleSearch {
  return {
    tab: TABS.find((tab) => tab === search.tab),
    name: typeof search.name === "string" && search.name ? search.name : undefined,
  };
}
