// Every page, light and dark: nothing serious for axe, nothing refused by the content security policy.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, closeBrowser, journey, openBrowser, openRepository } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

/** Follows an address inside the page, without loading it again. */
async function go(page, address) {
  await page.evaluate((href) => {
    history.pushState({}, "", href);
    dispatchEvent(new PopStateEvent("popstate"));
  }, address);
  // The page is there once it has drawn its part of the frame and nothing in it loads any more.
  await page.locator("main").first().waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
}

for (const colorScheme of ["light", "dark"]) {
  test(`every page is accessible in ${colorScheme}`, { timeout: 120_000 }, () =>
    journey(async (page) => {
      await page.goto("/login");
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await assertAccessible(page, "sign-in");
      await openRepository(page);
      const { pathname } = new URL(page.url());
      const [, , organization, , id] = pathname.split("/");
      const pages = [
        `/o/${organization}/repositories`,
        `/o/${organization}/repositories/new`,
        pathname,
        `${pathname}?tab=ledger`,
        `${pathname}?tab=runs`,
        `/o/${organization}/search`,
        `/o/${organization}/search?q=function&explain=true`,
        `/o/${organization}/search?q=return&mode=exact`,
        `/o/${organization}/code`,
        `/o/${organization}/code/${id}`,
        "/status",
      ];
      for (const address of pages) {
        await go(page, address);
        await assertAccessible(page, address);
      }
      await go(page, "/api/docs");
      await page.getByText("/api/v1/search/exact").waitFor();
      await page.getByText("/api/v1/search/exact").click();
      await assertAccessible(page, "the API's documentation");
      await go(page, `/o/${organization}/code/${id}`);
      await page.getByRole("table").getByRole("link").last().click();
      await page.locator(".cm-line").first().waitFor();
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
