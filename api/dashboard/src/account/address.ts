const TABS = ["profile", "sessions", "second-factor"] as const;

export interface AccountSearch {
  tab?: (typeof TABS)[number];
}

export function accountSearch(search: Record<string, unknown>): AccountSearch {
  return { tab: TABS.find((tab) => tab === search.tab) };
}
