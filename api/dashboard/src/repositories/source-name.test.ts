import { expect, it } from "vitest";
import { nameOfSource } from "./source-name";

it.each([
  ["https://git.example.com/team/service.git", "service"],
  ["https://git.example.com/team/service/", "service"],
  ["git@git.example.com:service.git", "service"],
  ["https://git.example.com/team/service?x=1", "service"],
])("names %s", (url, name) => {
  expect(nameOfSource({ kind: "git", url })).toBe(name);
});

it.each([
  ["/srv/git/service.git", "service"],
  ["/home/ada/service/.git", "service"],
  ["C:\\code\\service", "service"],
])("names %s", (path, name) => {
  expect(nameOfSource({ kind: "local", path })).toBe(name);
});
