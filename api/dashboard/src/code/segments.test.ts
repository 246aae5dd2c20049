import { describe, expect, it } from "vitest";
import { markSegments, type Segment } from "./segments";

const plain = (text: string): Segment[] => [{ text, className: "" }];
const marked = (segments: Segment[]) => segments.filter((segment) => segment.marked).map((segment) => segment.text);

describe("markSegments", () => {
  it("counts columns in UTF-16 code units, as the server does", () => {
    // The crab is two code units, so `fn` starts at column 3.
    const segments = markSegments(plain("🦀 fn λ"), [{ start: 3, end: 5 }]);
    expect(marked(segments)).toEqual(["fn"]);
  });

  it("marks across segments and keeps their colours", () => {
    const segments = markSegments(
      [
        { text: "let ", className: "keyword" },
        { text: "value", className: "name" },
      ],
      [{ start: 2, end: 6 }],
    );
    expect(segments).toEqual([
      { text: "le", className: "keyword" },
      { text: "t ", className: "keyword", marked: true },
      { text: "va", className: "name", marked: true },
      { text: "lue", className: "name" },
    ]);
  });

  it.each([
    [[{ start: 0, end: 2 }, { start: 1, end: 4 }], ["abcd"]],
    [[{ start: 4, end: 6 }, { start: 0, end: 1 }], ["a", "ef"]],
    [[{ start: 4, end: 99 }], ["ef"]],
    [[{ start: 3, end: 3 }], []],
    [[], []],
  ])("copes with ranges %j", (ranges, expected) => {
    const segments = markSegments(plain("abcdef"), ranges);
    expect(marked(segments)).toEqual(expected);
    expect(segments.map((segment) => segment.text).join("")).toBe("abcdef");
  });
});
