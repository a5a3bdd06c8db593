// Keys, users, organizations and the audit in Chromium: who may use the APIs, and who decided that.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createKey, fingerprint, refused } from "./admin.js";
import { dispute } from "./desk.js";
import { check, close, open, shared, shot } from "./harness.js";
import { waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });
const tab = (page, name) => page.getByRole("list", { name: "Lists" }).getByRole("link", { name });

/** Asserts on the status of a check with a key. */
async function checks(key, status) {
  const response = await fetch(`${server.address}/api/v2/asset/check`, {
    method: "POST", headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: `{"content":"bad.example.com"}`,
  });
  assert.equal(response.status, status);
}

/** Takes the key from the dialog that shows it, and closes that. */
async function takeKey(page, name) {
  const dialog = page.getByRole("dialog", { name });
  const key = await dialog.getByRole("textbox", { name: "Key" }).inputValue();
  assert.match(key, /^apg_\w{43}$/);
  await button(dialog, "I have stored it").click();
  await dialog.waitFor({ state: "detached" });
  return key;
}

/** Creates a key of Acme through the API. */
async function newKey(name, more = {}) {
  const { status, body } = await server.call("operatorKey", "POST", "/key/create",
    { name, organizationId: 1, userId: 1, scopes: ["check"], ...more });
  assert.equal(status, 200);
  return body;
}

/** Opens a key that was just created. */
async function openKey(name, more) {
  const made = await newKey(name, more);
  const page = await open(browser, server, `#/keys?id=${made.fingerprint}`);
  const detail = page.getByRole("region", { name: "Detail" });
  await detail.getByText(made.fingerprint).waitFor();
  return { page, made, detail };
}

