import { describe, expect, it } from "vitest";
import { findFilter, hasTerms, parseQuery, quoteValue, removeToken, toggleFilter } from "./query-text";

const shapes = (text: string) =>
  parseQuery(text).map((token) => [token.type === "filter" ? token.key : token.type, token.negated, token.value]);

describe("parseQuery", () => {
  it.each([
    ["parse header", [["word", false, "parse"], ["word", false, "header"]]],
    ["lang:rust path:src/api", [["lang", false, "rust"], ["path", false, "src/api"]]],
    ["-lang:go -legacy", [["lang", true, "go"], ["word", true, "legacy"]]],
    ['repo:"my service" x', [["repo", false, "my service"], ["word", false, "x"]]],
    ['"exact phrase"', [["phrase", false, "exact phrase"]]],
    ['"never closed', [["phrase", false, "never closed"]]],
    ["/retr(y|ies) now/ x", [["regex", false, "retr(y|ies) now"], ["word", false, "x"]]],
    ["/a\\/b/", [["regex", false, "a\\/b"]]],
    ["/src/main", [["word", false, "/src/main"]]],
    ["//", [["word", false, "//"]]],
    ["std::vec http://x", [["word", false, "std::vec"], ["word", false, "http://x"]]],
    ["a - b", [["word", false, "a"], ["word", false, "-"], ["word", false, "b"]]],
    ["test:no", [["test", false, "no"]]],
    ["  ", []],
  ])("reads %j", (text, expected) => {
    expect(shapes(text)).toEqual(expected);
  });

  it("gives positions that cut the text back into its tokens", () => {
    const text = ' -lang:go "a b"  /x y/ wörd 🦀 repo:"q';
    expect(parseQuery(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "-lang:go", '"a b"', "/x y/", "wörd", "🦀", 'repo:"q',
    ]);
  });
});

describe("toggleFilter", () => {
  it("adds a filter, quoted where it has to be, and takes the same one out again", () => {
    const added = toggleFilter("retry", "repo", "my service");
    expect(added).toBe('retry repo:"my service"');
    expect(toggleFilter(added, "repo", "my service")).toBe("retry");
  });

  it("leaves other values of the same key alone", () => {
    expect(toggleFilter("lang:rust x lang:go", "lang", "rust")).toBe("x lang:go");
  });

  it("does not take a negated filter for the filter", () => {
    expect(findFilter("-lang:rust", "lang", "rust")).toBeUndefined();
  });
});

describe("removeToken", () => {
  it("keeps the rest of the text in order", () => {
    const text = "one lang:rust two";
    const token = findFilter(text, "lang", "rust");
    expect(token && removeToken(text, token)).toBe("one two");
  });
});

describe("hasTerms", () => {
  it.each([
    ["lang:rust repo:a", false],
    ["lang:rust retry", true],
    ["symbol:parse", true],
    ["path:src", true],
    ["-legacy", false],
    ["", false],
    ["path:", false],
  ])("says of %j: %s", (text, expected) => {
    expect(hasTerms(text)).toBe(expected);
  });
});

describe("quoteValue", () => {
  it("never leaves a quote inside quotes", () => {
    expect(quoteValue('a "b" c')).toBe('"a b c"');
  });
});
