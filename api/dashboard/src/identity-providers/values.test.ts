import { expect, it } from "vitest";
import { isSecureUrl, toRequest, toValues } from "./values";

const filled = { ...toValues(), name: " Login ", issuer: "https://login.example.com", clientId: "quarry", domains: ["@Example.com"] };

it("keeps the secret that is set when none is typed", () => {
  expect(toRequest(filled)).not.toHaveProperty("client_secret");
  expect(toRequest({ ...filled, clientSecret: "s" }).client_secret).toBe("s");
});

it("sends domains as the server compares them, and only mappings that do something", () => {
  const groups = [
    { group: "engineering", role: "administrator" as const, team_id: null },
    { group: "nothing", role: null, team_id: null },
    { group: " ", role: "member" as const, team_id: null },
  ];
  const request = toRequest({ ...filled, groupClaim: "groups", groups });
  expect(request.email_domains).toEqual(["example.com"]);
  expect(request.groups).toHaveLength(1);
  expect(toRequest({ ...filled, groups }).groups).toEqual([]);
});

it.each([
  ["https://login.example.com", true],
  ["http://127.0.0.1:9000", true],
  ["http://login.example.com", false],
  ["javascript:alert(1)", false],
  ["login.example.com", false],
])("of the issuer %j says %s", (issuer, expected) => {
  expect(isSecureUrl(issuer)).toBe(expected);
});
