import { expect, it } from "vitest";
import { administers, grantableRoles, mayChangeMember } from "./roles";

it("lets only owners make owners", () => {
  expect(grantableRoles("owner")).toContain("owner");
  expect(grantableRoles("administrator")).toEqual(["member", "administrator"]);
  expect(grantableRoles("member")).toEqual([]);
});

it.each([
  ["owner", "owner", true],
  ["administrator", "owner", false],
  ["administrator", "administrator", true],
  ["member", "member", false],
] as const)("as %s, %s may be changed: %s", (own, of, expected) => {
  expect(mayChangeMember(own, of)).toBe(expected);
});

it("counts members as those who do not administer", () => {
  expect([administers("member"), administers("administrator"), administers("owner")]).toEqual([false, true, true]);
});
