// Ctrl K finds records: by number, by asset, by e-mail address, and by the names that the server knows.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessible, check, close, open, shared } from "./harness.js";
import { Keyboard, waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const keys = { operatorKey: server.keys.operatorKey };
const options = (page) => page.getByRole("dialog").getByRole("option");
const field = (page) => page.getByRole("combobox", { name: "Command or record" });

/** Opens the palette and types, with the operator's key alone. */
async function typed(text, use = keys) {
  const page = await open(browser, server, "#/settings", { keys: use });
  const keyboard = new Keyboard(page);
  await keyboard.press("Control+k");
  await keyboard.type(text);
  return { page, keyboard };
}

for (const text of ["#4", "4"]) {
  test(`${text} is a dispute and a report`, async () => {
    const { page, keyboard } = await typed(text);
    await options(page).filter({ hasText: "Report #4" }).waitFor();
    assert.deepEqual(await options(page).allInnerTexts(), ["Dispute #4", "Report #4"]);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Dispute #4/ }).waitFor();
    await keyboard.press("Control+k");
    await keyboard.type(text);
    await keyboard.press("ArrowDown", "Enter");
    await page.waitForURL(/#\/reports\?id=4/);
    await close(page);
  });
}

test("keys wait for what is found at once", async () => {
  const page = await open(browser, server, "#/settings", { keys });
  let load = () => {};
  const late = new Promise((resolve) => { load = resolve; });
  await page.route("**/palette-find.js", (route) => late.then(() => route.continue()));
  for (const key of ["Control+k", "#", "4", "ArrowDown", "Enter"]) {
    await page.keyboard.press(key);
  }
  load();
  await page.waitForURL(/#\/reports\?id=4/);
  await close(page);
});

for (const [text, canonical] of [
  ["HTTPS://Login.Bad.Example.com:443/x", "https://login.bad.example.com/x"],
  ["Bad.example.com", "bad.example.com"], ["hxxps://bad[.]example[.]com/x", "https://bad.example.com/x"],
  ["@acme_giveaway", "x.com/acme_giveaway"],
]) {
  test(`${text} leads to everything about it, at once`, async () => {
    const { page, keyboard } = await typed(text);
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Asset" }).waitFor();
    assert.equal(new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("content"), canonical);
    await close(page);
  });
}

test("a link leads to the disputes and the reports of what decides about it", async () => {
  const proposals = [{ content: "bad.example.com", proposedStatus: "BLOCKED" }];
  const { body: { id } } = await server.call("key", "POST", "/report/create", { title: "Again", proposals });
  const { page } = await typed("https://bad.example.com/login/now");
  const about = (record) => options(page).filter({ hasText: record }).filter({ hasText: /bad\.example\.com$/ });
  await about(`Report #${id}, to do, about`).waitFor();
  await about("Dispute #1, rejected, about").waitFor();
  await accessible(page);
  await about(`Report #${id}, to do, about`).click();
  await page.waitForURL(new RegExp(`#/reports\\?status=ALL&id=${id}$`));
  await page.getByRole("heading", { name: `Report #${id}` }).waitFor();
  await close(page);
});

test("an e-mail address leads to its disputes", async () => {
  const { page, keyboard } = await typed("owner@bad.example.com");
  await options(page).filter({ hasText: "Disputes of" }).waitFor();
  await keyboard.press("Enter");
  await page.waitForURL(/#\/disputes\?email=owner%40bad.example.com/);
  await close(page);
});

test("users and organizations are found by the server, and the choice stays while they arrive", async () => {
  const { page, keyboard } = await typed("ac");
  await options(page).filter({ hasText: "Organization" }).filter({ hasText: "Acme" }).waitFor();
  const first = await options(page).first().innerText();
  assert.equal(await page.locator("dialog [aria-selected=true]").innerText(), first);
  await check(page, "palette-found");
  await keyboard.press("ArrowUp");
  const input = field(page);
  const chosen = page.locator("dialog [aria-selected=true]");
  assert.equal(await chosen.count(), 1);
  assert.equal(await input.getAttribute("aria-activedescendant"), await chosen.getAttribute("id"));
  assert.match(await chosen.innerText(), /^Organization/);
  await page.locator("dialog [role=status]").getByText(/\d+ results?/).waitFor();
  await keyboard.press("Enter");
  await page.waitForURL(/#\/users\?tab=organizations&id=1/);
  await close(page);
});

for (const text of ["report 9", "Reports #9", "report/9"]) {
  test(`${text} is that report`, async () => {
    const { page, keyboard } = await typed(text);
    await options(page).filter({ hasText: "Report #9" }).waitFor();
    await page.locator("dialog [role=status]").getByText("1 result").waitFor(); // the server has nothing else
    assert.deepEqual(await options(page).allInnerTexts(), ["Report #9"]);
    await keyboard.press("Enter");
    await page.waitForURL(/#\/reports\?id=9/);
    await close(page);
  });
}

test("the palette opens from a filter that is being typed, and leaves it as it is", async () => {
  const page = await open(browser, server, "#/disputes", { keys });
  const keyboard = new Keyboard(page);
  const filter = page.getByLabel("Asset", { exact: true });
  await filter.click();
  await keyboard.type("wallet-rest");
  await keyboard.press("Control+k");
  await keyboard.type("report 9");
  await options(page).filter({ hasText: "Report #9" }).waitFor();
  await keyboard.press("Escape");
  assert.equal(await filter.inputValue(), "wallet-rest");
  await filter.press("Enter");
  await page.waitForURL(/#\/disputes\?content=wallet-rest/);
  await page.getByLabel("Asset", { exact: true }).fill("#4");
  await page.getByLabel("Asset", { exact: true }).press("Enter");
  await page.getByRole("heading", { name: /^Dispute #4/ }).waitFor();
  await close(page);
});

test("a part of a name leads to the disputes whose asset contains it", async () => {
  const { page, keyboard } = await typed("wallet-rest");
  await options(page).filter({ hasText: "Disputes with" }).waitFor();
  await options(page).filter({ hasText: "Reports with" }).waitFor();
  await options(page).filter({ hasText: "Disputes from an e-mail with" }).waitFor();
  await keyboard.press("Enter");
  await page.waitForURL(/#\/disputes\?content=wallet-rest/);
  await page.locator("[data-id='2']").waitFor();
  assert.equal(await page.locator("[data-id]").count(), 1);
  await close(page);
});

test("an answer about what was typed before is never shown, and a failure is said", async () => {
  const page = await open(browser, server, "#/settings", { keys });
  let answer = () => {};
  const late = new Promise((resolve) => { answer = resolve; });
  const asked = new Set();
  await page.route("**/operator/user/list?*", async (route) => {
    const query = new URL(route.request().url()).searchParams.get("searchQuery");
    asked.add(query);
    if (query === "grace") {
      await late;
    }
    await (query === "broken" ? route.fulfill({ status: 500, json: {} }) : route.continue().catch(() => {}));
  });
  await page.keyboard.press("Control+k");
  const input = field(page);
  await input.fill("grace");
  await waitUntil(page, () => asked.has("grace"), () => "nothing was asked");
  await page.getByText("Searching …").waitFor();
  await input.fill("otto");
  await options(page).filter({ hasText: "Otto Operator" }).waitFor();
  const arrived = page.waitForResponse((response) => response.url().includes("searchQuery=grace&limit"));
  answer();
  await (await arrived).finished();
  await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
  assert.equal(await options(page).filter({ hasText: "Grace" }).count(), 0);
  await input.fill("broken");
  await page.getByText("Records could not be searched.").waitFor();
  assert.equal(await options(page).count(), 0);
  assert.equal(await input.getAttribute("aria-expanded"), "false");
  assert.equal(await input.getAttribute("aria-activedescendant"), null);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await close(page);
});

test("without an operator's key, an asset leads to its check, and nobody is searched", async () => {
  const { page, keyboard } = await typed("bad.example.com", { key: server.keys.key });
  await options(page).filter({ hasText: "bad.example.com" }).waitFor();
  await page.getByText("1 result", { exact: true }).waitFor({ state: "attached" });
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Check" }).waitFor();
  await close(page);
});

/** Opens the list of shortcuts and returns its keys by what they do, by section. */
async function listed(page) {
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
  const found = await page.locator(".shortcuts").evaluateAll((sections) => {
    const text = (place, name) => place.querySelector(name).textContent;
    return Object.fromEntries(sections.map((section) => [text(section, "h3"), Object.fromEntries(
      [...section.querySelectorAll("dl > div")].map((row) => [text(row, "dd"), text(row, "dt")]))]));
  });
  await page.keyboard.press("Escape");
  return found;
}

/** Files a report of two assets, and returns its ID. */
async function twoShops() {
  const { body } = await server.call("key", "POST", "/report/create", {
    title: "Two shops", proposals: [1, 2].map((n) => ({ content: `shop-${n}.example.net`, proposedStatus: "BLOCKED" })),
  });
  return body.id;
}

for (const [view, hash, shown, keysOfView] of [
  ["Disputes", "#/disputes?id=5", "Take up", ["j", "k", "t", "a", "r", "c", "z"]],
  ["Reports", "#/reports?id=", "Approve all 2", ["j", "k", "a", "r", "s", "Shift A", "e", "z"]],
  ["Lists", "#/lists", "Add a list", ["j", "k", "n"]],
  ["Keys", "#/keys", "Create a key", ["j", "k", "n", "r", "x"]],
  ["Users", "#/users", "Create a user", ["j", "k", "n"]],
  ["Allowlist", "#/allowlist?tab=entries", "", ["e", "n"]],
]) {
  test(`? lists all keys that work in ${view}`, async () => {
    const page = await open(browser, server, hash.endsWith("id=") ? hash + await twoShops() : hash);
    if (shown !== "") {
      await page.locator("main button").filter({ hasText: shown }).waitFor();
    }
    const found = await listed(page);
    assert.deepEqual(Object.keys(found), [view, "Everywhere", "Go to"]);
    assert.deepEqual(Object.values(found[view]), keysOfView);
    const buttons = await page.locator("main [aria-keyshortcuts]").evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-keyshortcuts").replace(/^[A-Z]$/, "Shift $&")));
    assert.deepEqual(buttons.filter((key) => !keysOfView.includes(key)), []);
    await close(page);
  });
}

test("? names the view of each number, and lists no keys of other views", async () => {
  const page = await open(browser, server, "#/settings", { keys });
  const found = await listed(page);
  assert.deepEqual(Object.keys(found), ["Everywhere", "Go to"]);
  assert.deepEqual(found["Go to"], {
    Overview: "g 0", Check: "g 1", Allowlist: "g 2", Changelog: "g 3", Disputes: "g 4", Reports: "g 5", Lists: "g 6",
    Webhooks: "g 7", Keys: "g 8", Users: "g 9",
  });
  await close(page);
});

test("of several proposals, the one with the focus has commands, and the views come next", async () => {
  const page = await open(browser, server, `#/reports?id=${await twoShops()}`);
  await page.getByRole("button", { name: "Reject shop-2.example.net" }).focus();
  await page.keyboard.press("Control+k");
  await options(page).first().waitFor();
  const all = await options(page).locator(".line").allInnerTexts();
  assert.deepEqual(all.slice(0, all.indexOf("Go to Overview")), [
    ...["Approve", "Reject", "Skip", "Escalate"].map((act) => `${act} shop-2.example.net`),
    "Approve all 2", "Escalate what is undecided",
  ]);
  await options(page).filter({ hasText: "Next record" }).waitFor();
  await close(page);
});
