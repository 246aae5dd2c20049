const TABS = ["mine", "services", "members"] as const;

export interface TokensSearch {
  tab?: (typeof TABS)[number];
}

export function tokensSearch(search: Record<string, unknown>): TokensSearch {
  return { tab: TABS.find((tab) => tab === search.tab) };
}
