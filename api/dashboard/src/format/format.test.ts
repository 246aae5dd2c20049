import { expect, it } from "vitest";
import { formatBytes } from "./number";
import { formatAge, formatDuration } from "./time";

it.each([
  [0.85, "850 ms"],
  [4.24, "4.2 s"],
  [59.7, "1 min"],
  [200, "3 min 20 s"],
  [7500, "2 h 5 min"],
  [7200, "2 h"],
])("shows %d seconds as %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

it.each([
  [999, "999 B"],
  [1500, "1.5 kB"],
  [161_000, "161 kB"],
  [13_100_000, "13.1 MB"],
])("shows %d bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes, "en")).toBe(text);
});

it("shows ages in the language of the reader", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  expect(formatAge("2026-01-01T00:00:00Z", "en", now)).toBe("yesterday");
  expect(formatAge("2026-01-01T22:00:00Z", "pt", now)).toMatch(/há 2 h/);
});
