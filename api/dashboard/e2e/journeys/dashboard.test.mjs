// What people do with the dashboard, in the order in which a new team does it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, journey, openBrowser, openRepository, repositoryName, settings, signedIn, signIn } from "./browser.mjs";

/** Indexing takes as long as the repository is large. */
const INDEXING_MS = Number(process.env.QUARRY_E2E_INDEXING_MS ?? 180_000);

before(openBrowser);
after(closeBrowser);

test("a wrong password is refused with a sentence", () =>
  journey(async (page) => {
    await signIn(page, "not the password");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.innerText(), /e-mail or the password is not right/i);
    assert.match(page.url(), /\/login/);
  }));

test("signing in survives a reload and ends with signing out", () =>
  journey(async (page) => {
    await signedIn(page);
    await page.reload();
    await page.getByRole("heading", { name: "Repositories", level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => Object.values(localStorage).some((value) => value.length > 60)), false, "no token is stored");
    await page.getByRole("button", { name: "Account and appearance" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/login/);
    await page.goto("/status");
    await page.waitForURL(/\/login\?redirect=/);
  }));

test("a source that does not exist says what to do", () =>
  journey(async (page) => {
    await signedIn(page);
    await page.getByRole("link", { name: "Add a repository" }).click();
    await page.getByText("Path on the server").click();
    await page.getByLabel("Path", { exact: true }).fill(`${settings.repository}-missing`);
    await page.getByRole("button", { name: "Check access" }).click();
    await page.getByRole("alert").waitFor();
  }));

test("a repository is added and becomes ready", { timeout: INDEXING_MS + 60_000 }, () =>
  journey(async (page) => {
    await signedIn(page);
    await page.getByRole("link", { name: "Add a repository" }).click();
    await page.getByText("Path on the server").click();
    await page.getByLabel("Path", { exact: true }).fill(settings.repository);
    await page.getByRole("button", { name: "Check access" }).click();
    await page.getByRole("button", { name: "Start indexing" }).click();
    await page.getByRole("heading", { name: repositoryName, level: 1 }).waitFor();
    await page.getByText("Files indexed").first().waitFor({ timeout: INDEXING_MS });
    await page.getByText("ready", { exact: true }).first().waitFor({ timeout: INDEXING_MS });
  }));

test("the ledger says why files are skipped", () =>
  journey(async (page) => {
    await openRepository(page);
    await page.getByRole("tab", { name: "Ledger" }).click();
    await page.getByText(/files indexed \(/).waitFor();
    await page.getByText("Skipped", { exact: true }).click();
    await page.waitForURL(/status=skipped/);
    // The rows of the choice before may still stand when the address has changed.
    await page.getByRole("cell", { name: "indexed", exact: true }).first().waitFor({ state: "detached" });
    await page.getByRole("row").nth(1).or(page.getByText("No file matches the filters")).first().waitFor();
    assert.equal(await page.getByRole("cell", { name: "indexed", exact: true }).count(), 0);
  }));

test("a hit opens at its lines", () =>
  journey(async (page) => {
    await openRepository(page);
    await page.getByRole("link", { name: "Browse code" }).click();
    const file = page.getByRole("table").getByRole("link").last();
    const name = await file.innerText();
    await page.keyboard.press("/");
    await page.keyboard.type(process.env.QUARRY_E2E_QUERY ?? name.replace(/\..*$/, ""));
    await page.keyboard.press("Enter");
    const hit = page.locator("article [data-list-item]").first();
    await hit.waitFor();
    await hit.click();
    await page.waitForURL(/lines=/);
    await page.locator(".quarry-lit").first().waitFor();
  }));

test("every matching line is found exactly, and a bad pattern is explained", () =>
  journey(async (page) => {
    await signedIn(page);
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByText("Exact", { exact: true }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("(e");
    await page.keyboard.press("Enter");
    await page.getByText(/matching lines?/).waitFor();
    await page.getByText("Regular expression", { exact: true }).click();
    await page.getByText("The regular expression cannot be read.").waitFor();
  }));

test("the keyboard is enough", () =>
  journey(async (page) => {
    await signedIn(page);
    await page.locator("[data-list-item]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    assert.equal(focused, await page.locator("[data-list-item]").first().innerText());
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Overview" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByLabel("Go to a page, a repository or a symbol").pressSequentially("status");
    await page.locator("[data-selected]", { hasText: "Search code for" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=status/);
  }));

test("dark mode is remembered", () =>
  journey(async (page) => {
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    await signedIn(page);
    await page.getByRole("button", { name: "Account and appearance" }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    assert.equal(await scheme(), "dark");
    await page.reload();
    await page.getByRole("heading", { name: "Repositories", level: 1 }).waitFor();
    assert.equal(await scheme(), "dark");
  }, { colorScheme: "light" }));

test("Portuguese is spoken", () =>
  journey(async (page) => {
    await page.goto("/login");
    await page.getByRole("button", { name: "Entrar" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "pt");
  }, { locale: "pt-BR" }));
