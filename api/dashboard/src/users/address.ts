export interface UsersSearch {
  name?: string;
}

export function usersSearch(search: Record<string, unknown>): UsersSearch {
  return { name: typeof search.name === "string" && search.name ? search.name : undefined };
}
