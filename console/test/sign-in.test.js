// One sign-in: every tab, a reload and the link of a colleague are signed in, no tab has a key, and an operator
// needs no key of an organization to check and to read the changelog.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createKey, refused, revokeKey } from "./admin.js";
import { check, close, newPage, open, shared } from "./harness.js";
import { waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });
const operatorOnly = { keys: { operatorKey: server.keys.operatorKey } };

/** Opens another tab of the browser. */
async function openTab(page, hash) {
  const tab = await newPage(page.context());
  await tab.goto(`${server.address}/${hash}`);
  return tab;
}

/** Asserts that scripts of the page can reach no key. */
async function hasNoKey(page) {
  const reachable = await page.evaluate(() => JSON.stringify([
    document.documentElement.outerHTML, [...document.querySelectorAll("input")].map(({ value }) => value),
    { ...sessionStorage }, { ...localStorage }, document.cookie, location.href, history.state,
  ]));
  for (const key of [server.keys.key, server.keys.operatorKey]) {
    assert.ok(!reachable.includes(key));
  }
  assert.ok(!reachable.includes("apg_"), "no key at all");
  assert.equal(await page.evaluate(() => document.cookie), "");
}

test("A new tab, a reload and a pasted link are signed in, and nothing in the browser has a key", async () => {
  const page = await open(browser, server, "#/disputes?id=5");
  await page.getByRole("heading", { name: "Dispute #5" }).waitFor();
  assert.equal(new URL(page.url()).hash, "#/disputes?id=5", "the keys of the link are not in the address");
  await hasNoKey(page);
  const sent = [];
  page.context().on("request", (request) => sent.push(request.headers()["x-api-key"]));
  await page.reload();
  await page.getByRole("heading", { name: "Dispute #5" }).waitFor();
  const tab = await openTab(page, "#/disputes?id=2");
  await tab.getByRole("heading", { name: "Dispute #2" }).waitFor();
  await tab.locator(".who").getByText("Acme Ada Acme").waitFor();
  await tab.locator(".who").getByText("Otto Operator operator").waitFor();
  await tab.goto(`${server.address}/#/allowlist`);
  await tab.getByText("Look for").or(tab.getByRole("link", { name: "Add", exact: true })).first().waitFor();
  await hasNoKey(tab);
  assert.ok(sent.length > 5);
  assert.deepEqual(sent.filter((key) => key !== undefined), [], "no request has a key");
  const [cookie, ...others] = await page.context().cookies();
  assert.deepEqual(others, []);
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.expires], [true, "Strict", -1]);
  await tab.close();
  await close(page);
});

test("With an operator's key alone, Check and Changelog work, and what is of an organization does not", async () => {
  const page = await open(browser, server, "#/check", operatorOnly);
  await page.getByLabel("Content to check").fill("bad.example.com");
  await button(page, "Check").click();
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  await page.getByText("Offline list").click();
  await page.getByText("It says what the server says.").waitFor();
  await page.goto(`${server.address}/#/changelog`);
  await page.getByText(/changes, newest first/).waitFor();
  await page.goto(`${server.address}/#/overview`);
  await page.getByRole("region", { name: "Changes of the last day" }).locator("p, ol, ul, dl").first().waitFor();
  assert.equal(await page.getByText("This needs the key of your organization.").count(), 0);
  await page.goto(`${server.address}/#/allowlist`);
  await page.getByText("This needs the key of your organization.").first().waitFor();
  assert.equal(await page.getByText("no longer accepts").count(), 0, "the operator's key is accepted");
  await close(page);
});

test("Signing out ends all tabs", async () => {
  const page = await open(browser, server, "#/settings");
  const tab = await openTab(page, "#/disputes?id=5");
  await tab.getByRole("heading", { name: "Dispute #5" }).waitFor();
  const kept = await page.context().cookies();
  await button(page, "Sign out").click();
  await page.getByText("Signed out, in all tabs").waitFor();
  assert.equal(await button(page, "Sign out").count(), 0);
  for (const one of [page, tab]) {
    await one.getByText("You are not signed in.").waitFor();
  }
  await check(page, "signed-out");
  assert.deepEqual(await page.context().cookies(), []);
  await page.context().addCookies(kept);
  await tab.reload();
  await tab.getByText("You are not signed in.").waitFor(); // a copy of the cookie is worth nothing
  await tab.close();
  await close(page);
});

test("Signing in needs a key once, in Settings", async () => {
  const page = await open(browser, server, "#/disputes", { keys: {} });
  const tab = await openTab(page, "#/settings");
  await page.getByText("This needs your operator key.").first().waitFor();
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Operator key").fill("apg_wrong");
  await button(page, "Sign in").click();
  await page.getByText("The server does not accept this key.").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
  await page.getByLabel("Operator key").fill(server.keys.operatorKey);
  await button(page, "Sign in").click();
  await page.getByText("The server accepts this key.").waitFor();
  await hasNoKey(page);
  await tab.locator(".who").getByText("Otto Operator operator").waitFor();
  await page.getByRole("region", { name: "Signed in" }).getByText("Otto Operator operator").waitFor();
  await page.getByLabel("Key of your organization").fill(server.keys.key);
  await button(page, "Sign in").click();
  await page.getByText("The server accepts this key.").nth(1).waitFor();
  await check(page, "signed-in");
  await page.getByRole("link", { name: "Go back to where you were" }).click();
  await page.locator("[data-id='5']").waitFor();
  await tab.close();
  await close(page);
});

test("A session whose key is revoked is refused, and the page says so", async () => {
  const operatorKey = await createKey(server, "operatorKey");
  const page = await open(browser, server, "#/disputes?id=5", { keys: { operatorKey } });
  await page.getByRole("heading", { name: "Dispute #5" }).waitFor();
  await revokeKey(server, operatorKey);
  await refused(server, "operatorKey", operatorKey);
  await page.reload();
  await page.getByText("The server no longer accepts your operator key.").waitFor();
  await close(page);
});

test("After a restart of the server, the page asks to sign in, and keeps what was written", async () => {
  const page = await open(browser, server, "#/disputes?id=2");
  await button(page, "Reject").click();
  const form = page.getByRole("form");
  await form.getByLabel("Reason").fill("A reason that took an hour to write.");
  await server.kill();
  await server.run();
  await button(form, "Reject").click();
  await page.getByText("You are not signed in.").waitFor();
  assert.equal(await form.getByLabel("Reason").inputValue(), "A reason that took an hour to write.");
  const tab = await openTab(page, `#/settings?operatorKey=${server.keys.operatorKey}`);
  await waitUntil(page, async () => await page.getByText("You are not signed in.").count() === 0,
    () => "another tab has signed in, and this one is not");
  await button(form, "Reject").click();
  await page.getByText("Dispute #2: rejected.").first().waitFor();
  await tab.close();
  await close(page);
});
