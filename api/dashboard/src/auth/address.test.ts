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

it.each([
  ["sign_in_refused", { problem: "sign_in_refused" }],
  ["<b>", {}],
  [["a"], {}],
])("takes %j as the code of a problem only when it looks like one", (problem, expected) => {
  expect(loginSearch({ problem })).toEqual(expected);
});
