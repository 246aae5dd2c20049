// What the addresses of these pages hold.
const STATES = ["pending", "indexing", "ready", "failed", "empty"] as const;
const TABS = ["overview", "ledger", "runs"] as const;

export interface RepositoriesSearch {
  name?: string;
  state?: (typeof STATES)[number];
}

export interface NewRepositorySearch {
  kind?: "git" | "local";
}

export interface RepositorySearch {
  tab?: (typeof TABS)[number];
  snapshot?: number;
  status?: "indexed" | "skipped";
  reason?: string;
  prefix?: string;
}

export function repositoriesSearch(search: Record<string, unknown>): RepositoriesSearch {
  return { name: text(search.name), state: STATES.find((state) => state === search.state) };
}

export function newRepositorySearch(search: Record<string, unknown>): NewRepositorySearch {
  return { kind: search.kind === "local" || search.kind === "git" ? search.kind : undefined };
}

export function repositorySearch(search: Record<string, unknown>): RepositorySearch {
  const snapshot = Number(search.snapshot);
  return {
    tab: TABS.find((tab) => tab === search.tab),
    snapshot: Number.isInteger(snapshot) && snapshot > 0 ? snapshot : undefined,
    status: search.status === "indexed" || search.status === "skipped" ? search.status : undefined,
    reason: text(search.reason),
    prefix: text(search.prefix),
  };
}

function text(value: unknown) {
  return typeof value === "string" && value ? value : undefined;
}
