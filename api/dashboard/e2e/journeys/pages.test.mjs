// Every page, light and dark: nothing serious for axe, nothing refused by the content security policy.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, closeBrowser, journey, openBrowser, openRepository, repositoryName } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

/** Follows an address inside the page, without loading it again, and waits for what the page is for. */
async function go(page, address, content) {
  await page.evaluate((href) => {
    history.pushState({}, "", href);
    dispatchEvent(new PopStateEvent("popstate"));
  }, address);
  await content.first().waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
}

/** Every step has its own patience; this only ends a scan that hangs, however busy the machine is. */
const HANGS_MS = 600_000;

for (const colorScheme of ["light", "dark"]) {
  test(`every page is accessible in ${colorScheme}`, { timeout: HANGS_MS }, () =>
    journey(async (page) => {
      await page.goto("/login");
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await assertAccessible(page, "sign-in");
      await page.goto("/join#not-an-invitation");
      await page.getByText("This invitation cannot be used").waitFor();
      await assertAccessible(page, "invitation");
      await page.goto("/reset-password#not-a-link");
      await page.getByRole("button", { name: "Set the password" }).waitFor();
      await assertAccessible(page, "reset of a password");
      await openRepository(page);
      const { pathname } = new URL(page.url());
      const [, , organization, , id] = pathname.split("/");
      const pages = [
        [`/o/${organization}/repositories`, page.getByRole("link", { name: repositoryName, exact: true })],
        [`/o/${organization}/repositories/new`, page.getByRole("button", { name: "Check access" })],
        [pathname, page.getByText("Files indexed")],
        [`${pathname}?tab=ledger`, page.getByText(/files indexed \(/)],
        [`${pathname}?tab=runs`, page.getByRole("columnheader", { name: "Cause" })],
        [`/o/${organization}/search`, page.getByText("Search code by name, by path or by what it does")],
        [`/o/${organization}/search?q=function&explain=true`, page.locator(".quarry-lit [class*=tok-]")],
        [`/o/${organization}/search?q=return&mode=exact`, page.getByText(/matching lines?/)],
        [`/o/${organization}/code`, page.getByRole("main").getByRole("link", { name: repositoryName })],
        [`/o/${organization}/code/${id}`, page.getByRole("table").getByRole("link")],
        [`/o/${organization}/projects`, page.getByRole("columnheader", { name: "Visibility" })],
        [`/o/${organization}/people`, page.getByRole("columnheader", { name: "Joined" })],
        [`/o/${organization}/people?tab=invitations`, page.getByRole("tabpanel", { name: "Invitations" })],
        [`/o/${organization}/people?tab=teams`, page.getByRole("button", { name: "New team" })],
        [`/o/${organization}/tokens`, page.getByRole("button", { name: "New token" })],
        [`/o/${organization}/tokens?tab=services`, page.getByRole("button", { name: "New service account" })],
        [`/o/${organization}/tokens?tab=members`, page.getByRole("tab", { name: "Everybody's tokens", selected: true })],
        [`/o/${organization}/audit`, page.getByRole("columnheader", { name: "Outcome" })],
        [`/o/${organization}/settings`, page.getByRole("button", { name: "Delete organization…" })],
        [`/o/${organization}/settings?tab=sign-in`, page.getByRole("button", { name: "Add an identity provider" })],
        ["/account", page.getByRole("button", { name: "Change password" })],
        ["/account?tab=sessions", page.getByRole("button", { name: "Sign out everywhere" })],
        ["/account?tab=second-factor", page.getByRole("button", { name: "Set up an authenticator" })],
        ["/users", page.getByRole("button", { name: "New account" })],
        ["/status", page.getByText("Dead jobs", { exact: true })],
      ];
      for (const [address, content] of pages) {
        await go(page, address, content);
        await assertAccessible(page, address);
      }
      await go(page, `/o/${organization}/projects`, page.getByRole("columnheader", { name: "Visibility" }));
      await page.getByRole("table").getByRole("link").first().click();
      await page.getByRole("button", { name: "Delete project…" }).waitFor();
      await assertAccessible(page, "project");
      await go(page, `/o/${organization}/people`, page.getByRole("button", { name: "Invite by link" }));
      await page.getByRole("button", { name: "Invite by link" }).click();
      await page.getByRole("dialog").waitFor();
      await assertAccessible(page, "invitation form");
      await page.keyboard.press("Escape");
      await go(page, "/api/docs", page.getByText("/api/v1/search/exact"));
      await page.getByText("/api/v1/search/exact").click();
      await assertAccessible(page, "the API's documentation");
      await go(page, `/o/${organization}/code/${id}`, page.getByRole("table").getByRole("link"));
      await page.getByRole("table").getByRole("link").last().click();
      await page.locator(".cm-line [class*=tok-]").first().waitFor();
      await assertAccessible(page, "file");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await assertAccessible(page, "palette");
    }, { colorScheme }));
}

test("the policy leaves no inline script or style and no foreign host", () =>
  journey(async (page) => {
    const answer = await page.goto("/login");
    const policy = answer.headers()["content-security-policy"] ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|https?:/);
  }));
