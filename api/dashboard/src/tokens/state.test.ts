import { expect, it } from "vitest";
import { stateOf } from "./state";

const NOW = Date.parse("2026-06-01T00:00:00Z");

it.each([
  [{ revoked_at: null, expires_at: "2026-06-01T00:00:01Z" }, "active"],
  [{ revoked_at: null, expires_at: "2026-06-01T00:00:00Z" }, "expired"],
  [{ revoked_at: "2026-05-01T00:00:00Z", expires_at: "2026-05-02T00:00:00Z" }, "revoked"],
] as const)("of %j is %s", (token, state) => {
  expect(stateOf(token, NOW)).toBe(state);
});
