import { expect, it } from "vitest";
import { auditFilter, auditSearch } from "./address";

it("keeps filters that can be meant and drops the others", () => {
  const actor = "9d3f0c52-0000-4000-8000-000000000001";
  const known = { action: "member.", actor, outcome: "denied", since: "2026-01-31", until: "2026-02-01", object: "12" };
  expect(auditSearch(known)).toEqual(known);
  const unknown = auditSearch({ action: "DROP", actor: "me", outcome: "fine", since: "2026-13-45", until: 5, object: "a b" });
  expect(Object.values(unknown).every((value) => value === undefined)).toBe(true);
});

it("means the last day whole", () => {
  const { since, until } = auditFilter({ since: "2026-01-31", until: "2026-01-31" });
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(86_400_000);
});