test("A key is created, is shown once, and works", async () => {
  const page = await open(browser, server, "#/keys");
  const list = page.getByRole("region", { name: "List" });
  await list.getByText("Nightly crawl").waitFor();
  const row = await list.locator("li", { hasText: "Nightly crawl" }).last().innerText();
  assert.match(row, /Nightly crawl\s*expires in 3\d\d days\s*Crawler for Acme/);
  assert.match(row, /never used · created 20\d\d-[\s\S]*check assets, read the changelog and read reports/);
  await check(page, "keys");
  await button(page, "Create a key").click();
  const form = page.getByRole("form", { name: "Create a key" });
  await form.getByLabel("Name").waitFor();
  await check(page, "keys-new");

  await button(form, "Create").click();
  await form.getByText("Rights of organizations: must not be empty.").waitFor();
  await form.getByLabel("change the allowlist").check();
  await form.getByLabel(/^decide/).check();
  await button(form, "Create").click();
  await form.locator(".field", { hasText: "Organization" }).getByText(/^Organization is needed/).waitFor();
  await form.locator(".field", { hasText: "User" }).getByText(/^User is needed/).waitFor();
  await check(page, "keys-new-issues");
  await form.getByLabel(/^decide/).uncheck();
  await form.getByLabel("change the allowlist").uncheck();
  await form.getByLabel("Name").fill("Partner's crawler");
  await form.getByLabel("Organization", { exact: true }).selectOption("Acme");
  await form.getByLabel("User", { exact: true }).selectOption("Crawler");
  await form.getByLabel("It expires").selectOption("in 30 days");
  await form.getByLabel(/^check/).check();
  await button(form, "Create").click();

  const dialog = page.getByRole("dialog", { name: "The key “Partner's crawler”" });
  await dialog.getByText("It is shown only now.").waitFor();
  await check(page, "dialog-key");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(dialog, "Copy").click();
  await dialog.getByText("Copied.").waitFor();
  const key = await takeKey(page, "The key “Partner's crawler”");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
  await checks(key, 200);

  await page.getByText("Crawler for Acme may check assets.").waitFor();
  assert.equal(new URL(page.url()).hash, `#/keys?id=${fingerprint(key)}`);
  assert.match(await page.locator(".item[aria-current]").innerText(), /Partner's crawler\s*expires in 30 days/);
  await check(page, "key");
  assert.ok(!(await page.content()).includes(key), "the key is shown once");
  await button(page, "Create a key").click();
  assert.equal(await form.getByLabel("Name").inputValue(), "", "what was created is no draft");
  await button(form, "Cancel").click();
  await page.getByText("Nothing is open").waitFor();
  await close(page);
});

test("A key is rotated: the question names what stops, the old key stops, the new one works", async () => {
  const { page, made, detail } = await openKey("To rotate");
  await button(detail, "Rotate").click();
  const form = page.getByRole("form", { name: "Rotate this key" });
  await form.getByText("Ada Acme for Acme can no longer check assets with the old one.").waitFor();
  await form.getByText("It was never used.").waitFor();
  assert.equal(await form.getByLabel("The old key stays valid for").inputValue(), "86400", "nothing stops unawares");
  await check(page, "question-rotate");
  await form.getByLabel("The old key stays valid for").selectOption("0");
  await button(form, "Rotate").click();
  const key = await takeKey(page, "The new key of “To rotate”");
  await detail.getByText(`This key replaces ${made.fingerprint}.`).waitFor();
  await checks(key, 200);
  await refused(server, "key", made.key);
  await tab(page, "Revoked").click();
  await page.locator(`[data-id="${made.fingerprint}"]`).waitFor();
  await close(page);
});

test("A key is revoked after a question that names what stops, and begins with Cancel", async () => {
  const { page, made, detail } = await openKey("To revoke", { scopes: ["check", "changelog"] });
  await checks(made.key, 200);
  await button(detail, "Revoke").click();
  const form = page.getByRole("form", { name: "Revoke this key" });
  await form.getByText("Ada Acme for Acme can no longer check assets or read the changelog with this key.").waitFor();
  await check(page, "question-revoke");
  await page.keyboard.press("Enter"); // the button with the focus
  await form.waitFor({ state: "detached" });
  await checks(made.key, 200);
  await button(detail, "Revoke").click();
  await button(form, "Revoke for good").click();
  await detail.getByText("Revoked. Other servers may accept it for one more second.").waitFor();
  await detail.getByText("could check assets and read the changelog until it was revoked.").waitFor();
  await refused(server, "key", made.key);
  assert.equal(await button(detail, "Rotate").count(), 0);
  await check(page, "key-revoked");
  await tab(page, "Revoked").click();
  await page.locator(`[data-id="${made.fingerprint}"]`).getByText("To revoke").waitFor();
  await close(page);
});

test("The page goes on with the new one when its own key is rotated, and warns before it is revoked", async () => {
  const own = await newKey("Own", { organizationId: null, userId: 3, scopes: ["operator:read", "operator:admin"] });
  const page = await open(browser, server, `#/keys?id=${own.fingerprint}`,
    { keys: { operatorKey: own.key } });
  const detail = page.getByRole("region", { name: "Detail" });
  await detail.getByText("this page uses it", { exact: true }).waitFor();
  await button(detail, "Revoke").click();
  await page.getByText("This page uses it. You then need another key to go on").waitFor();
  await page.keyboard.press("Escape");
  await button(detail, "Rotate").click();
  const form = page.getByRole("form");
  await form.getByText("This page uses it, and goes on with the new one.").waitFor();
  await form.getByLabel("The old key stays valid for").selectOption("0");
  await button(form, "Rotate").click();
  const next = await takeKey(page, "The new key of “Own”");
  await detail.getByText("this page uses it", { exact: true }).waitFor();
  await refused(server, "operatorKey", own.key);
  await page.goto(`${server.address}/#/users`);
  await page.getByText("Grace Colleague").waitFor();
  assert.equal(await page.getByText("no longer accepts").count(), 0);
  assert.notEqual(next, own.key);
  await close(page);
});

test("Scopes that the own key lacks cannot be given, and a key with them cannot be rotated", async () => {
  const own = await newKey("Admin of checks",
    { organizationId: null, userId: 3, scopes: ["check", "operator:read", "operator:admin"] });
  const other = await newKey("Two rights", { scopes: ["check", "allowlist"] });
  const page = await open(browser, server, `#/keys?id=${other.fingerprint}`, { keys: { operatorKey: own.key } });
  await page.getByText("with rights that yours lacks: change the allowlist.").waitFor();
  assert.equal(await button(page, "Rotate").count(), 0);
  assert.equal(await button(page, "Revoke").count(), 1);
  await check(page, "key-lacks-rights");
  await button(page, "Create a key").click();
  const form = page.getByRole("form");
  await form.getByText("Your own key lacks this, so you cannot give it.").first().waitFor();
  assert.deepEqual(await form.locator("[name=scopes]:enabled").evaluateAll((boxes) => boxes.map(({ value }) => value)),
    ["check", "operator:read", "operator:admin"]);
  await close(page);
});

test("A key that may not administer says so in words", async () => {
  const operatorKey = await createKey(server, "operatorKey");
  const page = await open(browser, server, "#/keys?id=new", { keys: { operatorKey } });
  const said = page.getByText("it lacks the scope operator:admin");
  await said.nth(1).waitFor();
  assert.equal(await button(page, "Create a key").count(), 0);
  await check(page, "keys-read-only");
  await page.goto(`${server.address}/#/users`);
  await said.first().waitFor();
  assert.equal(await button(page, "Create a user").count(), 0);
  await close(page);
  const other = await open(browser, server, "#/keys", { keys: { operatorKey: server.keys.key } });
  await other.getByText("It lacks a scope that this needs.").first().waitFor();
  await close(other);
});

test("A lost answer to a new key says what may have happened, and keeps what was entered", async () => {
  const page = await open(browser, server, "#/keys?id=new");
  const form = page.getByRole("form");
  await form.getByLabel("Name").fill("Lost");
  await form.getByLabel(/^check/).check();
  await page.route("**/operator/key/create", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(form, "Create").click();
  await form.getByText("The key may have been created all the same.").waitFor();
  await page.goto(`${server.address}/#/keys?search=lost`);
  await page.getByRole("region", { name: "List" }).getByText("Lost").waitFor();
  await page.goto(`${server.address}/#/keys?id=new`);
  assert.equal(await form.getByLabel("Name").inputValue(), "Lost");
  assert.equal(await form.getByLabel(/^check/).isChecked(), true);
  await close(page);
});

test("A user and an organization are created and get a key, and the audit says who did it", async () => {
  const page = await open(browser, server, "#/users");
  await page.getByText("Grace Colleague").waitFor();
  await check(page, "users");
  await button(page, "Create a user").click();
  const form = page.getByRole("form");
  await button(form, "Create").click();
  await form.locator(".issue", { hasText: "Full name" }).waitFor();
  await check(page, "users-new-issues");
  await form.getByLabel("Full name").fill("Zoe Zebra");
  await form.getByLabel("E-mail").fill("zoe@zebra.example");
  await button(form, "Create").click();
  await page.getByRole("heading", { name: "Zoe Zebra" }).waitFor();
  await page.getByRole("region", { name: "List" }).getByText("zoe@zebra.example").waitFor();
  await check(page, "user");

  await button(page, "Create a user").click();
  assert.equal(await form.getByLabel("Full name").inputValue(), "", "the next user is another one");
  await form.getByLabel("Full name").fill("Lost User");
  await page.route("**/operator/user/create", (route) => route.abort());
  await button(form, "Create").click();
  await form.getByText("It may have been created all the same.").waitFor();
  await page.unroute("**/operator/user/create");

  await tab(page, "Organizations").click();
  await button(page, "Create an organization").click();
  await form.getByLabel("Name").fill("Zebra Incorporated");
  await form.getByLabel("Slug").fill("acme");
  await button(form, "Create").click();
  await form.getByText("Slug belongs to another organization.").waitFor(); // beside the field
  await check(page, "organizations-new-issues");
  await form.getByLabel("Slug").fill("zebra");
  await button(form, "Create").click();
  await page.getByRole("heading", { name: "Zebra Incorporated" }).waitFor();
  await page.getByText("None.").waitFor();
  await check(page, "organization");

  await page.getByRole("link", { name: "Create a key" }).click();
  await form.getByLabel(/^check/).check();
  const chosen = form.getByLabel("Organization", { exact: true });
  assert.equal(await chosen.evaluate(({ selectedOptions: [one] }) => one.text), "Zebra Incorporated");
  await form.getByLabel("Name").fill("First of Zebra");
  await form.getByLabel("User", { exact: true }).selectOption("Zoe Zebra");
  await button(form, "Create").click();
  const key = await takeKey(page, "The key “First of Zebra”");
  await page.getByText("Zoe Zebra for Zebra Incorporated may check assets.").waitFor();
  await page.getByRole("link", { name: "Zebra Incorporated", exact: true }).click();
  await page.locator(".key-list").getByText("First of Zebra").waitFor();

  await tab(page, "Audit").click();
  const lines = page.locator(".trail li");
  await lines.filter({ hasText: "created the organization Zebra Incorporated" }).waitFor();
  await lines.filter({ hasText: "Otto Operator (you) created the user Zoe Zebra" }).waitFor();
  const line = lines.filter({ hasText: "First of Zebra" });
  assert.match(await line.innerText(),
    /Otto Operator \(you\) created the key First of Zebra of Zoe Zebra for Zebra Incorporated, which may check assets/);
  await check(page, "audit");
  await line.getByRole("link", { name: "First of Zebra" }).click();
  await page.getByRole("region", { name: "Detail" }).getByText(fingerprint(key)).waitFor();
  await close(page);
});

test("Before a user is deactivated, the page says how many disputes come open again", async () => {
  const { body: { id: assigneeId } } = await server.call("operatorKey", "POST", "/user/create",
    { fullName: "Hans Holder", email: "hans@acme.example", automation: false });
  const ids = [];
  for (const content of ["one.held.example.net", "two.held.example.net"]) {
    await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
    ids.push(await dispute(server, content));
    await server.call("operatorKey", "POST", "/dispute/startReview", { id: ids.at(-1), assigneeId });
  }
  const page = await open(browser, server, `#/users?id=${assigneeId}`);
  await button(page, "Deactivate").click();
  const form = page.getByRole("form");
  await form.getByText("2 disputes that the user has under review become open again.").waitFor();
  await button(form, "Deactivate").click();
  await page.locator("h2").getByText("deactivated", { exact: true }).waitFor();
  for (const id of ids) {
    const { body: { state } } = await server.call("operatorKey", "GET", `/dispute/get?id=${id}`);
    assert.equal(state, "OPEN");
    await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
  }
  await close(page);
});

test("Somebody who leaves is renamed, deactivated, loses all keys, and is erased", async () => {
  const { body: { id } } = await server.call("operatorKey", "POST", "/user/create",
    { fullName: "Lea Leaver", email: "lea@acme.example", automation: false });
  const made = await newKey("Of Lea", { userId: id });
  await checks(made.key, 200);
  const page = await open(browser, server, `#/users?id=${id}`);
  const detail = page.getByRole("region", { name: "Detail" });
  const form = page.getByRole("form");
  const said = (text) => detail.getByRole("status").getByText(text).waitFor();
  await button(detail, "Rename").click();
  assert.equal(await form.getByLabel("Full name").inputValue(), "Lea Leaver");
  await form.getByLabel("Full name").fill("Lea Left");
  await button(form, "Rename").click();
  await detail.getByRole("heading", { name: "Lea Left" }).waitFor();
  await said("Renamed.");

  await button(detail, "Deactivate").click();
  await form.getByText("The user has no dispute under review.").waitFor();
  await check(page, "user-deactivate");
  await button(form, "Cancel").click();
  assert.equal(await detail.getByText("deactivated", { exact: true }).count(), 0);
  await button(detail, "Deactivate").click();
  await button(form, "Deactivate").click();
  await detail.locator("h2").getByText("deactivated", { exact: true }).waitFor();
  await refused(server, "key", made.key);
  await detail.locator(".key-list").getByRole("link", { name: "Of Lea" }).click();
  await detail.getByText("It does not work, because its user is deactivated.").waitFor();
  await page.goto(`${server.address}/#/keys`);
  await page.getByRole("link", { name: "Deactivated 1" }).click();
  await page.locator(".item", { hasText: "Of Lea" }).getByText("user deactivated").waitFor();
  await check(page, "keys-deactivated");
  await page.goto(`${server.address}/#/users?id=${id}`);
  await button(detail, "Reactivate").click();
  await button(form, "Reactivate").click();
  await button(detail, "Deactivate").waitFor();
  await said("Reactivated.");

  await button(detail, "Revoke all keys").click();
  await button(form, "Revoke all for good").click();
  await said("1 key revoked.");
  await detail.locator(".key-list").getByText("revoked", { exact: true }).waitFor();
  await button(detail, "Erase").click();
  await form.getByLabel("Type the ID of the user").fill("0");
  await button(form, "Erase for good").click();
  await form.locator(".issue", { hasText: `must be ${id}` }).waitFor();
  await check(page, "user-erase");
  await form.getByLabel("Type the ID of the user").fill(String(id));
  await button(form, "Erase for good").click();
  await said("Erased: 1 user, and the texts of 0 disputes.");
  assert.equal((await server.call("operatorKey", "GET", `/user/get?id=${id}`)).status, 404);

  await page.goto(`${server.address}/#/users?id=3`);
  await button(detail, "Deactivate").click();
  await form.getByText("This is you. Your own key stops working.").waitFor();
  await close(page);
});

test("An organization is renamed, deactivated and reactivated", async () => {
  const { body: { id } } = await server.call("operatorKey", "POST", "/organization/create",
    { name: "Yak", slug: "yak" });
  const page = await open(browser, server, `#/users?tab=organizations&id=${id}`);
  const detail = page.getByRole("region", { name: "Detail" });
  const form = page.getByRole("form");
  await button(detail, "Rename").click();
  await form.getByLabel("Slug").fill("acme");
  await button(form, "Rename").click();
  await form.getByText("Slug belongs to another organization.").waitFor();
  await form.getByLabel("Slug").fill("yaks");
  await button(form, "Rename").click();
  await detail.getByText("yaks", { exact: true }).waitFor();
  await button(detail, "Deactivate").click();
  await button(form, "Deactivate").click();
  await detail.getByText("deactivated", { exact: true }).waitFor();
  await check(page, "organization-deactivated");
  await button(detail, "Reactivate").click();
  await button(form, "Reactivate").click();
  await button(detail, "Deactivate").waitFor();
  await close(page);
});

test("The allowlist of a deactivated organization is counted, and cleared in several requests", async () => {
  const post = async (path, request) => {
    const { status, body } = await server.call("operatorKey", "POST", path, request);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const { id } = await post("/organization/create", { name: "Gnu", slug: "gnu" });
  const { key } = await post("/key/create",
    { organizationId: id, userId: 1, scopes: ["allowlist"], expiresInSeconds: 3600 });
  const contents = [1, 2, 3].map((index) => `https://gnu-${index}.example.com`);
  const added = await fetch(`${server.address}/api/v2/organization/assets`, {
    method: "POST", headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ assets: contents.map((content) => ({ content })) }),
  });
  assert.equal(added.status, 200);
  await post("/asset/setStatus", { content: contents[0], status: "ALLOWED" });
  await post("/organization/deactivate", { id });
  const statuses = () => Promise.all(contents.map(async (content) =>
    (await server.call("key", "POST", "/asset/check", { content })).body.status));

  const page = await open(browser, server, `#/users?tab=organizations&id=${id}`);
  const detail = page.getByRole("region", { name: "Detail" });
  const form = page.getByRole("form");
  let go = () => {};
  const held = new Promise((resolve) => { go = resolve; });
  await page.route("**/operator/allowlist/clear", async (route) => { // the first request leaves the real ones
    const { cursor, ...body } = route.request().postDataJSON();
    if (cursor === 77) {
      await held;
      await route.continue({ postData: JSON.stringify(body) });
    } else {
      await route.fulfill({ json: { removed: 10_000, changed: 9_000, nextCursor: 77 } });
    }
  });
  await button(detail, "Clear allowlist").click();
  await form.getByText("Counting: 10,000 assets …").waitFor();
  await button(form, "Remove all for good").click();
  await form.getByText("What would be removed is not counted yet.").waitFor();
  go();
  await form.getByText("10,003 assets would be removed, and the status of 9,002 would change.").waitFor();
  await check(page, "organization-clear");
  assert.deepEqual(await statuses(), ["ALLOWED", "ALLOWED", "ALLOWED"], "a question removes nothing");
  await button(form, "Remove all for good").click();
  await detail.getByText("10,003 assets removed. The status of 9,002 has changed.").waitFor();
  assert.deepEqual(await statuses(), ["ALLOWED", "UNKNOWN", "UNKNOWN"], "an operator holds the first");
  await page.unroute("**/operator/allowlist/clear");
  await button(detail, "Clear allowlist").click();
  await form.getByText("The allowlist is empty.").waitFor();
  await close(page);
});

test("The audit is filtered by what and by whom, and read in pages", async () => {
  for (let index = 0; index < 60; index++) {
    await server.call("operatorKey", "POST", "/user/create", { fullName: `Many ${index}`, automation: true });
  }
  const page = await open(browser, server, "#/users?tab=audit");
  const lines = page.locator(".trail li");
  await lines.first().waitFor();
  assert.equal(await lines.count(), 50);
  await button(page, "Load more").click();
  await lines.nth(60).waitFor();
  await page.getByRole("link", { name: "keys", exact: true }).click();
  await page.locator(".trail li", { hasText: "Grace Colleague revoked the key Laptop that was lost" }).waitFor();
  assert.equal(await lines.filter({ hasText: "the user Many" }).count(), 0);
  await lines.getByRole("link", { name: "Grace Colleague" }).first().click();
  await page.getByRole("link", { name: "by Grace Colleague" }).waitFor();
  await waitUntil(page, async () => await lines.count() === 4, async () => `${await lines.count()} entries, not 4`);
  await page.getByRole("link", { name: "users", exact: true }).click();
  await page.getByText("No entry matches").waitFor();
  await check(page, "audit-none");
  await close(page);
});

test("Keys are searched by name, owner and fingerprint, and users by name", async () => {
  const made = await newKey("Found by its name");
  const page = await open(browser, server, "#/keys");
  const list = page.getByRole("region", { name: "List" });
  for (const text of ["found BY its", made.fingerprint]) {
    await page.getByLabel("Name, owner or fingerprint").fill(text);
    await page.keyboard.press("Enter");
    await waitUntil(page, async () => await list.locator("[data-id]").count() === 1,
      async () => `${await list.locator("[data-id]").count()} keys for ${text}`);
    await list.getByText("Found by its name").waitFor();
  }
  await page.getByLabel("Name, owner or fingerprint").fill("nobody has this");
  await page.keyboard.press("Enter");
  await page.getByText("No key matches the filters.").waitFor();
  await page.goto(`${server.address}/#/users?search=grace`);
  await page.getByText("Grace Colleague").waitFor();
  assert.equal(await list.locator("[data-id]").count(), 1);
  await close(page);
});

test("Names that are hostile stay text", async () => {
  const { page, detail } = await openKey("<img src=x onerror=alert(1)>\u202etxt");
  await detail.getByText("U+202E").first().waitFor();
  await button(detail, "Revoke").click();
  await page.getByRole("form").waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await close(page);
});

test("The views fit on a phone", async () => {
  const page = await open(browser, server, "#/keys", { width: 360 });
  for (const [name, hash, ready] of [
    ["keys", "#/keys", "Nightly crawl"], ["keys-new", "#/keys?id=new", "Rights of organizations"],
    ["users", "#/users", "Grace Colleague"], ["organizations", "#/users?tab=organizations", "zebra"],
    ["audit", "#/users?tab=audit", "the user Many 59"],
  ]) {
    await page.goto(`${server.address}/${hash}`);
    await page.getByText(ready).first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, name);
    await shot(page, `${name}-phone`);
  }
  await close(page);
});
