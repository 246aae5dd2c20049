import { expect, it } from "vitest";
import { loginSearch } from "./address";

it.each([
  ["/o/acme/search?q=x", { redirect: "/o/acme/search?q=x" }],
  ["https://evil.example", {}],
  ["//evil.example", {}],
  ["/\\evil.example", {}],
  [undefined, {}],
])("goes on to %j only when it is an address of this dashboard", (redirect, expected) => {
  expect(loginSearch({ redirect })).toEqual(expected);
});
