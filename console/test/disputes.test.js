// Disputes: what the card says before a decision, and what a decision leads to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { check, close, newPage, open, shared } from "./harness.js";
import { colleague, dispute, disputedBlock } from "./desk.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });
const detail = (page) => page.getByRole("region", { name: "Detail" });
const read = async (id) => (await server.call("operatorKey", "GET", `/dispute/get?id=${id}`)).body;
const statusOf = async (content) =>
  (await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`)).body.asset.status;
const heading = (page, id) => page.getByRole("heading", { name: new RegExp(`^Dispute #${id}\\b`) });

test("the list has the oldest undecided dispute first, in rows of 36 px with what to choose by", async () => {
  const page = await open(browser, server, "#/disputes");
  await page.locator("[data-id]").first().waitFor();
  const rows = page.locator(".item");
  const ids = await rows.evaluateAll((items) => items.map((item) => Number(item.dataset.id)));
  assert.deepEqual(ids, [2, 3, 4, 5, 6]);
  assert.deepEqual(new Set(await rows.evaluateAll((items) => items.map((item) => item.offsetHeight))), new Set([36]));
  await page.locator("[data-id='4']").getByText("Grace Colleague").waitFor();
  const end = page.locator("[data-id='2'] .tail");
  assert.equal(await end.innerText(), ".phish.example.net");
  assert.ok(await end.evaluate((element) => element.scrollWidth <= element.clientWidth), "the end of a host is cut");
  await page.locator("[data-id='2'] .kind").getByText(/^[A-Z_]+$/).waitFor();
  assert.match(await page.locator("[data-id='2']").innerText(), /^#2\s[^]*\s[A-Z_]+\s+\S+@\S+\s[^]*\d+ d$/);
  await page.getByRole("link", { name: "Undecided 5" }).waitFor();
  await page.getByRole("link", { name: "Mine 0" }).waitFor();
  await close(page);
});

for (const [text, ids] of [["WALLET-restore", ["2"]], ["phish.exam", ["2", "3", "5"]], ["acme_give", ["4"]],
  ["none-11", []]]) {
  test(`${text} is no whole asset: of the loaded disputes, those that contain it are shown`, async () => {
    const page = await open(browser, server, "#/disputes");
    await page.route("**/operator/dispute/list?*", (route) => { // pages of three
      const address = new URL(route.request().url());
      address.searchParams.set("limit", "3");
      return route.continue({ url: String(address) });
    });
    await page.getByLabel("Asset").fill(text);
    await page.getByLabel("Asset").press("Enter");
    await page.getByText(/^Of the 3 loaded disputes, .* There are more to load\.$/).waitFor();
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText(/^Of the 5 loaded disputes, those whose asset contains [^ ]+\.$/).waitFor();
    await page.getByRole("button", { name: "Load more" }).waitFor({ state: "detached" });
    assert.deepEqual(await page.locator("[data-id]").evaluateAll((rows) => rows.map((row) => row.dataset.id)), ids);
    assert.equal(await page.getByRole("alert").count(), 0);
    await check(page, "disputes-part");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await close(page);
  });
}

test("a part of an e-mail address finds those of the loaded disputes, with a part of an asset, too", async () => {
  const page = await open(browser, server, "#/disputes?email=FAN@&content=acme");
  await page.getByText("Of the 5 loaded disputes, those whose asset contains acme and whose e-mail contains FAN@.")
    .waitFor();
  const found = await page.locator("[data-id]").evaluateAll((rows) => rows.map((row) => row.dataset.id));
  assert.deepEqual(found, ["4"]);
  await close(page);
});

test("the card says the status, by what, since when, the history, and the other disputes of the asset", async () => {
  const page = await open(browser, server, "#/disputes?id=6");
  await heading(page, 6).waitFor();
  const answer = page.locator(".answer");
  assert.match(await answer.innerText(), /bad\.example\.com\s+BLOCKED\s*by itself\s*since\s*20\d\d-\d\d-\d\d/);
  assert.match(await answer.innerText(), /held by operators/);
  const facts = detail(page).locator(".facts");
  assert.match(await facts.innerText(), /unknown\s*→\s*blocked/);
  assert.match(await facts.innerText(), /It is on no organization's allowlist/);
  await facts.getByRole("link", { name: "#1" }).click();
  await heading(page, 1).waitFor();
  await close(page);
});

test("the card warns of an asset that is already allowed, and of one that stays blocked by its domain", async () => {
  const allowed = "https://acme.example.com/shop";
  const above = "https://above.bad.example.com/x";
  const set = (content, status) => server.call("operatorKey", "POST", "/asset/setStatus", { content, status });
  for (const content of [allowed, above]) {
    await set(content, "BLOCKED");
  }
  const [first, second] = [await dispute(server, allowed), await dispute(server, above)];
  await set(allowed, "ALLOWED");
  await set(above, "UNKNOWN");
  const page = await open(browser, server, `#/disputes?id=${first}`);
  await page.getByText("It is already allowed.").waitFor();
  await check(page, "dispute-allowed");
  await page.goto(`${server.address}/#/disputes?id=${second}`);
  await heading(page, second).waitFor();
  assert.match(await page.locator(".answer").innerText(), /BLOCKED\s*by its domain\s*bad\.example\.com/);
  await button(page, "Accept").click();
  const form = page.getByRole("form");
  await form.getByText("by its domain:").waitFor();
  assert.match(await form.innerText(), /A check then answers\s*BLOCKED\s*by its domain:\s*bad\.example\.com/i);
  await form.getByLabel("New status of the asset").selectOption("ALLOWED");
  await form.locator(".effect").getByText("allowed", { exact: true }).waitFor();
  await close(page);
  for (const id of [first, second]) {
    await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
  }
});

test("one click takes a dispute up, and it is mine", async () => {
  const page = await open(browser, server, "#/disputes?id=5");
  await page.getByRole("link", { name: "Mine 0" }).click();
  await page.getByText("Nothing is yours").waitFor();
  await check(page, "disputes-nothing-mine");
  await page.goBack();
  await button(page, "Take up").click();
  await page.getByText("Dispute #5: under review.").first().waitFor();
  assert.equal((await read(5)).state, "UNDER_REVIEW");
  await page.locator("[data-id='5']").getByText("Otto Operator (you)").waitFor();
  await page.getByRole("link", { name: "Mine 1" }).click();
  await page.locator("[data-id]:not([data-id='5'])").first().waitFor({ state: "detached" });
  await page.locator("[data-id='5']").waitFor();
  assert.equal(await page.locator("[data-id]").count(), 1);
  await close(page);
  await server.call("operatorKey", "POST", "/dispute/release", { id: 5 });
});

test("a rejection moves on to the next dispute, and is undone", async () => {
  const page = await open(browser, server, "#/disputes?id=2");
  await button(page, "Reject").click();
  const form = page.getByRole("form", { name: "Reject dispute #2" });
  assert.match(await form.innerText(), /The asset stays as it is:\s*blocked/i);
  await button(form, "Reject").click();
  await form.getByText(/^Reason is required/).waitFor(); // the server's own rule, before a request
  await form.getByLabel("Reason").fill("Still there.");
  await button(form, "Reject").click();
  await heading(page, 3).waitFor();
  await page.getByText("Dispute #2: rejected.").first().waitFor();
  await page.getByRole("link", { name: "Undecided 4" }).waitFor();
  assert.equal(await page.locator("[data-id='2']").count(), 0);
  await check(page, "dispute-decided");
  await button(page, "Reject").click();
  await button(page, "Still there.").click();
  assert.equal(await page.getByRole("form").getByLabel("Reason").inputValue(), "Still there.", "the last reason");
  await check(page, "dispute-reasons");
  await button(page, "Cancel").click();
  await button(page, "Undo").click();
  await heading(page, 2).waitFor();
  assert.equal((await read(2)).state, "OPEN");
  await page.locator("[data-id='2']").waitFor();
  await close(page);
});

test("an acceptance is undone with the status of the asset, and back under review", async () => {
  const { content } = await read(3);
  const held = async () => {
    const { body } = await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`);
    return body.decisions.map(({ status, reason, note }) => ({ status, reason, note }));
  };
  const blocked = { status: "BLOCKED", reason: "SCAM", note: "A copy" };
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, ...blocked });
  await server.call("operatorKey", "POST", "/dispute/startReview", { id: 3 });
  const page = await open(browser, server, "#/disputes?id=3");
  await accept(page, "ALLOWED");
  await heading(page, 4).waitFor();
  assert.equal(await statusOf(content), "ALLOWED");
  await page.keyboard.press("z");
  await page.getByText("Undone: #3 waits again.").first().waitFor();
  assert.deepEqual(await held(), [blocked]);
  assert.equal((await read(3)).state, "UNDER_REVIEW");

  await close(page);

  await server.call("operatorKey", "POST", "/asset/withdraw", { content });
  const again = await open(browser, server, "#/disputes?id=3");
  await accept(again, "ALLOWED");
  await heading(again, 4).waitFor();
  await again.keyboard.press("z");
  await again.getByText("Undone: #3 waits again.").first().waitFor();
  assert.deepEqual(await held(), [], "operators held nothing before");
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  await close(again);
});

test("an acceptance is not undone if the asset was changed meanwhile", async () => {
  const { content } = await read(3);
  const page = await open(browser, server, "#/disputes?id=3");
  await accept(page, "ALLOWED");
  await heading(page, 4).waitFor();
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "UNKNOWN" });
  await button(page, "Undo").click();
  await page.getByText("Not undone: somebody has changed the asset meanwhile.").first().waitFor();
  assert.equal((await read(3)).state, "ACCEPTED");
  assert.equal(await statusOf(content), "UNKNOWN");
  await close(page);
});

test("several disputes of one asset are decided at once, and undone at once", async () => {
  const { content } = await read(4);
  const others = [await dispute(server, content, "a@mail.example"), await dispute(server, content, "b@mail.example")];
  const all = [4, ...others];
  const states = () => Promise.all(all.map(async (id) => (await read(id)).state));
  const page = await open(browser, server, "#/disputes?id=4");
  await button(page, "Reject").click();
  await button(page, "Reject anyway").click(); // a colleague has it
  await page.getByLabel(/^Also decide #/).check();
  await page.getByRole("form").getByLabel("Reason").fill("A copy of another account.");
  await check(page, "dispute-several");
  await button(page.getByRole("form"), "Reject").click();
  await page.getByText(/^Disputes #4, #\d+, #\d+: rejected\./).first().waitFor();
  assert.deepEqual(await states(), ["REJECTED", "REJECTED", "REJECTED"]);
  for (const id of all) {
    assert.equal(await page.locator(`[data-id='${id}']`).count(), 0);
  }
  await button(page, "Undo").click();
  await page.getByText(/^Undone: /).first().waitFor();
  assert.deepEqual(await states(), ["UNDER_REVIEW", "OPEN", "OPEN"]);
  await close(page);
});

test("several disputes that were accepted at once are undone with the decision of before", async () => {
  const content = "several.undo.example.net";
  const blocked = { status: "BLOCKED", reason: "SCAM", note: "A copy of a shop", reference: "ticket/9" };
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, ...blocked });
  const ids = [await dispute(server, content, "a@mail.example"), await dispute(server, content, "b@mail.example")];
  const page = await open(browser, server, `#/disputes?id=${ids[0]}`);
  await button(page, "Accept").click();
  const form = page.getByRole("form");
  await form.getByLabel(/^Also decide #/).check();
  await form.getByLabel("Reason").fill("It is clean.");
  await button(form, "Accept").click();
  await page.locator(".said", { hasText: /^Disputes #\d+, #\d+: accepted\./ }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: /^Undo Disputes #/ }).click();
  await page.getByText(/^Undone: /).first().waitFor();
  const { body } = await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`);
  const held = body.decisions.map(({ status, reason, note, reference }) => ({ status, reason, note, reference }));
  assert.deepEqual(held, [blocked]);
  for (const id of ids) {
    assert.equal((await read(id)).state, "OPEN");
    await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
  }
  await close(page);
});

test("filters work at once, and are taken back", async () => {
  const page = await open(browser, server, "#/disputes");
  const chip = page.getByRole("link", { name: "under review", exact: true });
  await chip.click();
  await page.waitForURL(/states=UNDER_REVIEW/);
  await page.locator("[data-id='4']").waitFor();
  await chip.click();
  await page.locator("[data-id='2']").waitFor();
  await page.getByLabel("Asset").fill("BAD.example.com");
  await page.getByLabel("Asset").press("Enter");
  await page.getByRole("link", { name: "Undecided 1" }).waitFor();
  await page.locator("[data-id='2']").waitFor({ state: "detached" });
  await page.locator("[data-id='6']").waitFor();
  assert.deepEqual(await page.locator("[data-id]").evaluateAll((items) => items.map((item) => item.dataset.id)), ["6"]);
  await page.getByLabel("Asset").fill("");
  await page.getByLabel("Asset").press("Enter");
  await page.locator("[data-id='2']").waitFor();
  await close(page);
});

test("an operator needs no other key for the check of the card, which says so if lists are not asked", async () => {
  const page = await open(browser, server, "#/disputes?id=6", { keys: { operatorKey: server.keys.operatorKey } });
  await page.getByRole("heading", { name: "Dispute #6" }).waitFor();
  await page.locator(".answer").waitFor();
  assert.equal(await page.getByText("This is the status without external lists.").count(), 0);
  const refusal = { status: 403, json: { message: "Insufficient access" } };
  await page.route("**/asset/check", (route) => route.fulfill(refusal));
  await page.reload();
  await page.getByText("This is the status without external lists.").waitFor();
  assert.match(await page.locator(".answer").innerText(), /BLOCKED\s*itself/);
  await close(page);
});

test("after the last dispute, nothing is left, and the decision can still be undone", async () => {
  const page = await open(browser, server, "#/disputes?email=lawyer@bad.example.com&id=6");
  await button(page, "Reject").click();
  await page.getByRole("form").getByLabel("Reason").fill("The same shop.");
  await page.keyboard.press("Control+Enter");
  await page.getByText("All decided").waitFor();
  await check(page, "disputes-none-left");
  await button(page, "Undo").click();
  await heading(page, 6).waitFor();
  assert.equal((await read(6)).state, "OPEN");
  await close(page);
});

test("decisions can be undone in any view, but the key undoes only those of the view", async () => {
  const contents = ["undo-1.example.net", "undo-2.example.net"];
  for (const content of contents) {
    await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  }
  const [first, second] = [await dispute(server, contents[0]), await dispute(server, contents[1])];
  const page = await open(browser, server, `#/disputes?id=${first}`);
  for (const id of [first, second]) {
    await page.goto(`${server.address}/#/disputes?id=${id}`);
    await heading(page, id).waitFor();
    await button(page, "Reject").click();
    await page.getByRole("form").getByLabel("Reason").fill("Still there.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".said", { hasText: `Dispute #${id}: rejected.` }).waitFor();
    await page.keyboard.press("j"); // before the next one has loaded
  }
  await page.goto(`${server.address}/#/reports`);
  const mine = page.getByRole("region", { name: "My last decisions" });
  await mine.getByText("1 earlier").click();
  await check(page, "decisions");
  await mine.getByText(contents[0]).waitFor(); // what it was about
  await page.locator("h1").click();
  await page.keyboard.press("z");
  assert.equal(await mine.getByRole("button", { name: "Undo", exact: true }).count(), 0, "no button has the key alone");
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), `Undo Dispute #${second}: rejected.`);
  await mine.getByRole("button", { name: `Undo Dispute #${second}: rejected.` }).click();
  await heading(page, second).waitFor(); // its own view
  assert.deepEqual([(await read(first)).state, (await read(second)).state], ["REJECTED", "OPEN"]);
  await page.keyboard.press("z");
  await mine.getByRole("button", { name: `Undo Dispute #${first}: rejected.` }).click();
  await heading(page, first).waitFor();
  assert.equal((await read(first)).state, "OPEN");
  await mine.waitFor({ state: "hidden" });
  await close(page);
  for (const id of [first, second]) {
    await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
  }
});

test("Escape keeps what was typed, Cancel does not, and a reason is offered for its own kind of decision", async () => {
  const content = "kept.example.net";
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  const [id, other, last] = [await dispute(server, content), await dispute(server, content, "b@mail.example"),
    await dispute(server, content, "c@mail.example")];
  const page = await open(browser, server, `#/disputes?id=${id}`);
  await heading(page, id).waitFor();
  const reason = page.getByRole("form").getByLabel("Reason");
  await page.keyboard.press("r");
  await reason.fill("Half a sentence");
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  assert.equal(await reason.inputValue(), "Half a sentence");
  await button(page.getByRole("form"), "Cancel").click();
  await page.keyboard.press("r");
  assert.equal(await reason.inputValue(), "");
  await reason.fill("Still phishing.");
  await page.keyboard.press("Control+Enter");
  await page.locator(".said", { hasText: `Dispute #${id}: rejected.` }).waitFor();
  await page.goto(`${server.address}/#/disputes?id=${other}`);
  await heading(page, other).waitFor();
  await page.keyboard.press("a");
  await reason.waitFor();
  assert.equal(await page.getByRole("form").getByText("Still phishing.").count(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await button(page.getByRole("form"), "Still phishing.").waitFor();
  await close(page);
  for (const open of [other, last]) {
    await server.call("operatorKey", "POST", "/dispute/withdraw", { id: open });
  }
});

test("a dispute is taken up once, also by a key that is pressed before the card has changed", async () => {
  const content = "once.example.net";
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  const id = await dispute(server, content);
  const page = await open(browser, server, `#/disputes?id=${id}`);
  await heading(page, id).waitFor();
  let sent = 0;
  page.on("request", (request) => { sent += Number(request.url().endsWith("/dispute/startReview")); });
  let release;
  const wait = new Promise((resolve) => { release = resolve; });
  await page.route("**/dispute/get?*", async (route) => { await wait; await route.continue(); });
  await page.keyboard.press("t");
  await page.locator("[data-id]", { hasText: content }).getByText("(you)").waitFor(); // the list knows it already
  await page.keyboard.press("t");
  await page.keyboard.press("t");
  release();
  await button(page, "Release").waitFor();
  assert.equal(sent, 1);
  assert.equal(await page.getByText("Your action was not done.").count(), 0);
  await close(page);
  await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
});

test("reopening says that it gives no status back", async () => {
  const content = "reopened.example.net";
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED", reason: "MALWARE" });
  const id = await dispute(server, content);
  const decision = { id, state: "ACCEPTED", assetStatus: "ALLOWED", reason: "It is clean." };
  assert.equal((await server.call("operatorKey", "POST", "/dispute/resolve", decision)).status, 200);
  const page = await open(browser, server, `#/disputes?tab=closed&id=${id}`);
  await button(page, "Reopen").click();
  const form = page.getByRole("form", { name: `Reopen dispute #${id}` });
  assert.match(await form.innerText(), /The asset stays as it is:\s*allowed\s*Reopening gives no status back/i);
  await button(form, "Block it again …").click();
  const dialog = page.getByRole("dialog", { name: "Set the status of this asset" });
  await dialog.locator("[data-shown=BLOCKED]").waitFor();
  assert.equal(await dialog.getByLabel("Reason").inputValue(), "MALWARE");
  await check(page, "reopen-block-again");
  await button(dialog, "Cancel").click();
  await button(form, "Reopen").click();
  await page.locator(".said", { hasText: `Dispute #${id}: open.` }).waitFor();
  assert.equal(await statusOf(content), "ALLOWED");
  await close(page);
});

test("an accepted dispute is reopened, and its asset blocked again after one look at what that does", async () => {
  const content = "blocked-again.example.net";
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED", reason: "SCAM" });
  const id = await dispute(server, content);
  const decision = { id, state: "ACCEPTED", assetStatus: "UNKNOWN", reason: "It is clean." };
  assert.equal((await server.call("operatorKey", "POST", "/dispute/resolve", decision)).status, 200);
  const page = await open(browser, server, `#/disputes?tab=closed&id=${id}`);
  await button(page, "Reopen").click();
  const form = page.getByRole("form", { name: `Reopen dispute #${id}` });
  await button(form, "Block it again …").click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("[data-shown=BLOCKED]").waitFor();
  await button(dialog, "Set status").click();
  await form.getByText("is now").waitFor();
  assert.equal(await statusOf(content), "BLOCKED");
  await button(form, "Reopen").click();
  await page.locator(".said", { hasText: `Dispute #${id}: open.` }).waitFor();
  const { body } = await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`);
  assert.equal(body.decisions[0].reason, "SCAM");
  await close(page);
  await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
});

test("a host that lets much through is not allowed by a dispute without a confirmation", async () => {
  const content = "wide-dispute.example.net";
  for (const blocked of [content, `below.${content}`]) {
    await server.call("operatorKey", "POST", "/asset/setStatus", { content: blocked, status: "BLOCKED" });
  }
  const id = await dispute(server, content);
  const page = await open(browser, server, `#/disputes?id=${id}`);
  await button(page, "Accept").click();
  const form = page.getByRole("form");
  const tick = form.getByLabel("Allow it although that lets through what others put below it");
  assert.equal(await tick.isVisible(), false, "an unknown status lets nothing through");
  await form.getByLabel("New status of the asset").selectOption("ALLOWED");
  await tick.waitFor();
  await form.getByLabel("Reason").fill("It is clean.");
  await button(form, "Accept").click();
  await form.getByText("must be checked, because the asset is wide").waitFor();
  assert.equal((await read(id)).state, "OPEN");
  await tick.check();
  await button(form, "Accept").click();
  await page.getByText(`Dispute #${id}: accepted. The asset is now allowed.`).first().waitFor();
  assert.equal(await statusOf(content), "ALLOWED");
  await close(page);
});

/** Accepts the dispute that is open. */
async function accept(page, status) {
  await button(page, "Accept").click();
  const form = page.getByRole("form");
  await form.getByLabel("New status of the asset").selectOption(status);
  await form.getByLabel("Reason").fill("It is clean.");
  await button(form, "Accept").click();
  await page.getByText(/: accepted\./).first().waitFor();
}

test("decisions can be undone after a reload and in other tabs until a sign-out, and no text is kept", async () => {
  const contents = ["kept-1.example.net", "kept-2.example.net"];
  const ids = [];
  for (const [index, content] of contents.entries()) {
    const note = index === 0 ? null : "A note of a colleague.";
    await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED", reason: "SCAM", note });
    ids.push(await dispute(server, content, "kept@mail.example"));
  }
  const page = await open(browser, server, "#/disputes?email=kept@mail.example");
  for (const id of ids) {
    await page.locator(`[data-id='${id}']`).click();
    await heading(page, id).waitFor();
    await button(page, "Accept").click();
    await page.getByRole("form").getByLabel("Reason").fill("A reason of mine.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".said", { hasText: `Dispute #${id}: accepted.` }).waitFor();
  }
  const kept = () => page.evaluate(() => localStorage.getItem("apguard-decisions"));
  assert.doesNotMatch(await kept(), /example|colleague|reason of mine/i);
  const tab = await newPage(page.context());
  await tab.goto(`${server.address}/#/reports`);
  const mine = tab.getByRole("region", { name: "My last decisions" });
  await mine.getByText(`Dispute #${ids[1]}: accepted.`).waitFor(); // the last one first
  await mine.getByText("1 earlier").click();
  await mine.getByRole("button", { name: `Undo Dispute #${ids[0]}: accepted.` }).click();
  await heading(tab, ids[0]).waitFor();
  assert.equal((await read(ids[0])).state, "OPEN");
  const { body } = await server.call("operatorKey", "GET", `/asset/explain?content=${contents[0]}`);
  assert.deepEqual([body.asset.status, body.decisions[0].reason], ["BLOCKED", "SCAM"]);
  const first = page.getByRole("region", { name: "My last decisions" });
  await first.getByText(`Dispute #${ids[0]}`).waitFor({ state: "detached" });
  await first.getByText(`Dispute #${ids[1]}: accepted.`).waitFor();
  await mine.getByRole("button", { name: `Undo Dispute #${ids[1]}: accepted.` }).click(); // this tab knows no note
  await heading(tab, ids[1]).waitFor();
  const { body: { decisions: [held] } } =
    await server.call("operatorKey", "GET", `/asset/explain?content=${contents[1]}`);
  assert.deepEqual([held.status, held.reason, held.note], ["BLOCKED", "SCAM", "A note of a colleague."]);
  await page.goto(`${server.address}/#/disputes?id=${ids[0]}`);
  await button(page, "Reject").click();
  await page.getByRole("form").getByLabel("Reason").fill("Still there.");
  await page.keyboard.press("Control+Enter");
  await mine.getByText(`Dispute #${ids[0]}: rejected.`).waitFor();
  await page.reload();
  await first.getByText(`Dispute #${ids[0]}: rejected.`).waitFor();
  await first.getByText(contents[0]).waitFor(); // read again
  assert.equal(await first.getByRole("button", { name: "Undo", exact: true }).count(), 0, "no key undoes it");
  await tab.goto(`${server.address}/#/settings`);
  await button(tab, "Sign out").click();
  await tab.getByText("Signed out").waitFor();
  assert.equal(await kept(), null);
  assert.deepEqual(tab.faults, []);
  await tab.close();
  await close(page);
});

test("a closed dispute says who has closed it, mine can be chosen, and its address leads to the others", async () => {
  server.keys.olga = (await colleague(server, "Olga Other")).keys.operatorKey;
  const ids = [];
  for (const [index, key] of ["operatorKey", "olga"].entries()) {
    const id = await disputedBlock(server, `closed-${index}.example.net`, "closed@mail.example");
    const rejected = await server.call(key, "POST", "/dispute/resolve",
      { id, state: "REJECTED", reason: "Still there." });
    assert.equal(rejected.status, 200, JSON.stringify(rejected.body));
    ids.push(id);
  }
  const page = await open(browser, server, `#/disputes?tab=closed&id=${ids[0]}`);
  await detail(page).getByRole("link", { name: "closed@mail.example" }).click();
  await page.waitForURL(/email=closed/);
  await page.getByRole("link", { name: "Closed 2" }).waitFor();
  await page.getByRole("link", { name: "Look in Closed" }).click();
  await page.locator(`[data-id='${ids[1]}']`, { hasText: "Olga Other" }).waitFor();
  await page.locator(`[data-id='${ids[0]}']`, { hasText: "Otto Operator" }).waitFor();
  await page.getByRole("link", { name: "closed by me" }).click();
  await page.locator(`[data-id='${ids[1]}']`).waitFor({ state: "detached" });
  await page.locator(`[data-id='${ids[0]}']`).waitFor();
  await check(page, "disputes-closed-by-me");
  await close(page);
});

test("a protected asset says so beside its name, before anything is asked", async () => {
  const content = "wikipedia.org";
  const { status } = await server.call("operatorKey", "POST", "/asset/setStatus",
    { content, status: "BLOCKED", reason: "OTHER", note: "A test.", confirmProtected: true });
  assert.equal(status, 200);
  const page = await open(browser, server, `#/disputes?id=${await dispute(server, content)}`);
  await detail(page).locator(".subject").getByText("popular host", { exact: true }).waitFor();
  await check(page, "dispute-protected");
  await close(page);
});

test("an acceptance is not undone if somebody has reopened the dispute, and nothing is blocked again", async () => {
  const content = "reopened.undo.example.net";
  const id = await disputedBlock(server, content);
  const page = await open(browser, server, `#/disputes?id=${id}`);
  await accept(page, "UNKNOWN");
  const undo = button(page, "Undo");
  await undo.waitFor();
  const reopened = await server.call("operatorKey", "POST", "/dispute/reopen", { id, reason: "We look again." });
  assert.equal(reopened.status, 200);
  await undo.click();
  await page.getByText(`Not undone: #${id} changed meanwhile.`).first().waitFor();
  assert.equal(await statusOf(content), "UNKNOWN");
  await close(page);
  await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
});

test("a reason that is written outlasts a reload, and no sign-out", async () => {
  const id = await disputedBlock(server, "draft.reload.example.net");
  const page = await open(browser, server, `#/disputes?id=${id}`);
  const reason = page.getByRole("form", { name: `Reject dispute #${id}` }).getByLabel("Reason");
  await button(page, "Reject").click();
  await reason.fill("Still phishing.");
  await page.reload();
  await button(page, "Reject").click();
  assert.equal(await reason.inputValue(), "Still phishing.");
  await page.evaluate(() => { location.hash = "#/settings"; });
  await button(page, "Sign out").click();
  await page.getByText("Signed out, in all tabs").waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes("phishing")), false);
  await close(page);
  await server.call("operatorKey", "POST", "/dispute/withdraw", { id });
});
