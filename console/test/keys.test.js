// Keys that are wrong, revoked or expire while the page is open: it says so, keeps what was typed,
// leads to Settings, and goes on with a new key. And what the history of the browser keeps.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createKey, fingerprint, refused, revokeKey, rotateKey } from "./admin.js";
import { close, open, shared } from "./harness.js";
import { waitUntil } from "./keyboard.js";
import { choose, routeAdds } from "./list.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });

/** Opens a page with keys of its own. */
async function openWithKeys() {
  const keys = { key: await createKey(server, "key"), operatorKey: await createKey(server, "operatorKey") };
  return { page: await open(browser, server, "#/check", { keys }), keys };
}

/** Enters a key in Settings, to which the page has led, and goes back to where the user was. */
async function enter(page, label, key) {
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.getByLabel(label).fill(key);
  await button(page, "Sign in").click();
  await page.getByText("The server accepts this key.").nth(1).waitFor();
  assert.equal(await page.getByText("no longer accepts").count(), 0, "the banner is gone");
  await page.getByRole("link", { name: "Go back to where you were" }).click();
}

test("A key is revoked between two checks", async () => {
  const { page, keys } = await openWithKeys();
  const field = page.getByLabel("Content to check");
  await field.fill("bad.example.com");
  await button(page, "Check").click();
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  await revokeKey(server, keys.key);
  await refused(server, "key", keys.key);
  await field.fill("https://typed.bad.example.com/once");
  await button(page, "Check").click();
  await page.getByText("The server does not accept the key of your organization.").waitFor();
  await page.getByText("The server no longer accepts the key of your organization.").waitFor();
  assert.equal(await field.inputValue(), "https://typed.bad.example.com/once");
  await page.getByRole("link", { name: "Open Settings" }).click();
  await enter(page, "Key of your organization", await createKey(server, "key"));
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  assert.equal(await field.inputValue(), "https://typed.bad.example.com/once");
  await close(page);
});

test("A key is revoked while a decision is being written", async () => {
  const { page, keys } = await openWithKeys();
  await page.goto(`${server.address}/#/disputes?id=2`);
  await button(page, "Reject").click();
  const form = page.getByRole("form");
  await form.getByLabel("Reason").fill("A reason that took an hour to write.");
  await revokeKey(server, keys.operatorKey);
  await refused(server, "operatorKey", keys.operatorKey);
  await button(form, "Reject").click();
  await form.getByText("The server does not accept your operator key.").waitFor();
  assert.equal(await form.getByLabel("Reason").inputValue(), "A reason that took an hour to write.");
  await form.getByRole("link", { name: "Open Settings" }).click();
  await enter(page, "Operator key", await createKey(server, "operatorKey"));
  await button(page, "Reject").click();
  assert.equal(await form.getByLabel("Reason").inputValue(), "A reason that took an hour to write.");
  await button(form, "Reject").click();
  await page.getByText("Dispute #2: rejected.").first().waitFor();
  await page.goto(`${server.address}/#/disputes?id=2`);
  await button(page, "Reopen").click();
  assert.equal(await form.getByLabel("Reason").inputValue(), "");
  await close(page);
});

test("A key expires in the middle of a list", async () => {
  const { page, keys } = await openWithKeys();
  await page.goto(`${server.address}/#/allowlist?tab=add`);
  const lines = Array.from({ length: 2500 }, (_, index) => `https://expiry-${index}.example.com`);
  await choose(page, lines);
  await page.locator("[data-state=ready]").waitFor();
  let batches = 0;
  let next;
  await routeAdds(page, async (route) => {
    if (++batches === 2) {
      next = await rotateKey(server, keys.key, "1s");
      await refused(server, "key", keys.key);
    }
    await route.continue();
  });
  await button(page, "Add to the allowlist").click();
  await page.locator("[data-state=stopped]").waitFor();
  await page.getByText("The server does not accept the key of your organization.").waitFor();
  assert.match(await page.locator(".figures").innerText(), /2,500 lines.*1,000 added/s);
  await page.getByRole("link", { name: "Open Settings" }).click();
  await enter(page, "Key of your organization", next);
  await button(page, "Go on with the new key").click();
  await page.getByText("Done: 2,500 added, 0 refused.").first().waitFor();
  const { body } = await server.call("key", "POST", "/asset/changelog", { toStatus: "ALLOWED" });
  assert.equal(body.changelog.filter(({ content }) => content.startsWith("https://expiry-")).length, 2500,
    "each asset has changed once");
  await close(page);
});

