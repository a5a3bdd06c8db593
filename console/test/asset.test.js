// The page that has everything about an asset, and the ways that lead to it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessible, check, close, open, shared } from "./harness.js";
import { dispute } from "./desk.js";
import { Keyboard, waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const operator = { operatorKey: server.keys.operatorKey };
const button = (place, name) => place.getByRole("button", { name, exact: true });
const part = (page, name) => page.getByRole("region", { name, exact: true });
const parts = ["Status", "Decisions", "Waiting for a second operator", "Reports", "Disputes", "Allowlists", "Changes",
  "At and below it"];

async function post(path, body, which = "operatorKey") {
  const answer = await server.call(which, "POST", path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}
const setStatus = (content, status, more) => post("/asset/setStatus", { content, status, ...more });
const report = (content, title = "Copies our shop") => post("/report/create",
  { title, description: "See there.", proposals: [{ content, proposedStatus: "BLOCKED" }] }, "key");

/** Opens the page of an asset, with the operator's key alone. */
const about = (content, options) =>
  open(browser, server, `#/asset?${new URLSearchParams({ content })}`, { keys: operator, ...options });

test("everything about an asset is on one page, with the operator's key alone", async () => {
  const content = "https://shop.about.example.com";
  const { id: reportId } = await report(content);
  await setStatus(content, "BLOCKED",
    {
      reason: "SCAM", note: "Sells what is not there", reference: `report/${reportId}`,
      reviewAt: "2030-01-02T00:00:00Z",
    });
  const disputeId = await dispute(server, content);
  await setStatus("https://shop.about.example.com/cart", "ALLOWED", { reason: "LEGITIMATE" });
  const page = await about("HTTPS://Shop.About.example.com:443");
  await part(page, "Status").getByText("BLOCKED").waitFor();
  await part(page, "Status").getByText("by itself").waitFor();
  const decisions = part(page, "Decisions");
  await decisions.getByText("Sells what is not there").waitFor();
  assert.match(await decisions.innerText(),
    /Operators\s+blocked\s+Scam[^]*since\s+20\d\d[^]*by\s+Otto Operator[^]*to be reviewed on\s+2030-01-02/);
  await decisions.getByRole("link", { name: `report/${reportId}` }).waitFor();
  await part(page, "Waiting for a second operator").getByText("Nothing waits for a second operator.").waitFor();
  await part(page, "Reports").getByRole("link", { name: `#${reportId}` }).waitFor();
  assert.match(await part(page, "Reports").innerText(), /to do\s+< 1 h\s+proposes\s+blocked\s+Copies our shop of Acme/);
  await part(page, "Disputes").getByText("owner@mail.example").waitFor();
  await part(page, "Allowlists").getByText("It is on no organization's allowlist.").waitFor();
  assert.match(await part(page, "Changes").innerText(),
    /unknown\s+→\s+blocked\s+manual by Otto Operator \(you\), report\//);
  const below = part(page, "At and below it");
  await below.getByRole("link", { name: `${content}/cart` }).first().waitFor();
  await check(page, "asset");
  await part(page, "Disputes").getByRole("link", { name: `#${disputeId}` }).click();
  await page.getByRole("heading", { name: new RegExp(`^Dispute #${disputeId}\\b`) }).waitFor();
  await page.locator(".answer").getByRole("link", { name: "About" }).click();
  await decisions.getByRole("link", { name: `report/${reportId}` }).click();
  await page.getByRole("heading", { name: new RegExp(`^Report #${reportId}\\b`) }).waitFor();
  await page.locator(".proposal").getByRole("link", { name: "About" }).click();
  await page.waitForURL(/#\/asset\?content=/);
  await below.getByRole("link", { name: `${content}/cart` }).first().click();
  await part(page, "Status").locator(".answer", { hasText: `${content}/cart` }).getByText("ALLOWED").waitFor();
  await close(page);
});

test("a part that fails leaves the others, and none is blank while it loads or empty without a word", async () => {
  const page = await open(browser, server, "#/settings", { keys: operator });
  let hold = () => {};
  const held = new Promise((resolve) => { hold = resolve; });
  await page.route("**/operator/asset/history?*", async (route) => {
    await held;
    await route.continue();
  });
  await page.route("**/operator/report/list?*", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.evaluate(() => { location.hash = "#/asset?content=nothing.about.example.com"; });
  for (const [name, says] of [
    ["Status", "nothing is known about it"], ["Decisions", "Neither operators nor lists hold anything on it."],
    ["Disputes", "No dispute is about it."], ["Allowlists", "It is on no organization's allowlist."],
    ["At and below it", "Nothing at or below it ever changed."], ["Reports", "Out of order"],
    ["Changes", "Loading …"],
  ]) {
    await part(page, name).getByText(says).waitFor();
  }
  await accessible(page);
  hold();
  await part(page, "Changes").getByText("Its own status never changed.").waitFor();
  await page.unroute("**/operator/report/list?*");
  await button(part(page, "Reports"), "Try again").click();
  await part(page, "Reports").getByText("No report proposes anything for it.").waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await close(page);
});

test("the reads of the page take turns, and the server refuses none", async () => {
  const page = await open(browser, server, "#/settings", { keys: operator });
  let running = 0;
  let most = 0;
  const refused = [];
  page.on("request", (request) => {
    most = Math.max(most, request.url().includes("/operator/") ? ++running : 0);
  });
  const ended = (request) => { running -= request.url().includes("/operator/") ? 1 : 0; };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  page.on("response", (response) => response.status() === 429 && refused.push(response.url()));
  await page.evaluate(() => { location.hash = "#/asset?content=bad.example.com"; });
  await part(page, "At and below it").locator("li").first().waitFor();
  await waitUntil(page, async () => await page.locator("main [aria-busy]").count() === 0, () => "it still loads");
  assert.ok(most > 0 && most <= 3, `${most} at once`);
  assert.deepEqual(refused, []);
  await close(page);
});

test("older changes come when they are asked for, and the focus stays", async () => {
  const content = "https://often.about.example.com";
  for (let i = 0; i < 25; i++) {
    await setStatus(content, i % 2 === 0 ? "BLOCKED" : "UNKNOWN");
  }
  const page = await about(content);
  const changes = part(page, "Changes");
  await button(changes, "Show more").waitFor();
  assert.equal(await changes.locator("li").count(), 20);
  const keyboard = new Keyboard(page);
  await keyboard.activate(button(changes, "Show more"));
  await waitUntil(page, async () => await changes.locator("li").count() === 25, () => "not all of them");
  const times = await changes.locator("li > time").evaluateAll((all) => all.map(({ dateTime }) => dateTime));
  assert.deepEqual(times, times.toSorted().toReversed(), "newest first");
  assert.equal(await button(changes, "Show more").count(), 0);
  await keyboard.expect(changes.locator("li").nth(20));
  await close(page);
});

test("a status is set and the decision withdrawn on the page, which then shows it, and both are undone", async () => {
  const content = "https://set.about.example.com";
  const page = await about(content);
  const status = part(page, "Status");
  await button(status, "Set a status").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").selectOption("Malware");
  await dialog.getByText("A check then answers").waitFor();
  await button(dialog, "Set status").click();
  await status.getByText("BLOCKED").waitFor();
  await part(page, "Decisions").getByText("Malware").waitFor();
  await part(page, "Changes").getByText("manual by").waitFor();
  await button(status, "Withdraw the decision").click();
  await dialog.getByText("because nothing else is held on it.").waitFor();
  assert.match(await dialog.innerText(), /It is now\s*blocked\s*and becomes\s*unknown/);
  await dialog.getByText("A check then answers").waitFor();
  await check(page, "asset-withdraw");
  await button(dialog, "Withdraw").click();
  await part(page, "Decisions").getByText("Neither operators nor lists hold anything on it.").waitFor();
  assert.equal(await button(status, "Withdraw the decision").count(), 0);
  await page.keyboard.press("z");
  await part(page, "Decisions").getByText("Malware").waitFor();
  const { body } = await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`);
  assert.equal(body.asset.status, "BLOCKED");
  await close(page);
});

test("a status that was set is undone after a reload, in another view, with the note that was there", async () => {
  const content = "https://reload.about.example.com";
  await setStatus(content, "BLOCKED", { reason: "SCAM", note: "A note of a colleague.", reference: "ticket/3" });
  const page = await about(content);
  await button(part(page, "Status"), "Set a status").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Status").selectOption("ALLOWED");
  await dialog.getByText("A check then answers").waitFor();
  await dialog.getByLabel("Reason").selectOption("False positive");
  await button(dialog, "Set status").click();
  const mine = page.getByRole("region", { name: "My last decisions" });
  await mine.getByText("Status set: allowed.").waitFor();
  assert.doesNotMatch(await page.evaluate(() => localStorage.getItem("apguard-decisions")), /colleague|ticket/);
  await page.goto(`${server.address}/#/disputes`);
  await page.reload();
  await mine.getByRole("button", { name: `Undo Status set: allowed. ${content}` }).click();
  await page.getByText(/^Undone: /).first().waitFor();
  assert.match(page.url(), /#\/disputes/, "the queue stays");
  await page.goto(`${server.address}/#/asset?${new URLSearchParams({ content })}`);
  await part(page, "Decisions").getByText("A note of a colleague.").waitFor();
  const { body } = await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`);
  const [{ status, reason, note, reference }] = body.decisions;
  assert.deepEqual([status, reason, note, reference], ["BLOCKED", "SCAM", "A note of a colleague.", "ticket/3"]);
  assert.equal(await mine.count(), 0, "nothing is left to undo");
  await close(page);
});

test("a name that looks like another one is not allowed without a confirmation", async () => {
  const page = await about("https://xn--80ak6aa92e.com/allowed");
  await button(part(page, "Status"), "Set a status").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Status").selectOption("ALLOWED");
  await dialog.getByLabel("Reason").selectOption("Legitimate");
  await dialog.getByText("Looks like apple.com, and is another name.").waitFor();
  await button(dialog, "Set status").click();
  await dialog.getByText(/must be checked, because the asset is wide or looks like another one/).waitFor();
  await dialog.getByLabel("Allow it although it looks like apple.com").check();
  await check(page, "asset-look-alike");
  await button(dialog, "Set status").click();
  await part(page, "Decisions").getByText("Legitimate").waitFor();
  await close(page);
});

test("what is typed in a dialog outlasts a reload, until it is canceled", async () => {
  const page = await about("https://typed.about.example.com");
  const note = page.getByRole("dialog").getByLabel("Note (optional)");
  await button(part(page, "Status"), "Set a status").click();
  await note.fill("A note of half an hour.");
  await page.getByRole("dialog").getByLabel("Status").selectOption("ALLOWED");
  await page.reload();
  await button(part(page, "Status"), "Set a status").click();
  await note.waitFor();
  assert.equal(await note.inputValue(), "A note of half an hour.");
  await page.locator(".effect[data-shown='ALLOWED']").waitFor();
  await button(page.getByRole("dialog"), "Cancel").click();
  await button(part(page, "Status"), "Set a status").click();
  await note.waitFor();
  assert.equal(await note.inputValue(), "");
  await close(page);
});

test("a change by a dispute has the reason for which it was accepted", async () => {
  const content = "https://reason.about.example.com";
  await setStatus(content, "BLOCKED", { reason: "SCAM" });
  const id = await dispute(server, content);
  await post("/dispute/resolve", { id, state: "ACCEPTED", assetStatus: "ALLOWED", reason: "<b>The owner wrote." });
  const page = await about(content);
  await part(page, "Changes").getByText(`dispute/${id}`).waitFor();
  await part(page, "Changes").getByText(": “<b>The owner wrote.”").waitFor();
  await close(page);
});

test("an asset that operators hold as unknown is not one of which nothing is known", async () => {
  const content = "https://held.about.example.com";
  await setStatus(content, "UNKNOWN", { reason: "FALSE_POSITIVE" });
  const page = await about(content);
  await part(page, "Status").getByText("operators hold it as unknown").waitFor();
  await close(page);
});

test("before a decision is withdrawn, the page says who decides then, and what a check answers", async () => {
  const content = "https://left.about.example.com";
  await post("/organization/assets", { assets: [{ content }] }, "key");
  await setStatus(content, "BLOCKED", { confirmProtected: true, reason: "SCAM", note: "It changed hands." });
  const page = await about(content);
  const dialog = page.getByRole("dialog");
  await button(part(page, "Status"), "Withdraw the decision").click();
  await dialog.getByText("the allowlist of Acme (#1)").waitFor();
  assert.match(await dialog.innerText(), /It is now\s*blocked\s*and becomes\s*allowed\s*by\s*the allowlist of/);
  await dialog.getByText("A check then answers").waitFor();
  await setStatus(content, "UNKNOWN");
  await button(dialog, "Withdraw").click();
  await dialog.getByText("Somebody was faster: the asset is now UNKNOWN.").waitFor();
  assert.match(await dialog.innerText(), /It is now\s*unknown\s*and becomes\s*allowed/);
  await button(dialog, "Withdraw").click();
  await part(page, "Status").getByText("ALLOWED").waitFor();
  await close(page);
});

test("a host that lets much through is allowed only after a confirmation, each time", async () => {
  const content = "wide.about.example.com";
  await setStatus(`https://${content}/login`, "BLOCKED", { reason: "PHISHING" });
  const page = await about(content);
  const status = part(page, "Status");
  await button(status, "Set a status").click();
  const dialog = page.getByRole("dialog");
  const effect = dialog.locator(".effect");
  await effect.getByText("A check then answers").waitFor();
  const tick = dialog.getByLabel("Allow it although that lets through what others put below it");
  assert.equal(await tick.count(), 0, "to block it needs none");
  await dialog.getByLabel("Status").selectOption("Allowed");
  await dialog.getByLabel("Reason").selectOption("Legitimate");
  await effect.getByText("1 BLOCKED asset is below it.").waitFor();
  await tick.check();
  await dialog.getByLabel("Status").selectOption("Unknown");
  await tick.waitFor({ state: "hidden" });
  await dialog.getByLabel("Status").selectOption("Allowed");
  await tick.waitFor();
  await button(dialog, "Set status").click();
  await dialog.locator(".issue", { hasText: "must be checked, because the asset is wide" }).waitFor();
  await check(page, "asset-wide");
  const { body } = await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`);
  assert.equal(body.asset.status, "UNKNOWN");
  await tick.check();
  await button(dialog, "Set status").click();
  await status.locator(".answer").getByText("ALLOWED").waitFor();
  await close(page);
});

test("a public suffix says that allowing it allows nothing below it", async () => {
  const page = await about("github.io");
  await part(page, "Status").getByText("public suffix", { exact: true }).waitFor();
  await button(part(page, "Status"), "Set a status").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("is a public suffix").first().waitFor();
  const reason = (name) => dialog.getByLabel("Reason").locator("option", { hasText: name })
    .evaluate((option) => option.hidden);
  assert.deepEqual([await reason("Legitimate"), await reason("Phishing")], [true, false], "nobody blocks for it");
  await dialog.getByLabel("Status").selectOption("Allowed");
  await dialog.getByText("github.io is a public suffix: this allows its own page, and nothing below it.").waitFor();
  assert.equal(await reason("Legitimate"), false);
  await close(page);
});

test("what stays allowed below a block is shown by name, and blocked, too, and all of it undone", async () => {
  const content = "except.about.example.com";
  const below = [`https://${content}/one`, `https://shop.${content}`, `https://${content}/three`];
  const assets = below.map((one) => ({ content: one }));
  assert.equal((await server.call("key", "POST", "/organization/assets", { assets })).status, 200);
  const statuses = () => Promise.all(below.map(async (one) =>
    (await post("/asset/check", { content: one }, "key")).status));
  const page = await about(content);
  await button(part(page, "Status"), "Set a status").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("A check then answers").waitFor();
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await dialog.getByLabel("Note (optional)").fill("All of the site");
  await dialog.getByLabel("Reference (optional)").fill("ticket/7");
  const tick = dialog.getByLabel("Block it although that concerns many people");
  await tick.check();
  await button(dialog, "Set status").click();
  const notice = page.locator(".notice", { hasText: "3 assets below it stay allowed." });
  const items = notice.getByRole("listitem");
  await items.nth(2).waitFor();
  assert.deepEqual((await items.allInnerTexts()).map((text) => text.split(/\s+/)),
    below.map((one) => [one, "allowed"]));
  await check(page, "asset-exceptions");
  assert.deepEqual(await statuses(), ["ALLOWED", "ALLOWED", "ALLOWED"]);
  await page.route("**/operator/asset/setStatuses", (route) => { // of which the server recognizes one no more
    const body = route.request().postDataJSON();
    body.items[2].content = "two words";
    return route.continue({ postData: JSON.stringify(body) });
  });
  await button(notice, "Block these, too").click();
  await items.nth(2).getByText("Not blocked: Invalid asset format").waitFor();
  assert.deepEqual((await items.allInnerTexts()).map((text) => text.split(/\s+/)[1]), ["blocked", "blocked", "Not"]);
  assert.equal(await button(notice, "Block these, too").count(), 0);
  assert.deepEqual(await statuses(), ["BLOCKED", "BLOCKED", "ALLOWED"]);
  const { body } = await server.call("operatorKey", "GET",
    `/asset/explain?${new URLSearchParams({ content: below[0] })}`);
  const [{ reason, note, reference }] = body.decisions.filter(({ source }) => source.kind === "OPERATOR");
  assert.deepEqual([reason, note, reference], ["PHISHING", "All of the site", "ticket/7"]);
  await button(page, "Undo").click();
  await page.getByText(/^Undone: /).first().waitFor();
  assert.deepEqual(await statuses(), ["ALLOWED", "ALLOWED", "ALLOWED"]);
  await close(page);
});

test("long and hostile texts stay text, and the page stays accessible and as wide as the window", async () => {
  const content = `https://xn--80ak6aa92e.com/${"%E2%80%AE".repeat(20)}${"<img/src=x/onerror=alert(1)>".repeat(60)}`;
  await report(content, `<script>alert(1)</script>\u202e${"wide".repeat(60)}`);
  await setStatus(content, "BLOCKED",
    { reason: "SCAM", note: `"><b>${"note".repeat(40)}`, reference: "report/7/../x" });
  await dispute(server, content, `${"long".repeat(15)}@${"mail".repeat(15)}.example`);
  for (const width of [390, 1280]) {
    const page = await about(content, { width });
    for (const name of parts) {
      await part(page, name).locator(":scope > div:not([aria-busy])").waitFor();
    }
    await part(page, "Decisions").getByText("report/7/../x").waitFor();
    assert.equal(await part(page, "Decisions").locator("a[href*='reports']").count(), 0, "no record has this name");
    assert.equal(await page.locator("main img, main script").count(), 0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, `wider than ${width}`);
    await check(page, `asset-hostile-${width}`);
    await close(page);
  }
});

test("the page of a link has the disputes and the reports of the domain that decides about it", async () => {
  await setStatus("decides.example.com", "BLOCKED", { reason: "PHISHING" });
  const disputeId = await dispute(server, "decides.example.com");
  const { id } = await report("decides.example.com");
  const page = await about("https://www.decides.example.com/login");
  await part(page, "Disputes").getByText("No dispute is about it.").waitFor();
  await part(page, "Disputes").getByRole("link", { name: `#${disputeId}` }).waitFor();
  await part(page, "Reports").getByText("About decides.example.com, which decides:").waitFor();
  await part(page, "Reports").getByRole("link", { name: `#${id}` }).waitFor();
  await check(page, "asset-decider");
  await close(page);
});

test("what is no asset is said to be none, without a request, and nothing asks for a name", async () => {
  const page = await about("two words");
  await page.getByRole("heading", { name: "Not recognized" }).waitFor();
  await page.evaluate(() => { location.hash = "#/asset"; });
  await page.getByText("What is known of a name?").waitFor();
  await accessible(page);
  await page.getByLabel("Domain, link, account or address").fill("bad.example.com");
  await page.keyboard.press("Enter");
  await part(page, "Status").getByText("BLOCKED").waitFor();
  await close(page);
});

test("a user's card says what the user decided", async () => {
  await setStatus("https://decided.about.example.com", "BLOCKED", { reference: "dispute/3" });
  const page = await open(browser, server, "#/users?search=otto", { keys: operator });
  await page.getByRole("button", { name: "Otto Operator" }).click();
  await page.getByText("What this user decided").click();
  const line = page.locator(".detail li", { hasText: "decided.about.example.com" });
  await line.getByRole("link", { name: "dispute/3" }).waitFor();
  const closed = await dispute(server, "https://decided.about.example.com");
  await post("/dispute/resolve", { id: closed, state: "REJECTED", reason: "Still there." });
  await page.getByText("Disputes that this user took up or closed").click();
  await page.locator(".detail li", { hasText: "REJECTED" }).getByRole("link", { name: `#${closed}` }).waitFor();
  await page.getByText("Reports that this user reviewed").click();
  await page.locator(".detail li", { hasText: "of Acme" }).first().getByRole("link", { name: /^#\d+$/ }).waitFor();
  await accessible(page);
  await line.getByRole("link", { name: "decided.about" }).click();
  await part(page, "Status").getByText("BLOCKED").waitFor();
  await close(page);
});

test("the changelog of a domain leads to its page, and is read only when asked for", async () => {
  const page = await open(browser, server, "#/settings", { keys: operator });
  const read = [];
  page.on("request", (request) => request.url().endsWith("/asset/changelog") && read.push(request.url()));
  await page.evaluate(() => { location.hash = "#/changelog?match=domain&content=login.bad.example.com"; });
  await page.getByRole("link", { name: "Everything about login.bad.example.com" }).click();
  await part(page, "At and below it").locator("p, li").first().waitFor();
  assert.deepEqual(read, []);
  await page.goBack();
  await button(page, "Read the whole changelog").click();
  await page.getByText("of everything under login.bad.example.com").waitFor();
  assert.equal(read.length, 1);
  await close(page);
});

test("a name in Cyrillic is shown beside what it looks like, with the status of that", async () => {
  await setStatus("cherry.com", "ALLOWED", { reason: "LEGITIMATE" });
  const name = "https://сһеггу.com"; // all but its end is Cyrillic
  const { canonical } = await post("/asset/check", { content: name }, "key");
  assert.match(canonical, /^https:\/\/xn--/);
  await setStatus(canonical, "BLOCKED", { reason: "PHISHING" });
  const page = await open(browser, server, `#/check?${new URLSearchParams({ content: name })}`);
  const notice = page.getByRole("region", { name: "Status", exact: true }).locator(".notice");
  await notice.getByText("allowed").waitFor();
  assert.equal(await notice.innerText(), "Looks like cherry.com, which is allowed");
  await page.getByRole("region", { name: "Recognized" }).getByText("looks like cherry.com").first().waitFor();
  await check(page, "look-alike");
  await notice.getByRole("link", { name: "cherry.com" }).click();
  await page.waitForURL(/#\/check\?content=cherry\.com$/);
  await page.getByRole("heading", { name: "Status ALLOWED" }).waitFor();
  assert.equal(await page.getByText(/looks like/i).count(), 0, "ASCII looks like nothing");

  await page.evaluate((content) => { location.hash = `#/asset?${new URLSearchParams({ content })}`; }, name);
  const shown = part(page, "Status").locator(".notice");
  await shown.getByText("allowed").waitFor();
  assert.equal(await shown.innerText(), "Looks like cherry.com, which is allowed");
  await check(page, "asset-look-alike");
  await shown.getByRole("link", { name: "cherry.com" }).click();
  await page.waitForURL(/#\/asset\?content=cherry\.com$/);

  await page.evaluate(() => { location.hash = "#/changelog"; });
  await page.locator(".row", { hasText: "xn--" }).getByText("looks like cherry.com").waitFor();
  await close(page);
});

test("the server is asked for what a name looks like only if there is something, and knows nothing of it", async () => {
  const page = await open(browser, server, "#/settings");
  const asked = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/asset/check")) {
      asked.push(request.postDataJSON().content);
    }
  });
  const view = (content) => page.evaluate((hash) => { location.hash = hash; },
    `#/check?${new URLSearchParams({ content })}`);
  await view("https://яндех.com");
  await page.getByRole("heading", { name: "Status UNKNOWN" }).waitFor();
  const answered = page.waitForResponse((response) => response.request().postDataJSON()?.content === "ohn.com");
  await view("https://օհո.com");
  await (await answered).finished();
  const notice = page.getByRole("region", { name: "Status", exact: true }).locator(".notice");
  await notice.waitFor();
  assert.deepEqual(asked, ["https://яндех.com", "https://օհո.com", "ohn.com"]);
  assert.equal(await notice.innerText(), "Looks like ohn.com");
  await close(page);
});
