import type { SearchSnippet } from "@/api/types";
import type { CodeLine } from "@/code/CodeLines";

const LINES_BEFORE_MARK = 2;

/** The lines of a snippet to show: from the top, or around the first mark when that is further down. */
export function clipSnippet(snippet: SearchSnippet, most: number): { lines: CodeLine[]; hidden: number } {
  const all: CodeLine[] = snippet.text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((text, index) => {
      const number = snippet.start_line + index;
      return { number, text, ranges: snippet.highlights.filter((highlight) => highlight.line === number) };
    });
  const firstMark = all.findIndex((line) => line.ranges.length > 0);
  const from = firstMark < most ? 0 : Math.min(firstMark - LINES_BEFORE_MARK, Math.max(all.length - most, 0));
  const lines = all.slice(from, from + most);
  return { lines, hidden: all.length - lines.length };
}