test("Settings says whether the server accepts a key", async () => {
  const page = await open(browser, server, "#/settings", { keys: {} });
  for (const [value, answer] of [
    ["apg_wrong", "The server does not accept this key."],
    [await createKey(server, "operatorKey"), "The server knows this key, but it is for something else."],
    [server.keys.key, "The server accepts this key."],
  ]) {
    await page.getByLabel("Key of your organization").fill(value);
    await button(page, "Sign in").click();
    await page.getByText(answer).waitFor();
  }
  await page.route("**/asset/check", (route) => route.abort());
  await button(page, "Sign in").click();
  await page.getByText("The server cannot be reached").waitFor();
  await close(page);
});

test("A link does not replace keys without asking, and its keys are not in the history", async () => {
  const { page, keys } = await openWithKeys();
  const used = [];
  page.on("request", (request) =>
    request.url().endsWith("/asset/check") && used.push(request.headers()["x-session-key"]));
  const other = await createKey(server, "key");
  const follow = () => page.goto(`${server.address}/#/check?content=bad.example.com&key=${other}`);
  const dialog = page.getByRole("dialog", { name: "Replace your keys?" });
  await follow();
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  assert.equal(new URL(page.url()).hash, "#/check?content=bad.example.com");
  await dialog.getByText("They would replace the key of your organization,").waitFor();
  await page.keyboard.press("Enter"); // the button with the focus
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(new Set(used), new Set([fingerprint(keys.key)]), "the keys stay");
  await follow();
  await button(dialog, "Use the keys of the link").click();
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  await waitUntil(page, () => used.at(-1) === fingerprint(other), () => "the keys of the link are not used");
  await page.goto(`${server.address}/#/disputes?id=5`);
  await page.getByRole("heading", { name: "Dispute #5" }).waitFor(); // with the other key, which the link did not have
  await follow();
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  assert.equal(await dialog.count(), 0, "the same keys are no question");
  await close(page);
});

test("The header says who acts, and for which organization", async () => {
  const { page, keys } = await openWithKeys();
  const who = page.locator(".who");
  await who.getByText("Acme Ada Acme").waitFor();
  await who.getByText("Otto Operator operator").waitFor();
  await revokeKey(server, keys.key);
  await refused(server, "key", keys.key);
  await page.reload();
  await who.getByText(`organization key ${fingerprint(keys.key)}`).waitFor(); // nobody the server knows
  await page.getByRole("link", { name: "organization key" }).click();
  await button(page, "Sign out").click();
  await who.getByText("No organization key").waitFor();
  await who.getByText("No operator key").waitFor();
  await close(page);
});

