// What the address of the code page holds.
export interface LineRange {
  start: number;
  end: number;
}

export interface CodeSearch {
  path?: string;
  branch?: string;
  snapshot?: number;
  commit?: string;
  /** `12` or `12-20`, from 1, both ends included. */
  lines?: string;
}

export function codeSearch(search: Record<string, unknown>): CodeSearch {
  const snapshot = Number(search.snapshot);
  return {
    path: text(search.path),
    branch: text(search.branch),
    snapshot: Number.isInteger(snapshot) && snapshot > 0 ? snapshot : undefined,
    commit: text(search.commit),
    lines: parseLines(text(search.lines)) ? text(search.lines) : undefined,
  };
}

export function parseLines(lines: string | undefined): LineRange | null {
  const match = /^L?(\d+)(?:-L?(\d+))?$/.exec(lines ?? "");
  if (!match) return null;
  const start = Number(match[1]);
  const end = match[2] === undefined ? start : Number(match[2]);
  return start < 1 ? null : { start: Math.min(start, end), end: Math.max(start, end) };
}

export function formatLines({ start, end }: LineRange): string {
  return start === end ? String(start) : `${start}-${end}`;
}

function text(value: unknown) {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
