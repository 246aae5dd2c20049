import { describe, expect, it } from "vitest";
import type { SearchHit } from "@/api/types";
import { groupByFile } from "./group-hits";
import { clipSnippet } from "./snippet";

const twenty = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");

describe("clipSnippet", () => {
  it("starts at the top when the mark is near it", () => {
    const { lines, hidden } = clipSnippet({ start_line: 5, text: twenty, highlights: [{ line: 6, start: 0, end: 4 }] }, 8);
    expect(lines.map((line) => line.number)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(lines[1]?.ranges).toHaveLength(1);
    expect(hidden).toBe(12);
  });

  it("moves to a mark further down", () => {
    const { lines } = clipSnippet({ start_line: 1, text: twenty, highlights: [{ line: 15, start: 0, end: 4 }] }, 4);
    expect(lines.map((line) => line.number)).toEqual([13, 14, 15, 16]);
  });

  it("does not move beyond the end", () => {
    const { lines } = clipSnippet({ start_line: 1, text: twenty, highlights: [{ line: 20, start: 0, end: 4 }] }, 8);
    expect(lines.at(-1)?.number).toBe(20);
    expect(lines).toHaveLength(8);
  });

  it("does not show the empty line after a final newline", () => {
    expect(clipSnippet({ start_line: 1, text: "a\r\nb\r\n", highlights: [] }, 8).lines.map((line) => line.text)).toEqual(["a", "b"]);
  });
});

describe("groupByFile", () => {
  it("keeps files in the order of their best hit, and branches apart", () => {
    const hit = (id: string, path: string, branch = "main") => ({ id, path, branch, repository_id: "r" }) as SearchHit;
    const files = groupByFile([hit("1", "a"), hit("2", "b"), hit("3", "a"), hit("4", "a", "dev")]);
    expect(files.map((file) => file.hits.map(({ id }) => id))).toEqual([["1", "3"], ["2"], ["4"]]);
  });
});
