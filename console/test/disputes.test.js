// Disputes: what the card says before a decision, and what a decision leads to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { check, close, open, shared } from "./harness.js";
import { dispute } from "./desk.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });
const detail = (page) => page.getByRole("region", { name: "Detail" });
const read = async (id) => (await server.call("operatorKey", "GET", `/dispute/get?id=${id}`)).body;
const statusOf = async (content) =>
  (await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`)).body.asset.status;
const heading = (page, id) => page.getByRole("heading", { name: new RegExp(`^Dispute #${id}\\b`) });

test("the list has the oldest undecided dispute first, in rows of 44 px with age and reviewer", async () => {
  const page = await open(browser, server, "#/disputes");
  await page.locator("[data-id]").first().waitFor();
  const rows = page.locator(".item");
  const ids = await rows.evaluateAll((items) => items.map((item) => Number(item.dataset.id)));
  assert.deepEqual(ids, [2, 3, 4, 5, 6]);
  assert.deepEqual(new Set(await rows.evaluateAll((items) => items.map((item) => item.offsetHeight))), new Set([44]));
  await page.locator("[data-id='4']").getByText("Grace Colleague").waitFor();
  assert.match(await page.locator("[data-id='2']").innerText(), /\d+ d$/);
  await page.getByRole("link", { name: "Undecided 5" }).waitFor();
  await page.getByRole("link", { name: "Closed 1" }).waitFor();
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

test("without the key of an organization, the card says that lists are not asked", async () => {
  const page = await open(browser, server, "#/disputes?id=6", { keys: { operatorKey: server.keys.operatorKey } });
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

/** Accepts the dispute that is open. */
async function accept(page, status) {
  await button(page, "Accept").click();
  const form = page.getByRole("form");
  await form.getByLabel("New status of the asset").selectOption(status);
  await form.getByLabel("Reason").fill("It is clean.");
  await button(form, "Accept").click();
  await page.getByText(/: accepted\./).first().waitFor();
}
