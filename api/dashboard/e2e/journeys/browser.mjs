// One browser for all journeys, against the server that the environment names.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { AxeBuilder } from "@axe-core/playwright";

const { QUARRY_E2E_URL, QUARRY_E2E_EMAIL, QUARRY_E2E_PASSWORD, QUARRY_E2E_REPOSITORY, QUARRY_E2E_CHROMIUM } = process.env;

export const settings = {
  url: required("QUARRY_E2E_URL", QUARRY_E2E_URL),
  email: required("QUARRY_E2E_EMAIL", QUARRY_E2E_EMAIL),
  password: required("QUARRY_E2E_PASSWORD", QUARRY_E2E_PASSWORD),
  repository: required("QUARRY_E2E_REPOSITORY", QUARRY_E2E_REPOSITORY),
};

/** What a person would wait for; indexing has its own, longer one. */
const PATIENCE_MS = 15_000;

function required(name, value) {
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

function executable() {
  const candidates = [QUARRY_E2E_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error("no Chromium found: set QUARRY_E2E_CHROMIUM");
  return found;
}

let browser;

export async function openBrowser() {
  browser = await chromium.launch({ executablePath: executable(), args: ["--no-sandbox"] });
}

export async function closeBrowser() {
  await browser?.close();
}

/** Runs a journey on a new page, and fails it for anything the browser refused or threw on the way. */
export async function journey(steps, options = {}) {
  // Without motion nothing is looked at while it fades in.
  const still = { reducedMotion: "reduce", viewport: { width: 1440, height: 900 }, locale: "en", baseURL: settings.url };
  const context = await browser.newContext({ ...still, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // A 4xx that the page handles is logged by the browser all the same.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(message.text());
  });
  try {
    await steps(page);
    assert.deepEqual(faults, [], "the console has errors");
  } finally {
    await context.close();
  }
}

export async function signIn(page, password = settings.password) {
  await page.goto("/");
  await page.getByLabel("E-mail").fill(settings.email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

export async function signedIn(page) {
  await signIn(page);
  await page.getByRole("heading", { name: "Repositories", level: 1 }).waitFor();
}

export const repositoryName = settings.repository.replace(/\/+$/, "").replace(/\/\.git$/, "").split("/").at(-1).replace(/\.git$/, "");

/** Opens the journeys' repository from the list. */
export async function openRepository(page) {
  await signedIn(page);
  await page.getByRole("link", { name: repositoryName, exact: true }).first().click();
  await page.getByRole("heading", { name: repositoryName, level: 1 }).waitFor();
}

/** Nothing that axe calls serious or critical. */
export async function assertAccessible(page, name) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const report = grave.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join(" | ")}`);
  assert.deepEqual(report, [], `${name} has accessibility problems`);
}
