// From an invitation to a private project and back out: what administrators do, and what the invited person sees of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, journey, openBrowser, signedIn } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

const stamp = Date.now().toString(36);
const person = { name: `Grace ${stamp}`, email: `grace.${stamp}@example.com`, password: `umbrella-${stamp}-quartz-lantern` };
const team = `Compilers ${stamp}`;
const project = `Vault ${stamp}`;

/** Chooses from a searchable list by typing. */
async function choose(page, label, text) {
  const input = page.getByRole("combobox", { name: label, exact: true });
  await input.click();
  await input.fill(text);
  await page.getByRole("option", { name: new RegExp(text) }).click();
}

async function open(page, link, heading = link) {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: link, exact: true }).click();
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
}

/** Makes an invitation and returns what its link says behind the host. */
async function invite(page, note) {
  await open(page, "People");
  await page.getByRole("button", { name: "Invite by link" }).click();
  await page.getByLabel("For whom").fill(note);
  await page.getByRole("button", { name: "Make the link" }).click();
  const { pathname, search, hash } = new URL(await page.getByLabel("Invitation link", { exact: true }).inputValue());
  await page.getByRole("button", { name: "Done" }).click();
  assert.equal(search, "", "the secret is no part of what servers see");
  return pathname + hash;
}

test("a member is invited, works in a team, and is removed again", { timeout: 180_000 }, () =>
  journey(async (page) => {
    await signedIn(page);
    const link = await invite(page, person.name);

    await journey(async (guest) => {
      await guest.goto(link);
      await guest.getByLabel("Name", { exact: true }).fill(person.name);
      await guest.getByLabel("E-mail").fill(person.email);
      await guest.getByRole("textbox", { name: "New password" }).fill(person.password);
      await guest.getByText("strong", { exact: false }).first().waitFor();
      await guest.getByRole("button", { name: "Create account and join" }).click();
      await guest.getByRole("heading", { name: "Repositories", level: 1 }).waitFor();

      // What members may not do is not offered.
      await open(guest, "People");
      assert.equal(await guest.getByRole("button", { name: "Invite by link" }).count(), 0);
      assert.equal(await guest.getByRole("link", { name: "Audit log" }).count(), 0);

      await open(page, "People");
      await page.getByRole("tab", { name: "Teams" }).click();
      await page.getByRole("button", { name: "New team" }).click();
      await page.getByLabel("Name", { exact: true }).fill(team);
      await page.getByRole("button", { name: "Create team" }).click();
      await page.getByRole("heading", { name: team, level: 1 }).waitFor();
      await choose(page, "Person", person.email);
      await page.getByRole("button", { name: "Add person" }).click();
      await page.getByRole("cell", { name: new RegExp(person.email) }).waitFor();

      await open(page, "Projects");
      await page.getByRole("button", { name: "New project" }).first().click();
      await page.getByLabel("Name", { exact: true }).fill(project);
      await page.getByRole("radio", { name: "private" }).check();
      await page.getByRole("button", { name: "Create project" }).click();
      await page.getByRole("heading", { name: `Project ${project}` }).waitFor();

      await guest.goto(new URL(page.url()).pathname);
      await guest.getByText("There is nothing here, or you cannot see it").waitFor();

      await choose(page, "Team", team);
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByRole("link", { name: team }).waitFor();
      await guest.reload();
      await guest.getByText("You read this project.").waitFor();
      assert.equal(await guest.getByRole("button", { name: "Delete project…" }).count(), 0);

      await page.getByRole("button", { name: `Stop sharing with ${team}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click();
      await page.getByText("The project is shared with no team").waitFor();
      await guest.reload();
      await guest.getByText("There is nothing here, or you cannot see it").waitFor();

      await open(page, "People");
      await page.getByRole("button", { name: `Remove ${person.name}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove member" }).click();
      await page.getByText(`${person.name} was removed.`).waitFor();
      await guest.goto("/");
      await guest.getByText("You are not in an organization yet").waitFor();
    });

    await open(page, "Audit log");
    await page.getByRole("link", { name: "member.remove" }).first().click();
    await page.waitForURL(/action=member\.remove/);
    await page.getByRole("cell", { name: /Administrator|@/ }).first().waitFor();
    await open(page, "Projects");
    await page.getByRole("link", { name: project }).click();
    await page.getByRole("button", { name: "Delete project…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(project);
    await page.getByRole("dialog").getByRole("button", { name: "Delete project" }).click();
    await page.getByText(`${project} is deleted.`).waitFor();
  }));

test("a revoked invitation lets nobody in", () =>
  journey(async (page) => {
    await signedIn(page);
    const note = `revoked ${stamp}`;
    const link = await invite(page, note);
    await page.getByRole("tab", { name: "Invitations" }).click();
    await page.getByRole("button", { name: `Revoke the invitation ${note}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke invitation" }).click();
    await page.getByRole("row", { name: new RegExp(note) }).getByText("revoked", { exact: true }).waitFor();
    await journey(async (guest) => {
      await guest.goto(link);
      await guest.getByText("This invitation cannot be used").waitFor();
      assert.equal(await guest.getByRole("button", { name: "Create account and join" }).count(), 0);
    });
  }));

test("a token is shown once and can be revoked", () =>
  journey(async (page) => {
    await signedIn(page);
    const name = `journey ${stamp}`;
    await open(page, "API tokens");
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("What it is for").fill(name);
    await page.getByRole("button", { name: "Create token" }).click();
    assert.match(await page.getByLabel("Token", { exact: true }).inputValue(), /^qry_[0-9A-Za-z]{71}$/);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: `Revoke ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
    await page.getByRole("row", { name: new RegExp(name) }).getByText("revoked", { exact: true }).waitFor();
  }));
