// What the address of the search page holds. Filters of the ranked search are part of the text `q`.
export interface SearchSearch {
  q?: string;
  mode?: "exact";
  explain?: true;
  /** Id of the hit whose preview is open. */
  hit?: string;
  /** For exact search, where the text is taken literally and cannot hold filters. */
  regex?: true;
  case?: true;
  word?: true;
  repo?: string;
  lang?: string;
  path?: string;
}

export function searchSearch(search: Record<string, unknown>): SearchSearch {
  const flag = (key: string) => (search[key] === true || search[key] === "true" || search[key] === 1 ? true : undefined);
  return {
    q: text(search.q),
    mode: search.mode === "exact" ? "exact" : undefined,
    explain: flag("explain"),
    hit: text(search.hit),
    regex: flag("regex"),
    case: flag("case"),
    word: flag("word"),
    repo: text(search.repo),
    lang: text(search.lang),
    path: text(search.path),
  };
}

/** The router reads `q=42` as a number; a query is always text. */
function text(value: unknown) {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