test("Back and forward restore each view", async () => {
  const page = await open(browser, server);
  const field = page.getByLabel("Content to check");
  const dispute = page.getByRole("heading", { name: "Dispute #5" });
  await field.fill("bad.example.com");
  await button(page, "Check").click();
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  await page.getByRole("link", { name: "Changelog" }).click();
  await page.getByLabel("New status").selectOption("ALLOWED");
  await button(page, "Filter").click();
  await page.waitForURL(/toStatus=ALLOWED/);
  await page.getByRole("link", { name: "Check", exact: true }).first().click();
  await field.fill("typed, not checked");
  await page.getByRole("link", { name: "Disputes" }).click();
  const chip = page.getByRole("link", { name: "open", exact: true });
  await chip.click();
  await page.locator("[data-id='5']").click();
  await dispute.waitFor();
  await page.goto(`${server.address}/#/allowlist?tab=add`);
  await page.getByLabel("Contents, one a line").fill("https://kept.example.com\nno asset");
  await page.locator("[data-state=ready]").waitFor();
  await page.getByRole("link", { name: "Reports" }).click();
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();

  await page.goBack();
  await page.getByText("Invalid asset format").waitFor();
  assert.equal(await page.getByLabel("Contents, one a line").inputValue(), "https://kept.example.com\nno asset");

  await page.goBack();
  await dispute.waitFor();
  assert.equal(await chip.getAttribute("aria-current"), "true");
  await page.goBack();
  await page.waitForURL(/#\/disputes\?states=OPEN$/);
  await page.getByText("Nothing is open").waitFor();
  await page.goBack();
  await page.waitForURL(/#\/disputes$/);
  await page.goBack();
  await page.getByRole("heading", { name: "Not recognized" }).waitFor();
  assert.equal(await field.inputValue(), "typed, not checked");
  await page.goBack();
  await page.getByText(/changes, newest first/).waitFor();
  assert.equal(await page.getByLabel("New status").inputValue(), "ALLOWED");
  await page.goBack();
  await page.waitForURL(/#\/changelog$/);
  await page.goBack();
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  assert.equal(await field.inputValue(), "bad.example.com");
  for (let i = 0; i < 6; i++) { // to the dispute
    await page.goForward();
  }
  await dispute.waitFor();
  await close(page);
});

test("Back to the changelog leads to where it was scrolled", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => ({ content: `https://scrolled-${index}.example.com` }));
  assert.equal((await server.call("key", "POST", "/organization/assets", { assets: lines })).status, 200);
  const page = await open(browser, server, "#/changelog");
  await page.getByLabel("New status").selectOption("ALLOWED");
  await button(page, "Filter").click();
  await page.getByLabel("Filters that are set").waitFor();
  await page.getByText(/changes, newest first/).waitFor();
  const scrolled = (by = 0) => page.evaluate((pixels) => {
    document.documentElement.scrollTop += pixels;
    return document.documentElement.scrollTop;
  }, by);
  const leave = {
    "an asset": [
      page.locator(".rows .row").filter({ hasText: "scrolled" }).first().getByRole("link"), "Asset",
    ],
    "another view": [page.getByRole("link", { name: "Disputes" }), "Disputes"],
  };
  for (const [why, [link, view]] of Object.entries(leave)) {
    const top = await scrolled(3000);
    await waitUntil(page, () => page.evaluate((kept) => history.state?.top === kept, top),
      () => `the position ${top} is not kept`);
    await link.dispatchEvent("click"); // a mouse would first scroll to the link
    await page.getByRole("heading", { level: 1, name: view }).waitFor();
    await page.goBack();
    await waitUntil(page, async () => (await scrolled()) === top,
      () => `after ${why}, the list is not at ${top}`);
    assert.equal(await page.getByLabel("New status").inputValue(), "ALLOWED");
  }

  const top = await scrolled();
  const goTo = async (name) => {
    await page.getByRole("link", { name }).dispatchEvent("click");
    await page.getByRole("heading", { level: 1, name }).waitFor();
  };
  await goTo("Disputes");
  await page.route("**/asset/changelog", () => {}, { times: 1 });
  await page.goBack();
  await page.getByText("Reading …").waitFor();
  await page.setViewportSize({ width: 1280, height: 300 }); // there is something to scroll
  await page.evaluate(() => new Promise((resolve) => {
    addEventListener("scrollend", resolve, { once: true });
    scrollTo(0, 1);
  }));
  await goTo("Reports");
  await page.goBack();
  await waitUntil(page, async () => (await scrolled()) === top, () => `the list was left unread, and is not at ${top}`);

  await page.getByLabel("New status").selectOption("");
  await button(page, "Filter").click();
  await page.waitForURL(/#\/changelog\?$/);
  await page.getByText(/changes, newest first/).waitFor();
  assert.ok(await scrolled() < 1000, "other filters begin at the top");
  await close(page);
});

test("An answer leaves an address that says what was checked, or Back could be lost", async () => {
  const page = await open(browser, server, "#/overview");
  const changes = await page.evaluateHandle(() => {
    const seen = [];
    const replace = history.replaceState;
    history.replaceState = function (...args) {
      seen.push(args[2]);
      replace.apply(this, args);
    };
    return seen;
  });
  await page.goto(`${server.address}/#/check?content=bad.example.com`);
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  assert.deepEqual(await changes.jsonValue(), []);
  await close(page);
});

test("Back closes an open dialog with its view", async () => {
  const page = await open(browser, server, "#/check");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await button(page, "Create a webhook").click();
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Check" }).waitFor();
  await close(page);
});
