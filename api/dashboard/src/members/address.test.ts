import { expect, it } from "vitest";
import { peopleSearch } from "./address";

it.each([
  [{ tab: "teams", name: "ada" }, { tab: "teams", name: "ada" }],
  [{ tab: "passwords", name: "" }, { tab: undefined, name: undefined }],
  [{ name: ["a"] }, { tab: undefined, name: undefined }],
])("keeps of %j what the page knows", (search, expected) => {
  expect(peopleSearch(search)).toEqual(expected);
});
