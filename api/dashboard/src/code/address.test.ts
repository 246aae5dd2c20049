import { describe, expect, it } from "vitest";
import { codeSearch, formatLines, parseLines } from "./address";
import { revisionOf } from "./use-code-address";

describe("parseLines", () => {
  it.each([
    ["12", { start: 12, end: 12 }],
    ["12-20", { start: 12, end: 20 }],
    ["20-12", { start: 12, end: 20 }],
    ["L3-L4", { start: 3, end: 4 }],
    ["0", null],
    ["x", null],
    ["1-", null],
    [undefined, null],
  ])("reads %j", (text, expected) => {
    expect(parseLines(text)).toEqual(expected);
  });

  it("is undone by formatLines", () => {
    expect(parseLines(formatLines({ start: 3, end: 9 }))).toEqual({ start: 3, end: 9 });
  });
});

describe("codeSearch", () => {
  it("keeps digits that the router took for a number", () => {
    expect(codeSearch({ lines: 12, commit: 1234567, path: "a" })).toMatchObject({ lines: "12", commit: "1234567" });
  });
});

describe("revisionOf", () => {
  it("asks by snapshot before commit before branch", () => {
    expect(revisionOf({ snapshot: 4, commit: "abc", branch: "main" })).toEqual({ snapshot_id: 4 });
    expect(revisionOf({ commit: "abc", branch: "main" })).toEqual({ commit: "abc" });
    expect(revisionOf({ branch: "main" })).toEqual({ branch: "main" });
    expect(revisionOf({})).toEqual({});
  });
});
