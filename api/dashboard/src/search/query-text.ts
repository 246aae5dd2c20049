// The query text as tokens, so that chips can mirror it. The text stays the only truth; the server parses it again.

export const FILTER_KEYS = ["repo", "path", "lang", "symbol", "branch", "rev", "kind", "test"] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

export type Token = { start: number; end: number; negated: boolean; value: string } & (
  | { type: "filter"; key: FilterKey }
  | { type: "phrase" | "regex" | "word" }
);

/** Cuts a query into tokens. Anything that is not quite syntax is a word. */
export function parseQuery(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at])) {
      at += 1;
      continue;
    }
    const token = readToken(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function readToken(text: string, start: number): Token {
  const next = text[start + 1];
  const negated = text[start] === "-" && next !== undefined && !isSpace(next);
  const at = negated ? start + 1 : start;

  const filter = /^([a-z]+):/.exec(text.slice(at, at + 8));
  const key = FILTER_KEYS.find((one) => one === filter?.[1]);
  if (key) {
    const from = at + key.length + 1;
    const { value, end } = text[from] === '"' ? readQuoted(text, from) : readWord(text, from);
    return { type: "filter", key, value, negated, start, end };
  }
  if (text[at] === '"') return { type: "phrase", negated, start, ...readQuoted(text, at) };
  const regex = text[at] === "/" ? readRegex(text, at) : null;
  if (regex) return { type: "regex", negated, start, ...regex };
  return { type: "word", negated, start, ...readWord(text, at) };
}

function readWord(text: string, from: number) {
  let end = from;
  while (end < text.length && !isSpace(text[end])) end += 1;
  return { value: text.slice(from, end), end };
}

/** A quote that is never closed reaches to the end. */
function readQuoted(text: string, from: number) {
  const close = text.indexOf('"', from + 1);
  const end = close < 0 ? text.length : close + 1;
  return { value: text.slice(from + 1, close < 0 ? end : close), end };
}

/** `/…/` up to a slash that ends the word; a path such as `/src/main` has none and is a word. */
function readRegex(text: string, from: number) {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "/" && (at + 1 === text.length || isSpace(text[at + 1]))) {
      return at === from + 1 ? null : { value: text.slice(from + 1, at), end: at + 1 };
    }
  }
  return null;
}

function isSpace(character: string | undefined) {
  return character !== undefined && /\s/.test(character);
}

export function quoteValue(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', "")}"` : value;
}

export function removeToken(text: string, token: Token): string {
  return tidy(`${text.slice(0, token.start)} ${text.slice(token.end)}`);
}

export function findFilter(text: string, key: FilterKey, value: string): Token | undefined {
  return parseQuery(text).find(
    (token) => token.type === "filter" && token.key === key && !token.negated && token.value === value,
  );
}

/** Adds the filter to the text, or takes it out when it is there. */
export function toggleFilter(text: string, key: FilterKey, value: string): string {
  const present = findFilter(text, key, value);
  return present ? removeToken(text, present) : tidy(`${text} ${key}:${quoteValue(value)}`);
}

/** Filters alone find nothing: there has to be something to look for. */
export function hasTerms(text: string): boolean {
  return parseQuery(text).some(
    (token) => !token.negated && (token.type !== "filter" || token.key === "symbol" || token.key === "path") && token.value !== "",
  );
}

function tidy(text: string) {
  return text.replace(/[^\S\n]+/g, " ").trim();
}
