// Several operators in one queue: each sees what the others do, and nothing moves under the hand.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessible, close, open, see, shared } from "./harness.js";
import { colleague, disputedBlock, operate } from "./desk.js";
import { waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });
const heading = (page, id) => page.getByRole("heading", { name: new RegExp(`^(Dispute|Report) #${id}\\b`) });
const row = (page, id) => page.locator(`[data-id='${id}']`);
const detail = (page) => page.getByRole("region", { name: "Detail" });

let assets = 0;
const blocked = () => disputedBlock(server, `https://live-${++assets}.example.net`);

const anna = await colleague(server, "Anna");

/** Waits until a page says above its record what somebody else has done. */
async function warned(page, text) {
  await detail(page).locator(".notice.warn").filter({ hasText: text }).waitFor();
}

/** Opens a page of Otto, and one of Anna, each in a browser of its own. */
async function both(hash) {
  return Promise.all([open(browser, server, hash), open(browser, server, hash, { keys: anna.keys })]);
}

async function reject(page, id) {
  await heading(page, id).waitFor();
  await button(page, "Reject").click();
  await page.getByRole("form").getByLabel("Reason").fill("Still there.");
  await button(page.getByRole("form"), "Reject").click();
}

/** Counts the requests of a page from now on. */
function requests(page) {
  const sent = [];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  return sent;
}

test("the list, the open record and the counts follow what a colleague does", async () => {
  const [id, other] = [await blocked(), await blocked()];
  const [otto, page] = await both(`#/disputes?id=${id}`);
  await heading(page, id).waitFor();
  await row(page, id).waitFor();
  const ids = () => page.locator("[data-id]").evaluateAll((items) => items.map((item) => Number(item.dataset.id)));
  const before = await ids();
  const undecided = before.length;
  await page.getByRole("link", { name: `Disputes ${undecided}` }).waitFor();
  await row(page, other).evaluate((item) => { item.stays = true; });
  await button(page, "Comment").focus();

  await reject(otto, id);
  await warned(page, "Otto Operator rejected this dispute.");
  await page.locator("h2 [data-value='REJECTED']").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Commentc", "the focus stays");
  await page.locator(`[data-gone] [data-id='${id}']`).waitFor();
  assert.deepEqual(await ids(), before, "what is read stays in its place");
  await page.getByRole("link", { name: `Disputes ${undecided - 1}` }).waitFor();
  await page.getByRole("link", { name: `Undecided ${undecided - 1}` }).waitFor();
  await accessible(page);
  await page.keyboard.press("j");
  await heading(page, other).waitFor();
  await row(page, id).waitFor({ state: "detached" });

  const late = await blocked();
  await row(page, late).waitFor();
  assert.equal((await ids()).at(-1), late);
  assert.equal(await row(page, other).evaluate((item) => item.stays), true, "the other rows are the same elements");
  await Promise.all([close(otto), close(page)]);
});

test("who else has a record open is shown until they go on", async () => {
  const [id, other] = [await blocked(), await blocked()];
  const [otto, page] = await both(`#/disputes?id=${id}`);
  const viewers = (place) => place.getByRole("status").filter({ hasText: /^.* (has|have) this open, too\.$/ });
  await viewers(page).getByText("Otto Operator has this open, too.").waitFor();
  await viewers(otto).getByText("Anna has this open, too.").waitFor();
  await accessible(page);
  await row(otto, other).click();
  assert.equal(await viewers(otto).count(), 0, "nobody is at the other one");
  await viewers(page).waitFor({ state: "detached" });
  const second = await open(browser, server, `#/disputes?id=${other}`, { keys: anna.keys });
  await viewers(otto).waitFor();
  await close(second);
  await viewers(otto).waitFor({ state: "detached" });
  await row(page, other).click();
  await viewers(otto).waitFor();
  await page.evaluate(() => { location.hash = "#/overview"; });
  await viewers(otto).waitFor({ state: "detached" });
  await Promise.all([close(otto), close(page)]);
});

test("what is decided stays under the pointer, and what is new above waits for a click", async () => {
  const id = await blocked();
  const page = await open(browser, server, "#/disputes?newest=true", { keys: anna.keys });
  await row(page, id).waitFor();
  await page.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  await page.getByRole("link", { name: /^Undecided \d/ }).waitFor();
  const ids = () => page.locator("[data-id]").evaluateAll((items) => items.map((item) => Number(item.dataset.id)));
  const before = await ids();
  await row(page, id).hover();
  const place = () => row(page, id).evaluate((item) => item.getBoundingClientRect().top);
  const top = await place();
  await operate(server, "/dispute/resolve", { id, state: "REJECTED", reason: "No." });
  await page.locator(`[data-gone] [data-id='${id}']`).waitFor();
  const late = await blocked();
  const news = page.getByRole("button", { name: "Show 1 new" });
  await news.waitFor();
  assert.deepEqual([await ids(), await place()], [before, top], "nothing moves");
  await news.click(); // the pointer leaves the list
  await row(page, late).waitFor();
  await row(page, id).waitFor({ state: "detached" });
  assert.deepEqual(await ids(), [late, ...before.filter((one) => one !== id)]);
  assert.equal(await news.count(), 0);

  const later = await blocked();
  await news.waitFor();
  await row(page, late).click();
  await reject(page, late);
  await page.getByText(`Dispute #${late}: rejected.`).first().waitFor();
  await news.click();
  await row(page, later).waitFor();
  assert.equal(await row(page, late).count(), 0, "what was decided meanwhile does not come back");
  await close(page);
});

test("what is being written stays when a colleague decides", async () => {
  const id = await blocked();
  const [otto, page] = await both(`#/disputes?id=${id}`);
  await button(page, "Comment").click();
  const text = page.getByLabel("Comment", { exact: true });
  await text.fill("I have asked the owner");
  await reject(otto, id);
  await warned(page, "Otto Operator rejected this dispute. What you write stays.");
  assert.equal(await text.inputValue(), "I have asked the owner");
  assert.equal(await page.evaluate(() => document.activeElement.name), "text");
  await page.locator("h2 [data-value='OPEN']").waitFor();
  await accessible(page);
  await operate(server, "/dispute/addNote", { id, text: "One more" });
  await operate(server, "/dispute/reopen", { id });
  await detail(page).locator(".changed:not([data-stamp^='REJECTED'])").waitFor();
  assert.equal(await detail(page).locator(".changed").count(), 1, "it is said once");
  await button(page, "Show the change").click();
  await detail(page).getByText("One more").waitFor();
  await button(page, "Comment").click();
  assert.equal(await text.inputValue(), "I have asked the owner", "the draft is kept");
  await button(page, "Add comment").click();
  await detail(page).getByRole("listitem").getByText("I have asked the owner").waitFor();
  await Promise.all([close(otto), close(page)]);
});

test("a dispute of a colleague says who has it, and is decided after a question", async () => {
  const id = await blocked();
  const [otto, page] = await both(`#/disputes?id=${id}`);
  await heading(page, id).waitFor();
  await button(otto, "Take up").click();
  await detail(otto).getByText("Taken up by Otto Operator (you)").waitFor();
  await button(otto, "Accept").click();
  await otto.getByRole("form", { name: `Accept dispute #${id}` }).waitFor(); // nobody asks about one's own

  await detail(page).getByText("Taken up by Otto Operator just now").waitFor();
  await row(page, id).getByText("Otto Operator just now").waitFor();
  await button(page, "Reject").click();
  const asked = page.getByRole("group", { name: "Otto Operator took it up just now. Reject anyway?" });
  await asked.waitFor();
  assert.equal(await page.getByRole("form").count(), 0);
  await accessible(page);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Rejectr", "the focus is back");
  await button(page, "Comment").click();
  assert.equal(await button(page, "Cancel").evaluate((element) => element === document.activeElement), true);
  await button(page, "Comment anyway").click();
  await page.getByRole("form", { name: `Comment on dispute #${id}` }).waitFor();
  await button(page, "Cancel").click();
  await button(page, "Reject").click();
  await button(page, "Reject anyway").click();
  await page.getByRole("form").getByLabel("Reason").fill("Otto is away.");
  await button(page.getByRole("form"), "Reject").click();
  await page.getByText(`Dispute #${id}: rejected.`).first().waitFor();
  await detail(otto).getByText("Anna rejected this dispute. What you write stays.").waitFor();
  await Promise.all([close(otto), close(page)]);
});

test("a dispute is taken over from a colleague, and is free when the colleague leaves", async () => {
  const bea = await colleague(server, "Bea");
  const id = await blocked();
  const [page, other] = await both(`#/disputes?id=${id}`);
  await button(other, "Take up").click();
  await detail(page).getByText("Taken up by Anna").waitFor();
  await button(page, "Take over").click();
  await button(page, "Take over anyway").click();
  await detail(page).getByText("Taken up by Otto Operator (you)").waitFor();
  await detail(other).getByText("Taken up by Otto Operator just now").waitFor();
  await Promise.all([close(page), close(other)]);

  const held = await blocked();
  const hers = await open(browser, server, `#/disputes?id=${held}`, { keys: bea.keys });
  await button(hers, "Take up").click();
  await detail(hers).getByText("Taken up by Bea (you)").waitFor();
  await close(hers);
  const left = await open(browser, server, `#/disputes?id=${held}`);
  await detail(left).getByText("Taken up by Bea").waitFor();
  await operate(server, "/user/deactivate", { id: bea.id });
  await left.locator("h2 [data-value='OPEN']").waitFor();
  await detail(left).getByText("The reviewer was deactivated").waitFor();
  await button(left, "Take up").waitFor();
  await close(left);
});

test("reports follow, also a review after which the status is the same", async () => {
  const { status, body } = await server.call("key", "POST", "/report/create", {
    title: "Three shops", proposals: [1, 2, 3].map((n) =>
      ({ content: `live-shop-${n}.example.net`, proposedStatus: "BLOCKED" })),
  });
  assert.equal(status, 200);
  const { id } = body;
  const page = await open(browser, server, `#/reports?id=${id}&status=ALL`, { keys: anna.keys });
  await page.context().route("**/operator/queues?*", (route) => // a wait ends soon without news
    route.continue({ url: route.request().url().replace("wait=25", "wait=1") }));
  await heading(page, id).waitFor();
  const reportNow = async () => (await server.call("operatorKey", "GET", `/report/get?id=${id}`)).body;
  const { proposals } = await reportNow();
  const review = (n) => operate(server, "/report/review",
    { proposalId: proposals[n].id, reviewStatus: "REJECT", comment: "", ifReview: null });
  await review(0);
  await warned(page, "Otto Operator rejected a proposal of this report.");
  await detail(page).getByText("Rejected", { exact: true }).waitFor();
  await row(page, id).getByText("1 of 3").waitFor();
  await button(detail(page).locator(".proposal").nth(2), "Reject live-shop-3.example.net").click();
  const comment = page.getByRole("form").getByLabel(/^Comment/);
  await comment.fill("A real shop");
  await review(1);
  await warned(page, "Otto Operator rejected a proposal of this report. What you write stays.");
  await row(page, id).getByText("2 of 3").waitFor();
  assert.equal(await comment.inputValue(), "A real shop");
  await button(page, "Show the change").click();
  await detail(page).locator(".changed").waitFor({ state: "detached" });
  await operate(server, "/report/withdraw",
    { reviewId: (await reportNow()).proposals[1].reviewId, reason: "", ifReview: null });
  await warned(page, "A review of this report was withdrawn.");
  await close(page);
});

test("what a colleague has done to a dispute is said", async () => {
  const id = await blocked();
  const page = await open(browser, server, `#/disputes?id=${id}`, { keys: anna.keys });
  await page.context().route("**/operator/queues?*", (route) => // a wait ends soon without news
    route.continue({ url: route.request().url().replace("wait=25", "wait=1") }));
  await heading(page, id).waitFor();
  await row(page, id).waitFor();
  for (const [path, body, what] of [
    ["startReview", {}, "took up"], ["addNote", { text: "Seen" }, "commented on"], ["release", {}, "released"],
    ["resolve", { state: "ACCEPTED", assetStatus: "UNKNOWN", reason: "Clean." }, "accepted"],
    ["reopen", {}, "reopened"], ["withdraw", {}, "withdrew"],
  ]) {
    await operate(server, `/dispute/${path}`, { id, ...body });
    await warned(page, `Otto Operator ${what} this dispute.`);
  }
  await close(page);
});

test("a page that nobody sees, or after a sign-out, asks for nothing", async () => {
  const [hidden, page] = await both("#/disputes");
  const gone = await open(browser, server, "#/settings");
  await Promise.all([hidden, page].map((one) => one.locator("[data-id]").first().waitFor()));
  await gone.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  await button(gone, "Sign out").click();
  await gone.getByRole("link", { name: "Disputes", exact: true }).waitFor(); // without a count
  await see(hidden, false);
  const sent = [requests(hidden), requests(gone)];
  const id = await blocked();
  await row(page, id).waitFor();
  await operate(server, "/dispute/resolve", { id, state: "REJECTED", reason: "No." });
  await row(page, id).waitFor({ state: "detached" });
  assert.deepEqual(sent, [[], []]);
  const late = await blocked();
  await see(hidden, true);
  await row(hidden, late).waitFor();
  await Promise.all([hidden, page, gone].map(close));
});

test("a page that nobody uses for an hour asks for nothing until somebody does", async () => {
  const [page, other] = await both("#/disputes");
  await Promise.all([page, other].map((one) => one.locator("[data-id]").first().waitFor()));
  await page.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  await page.clock.setFixedTime(Date.now() + 2 * 60 * 60_000);
  const first = await blocked(); // ends the request that waits
  await row(page, first).waitFor();
  const sent = requests(page);
  const second = await blocked();
  await row(other, second).waitFor();
  assert.ok(!sent.includes("/operator/queues"));
  await page.keyboard.press("Shift");
  await row(page, second).waitFor();
  await Promise.all([close(page), close(other)]);
});

/** Opens a page for which a minute is 60 ms, and which keeps its pauses. */
async function hurried(hash, keys = server.keys) {
  const page = await open(browser, server, "#/check", { keys });
  await page.addInitScript(() => {
    const { setTimeout } = globalThis;
    globalThis.pauses = [];
    globalThis.setTimeout = (act, delay, ...more) => {
      globalThis.pauses.push(delay);
      return setTimeout(act, delay / 1000, ...more);
    };
  });
  await page.goto(`${server.address}/${hash}`);
  await page.reload();
  return page;
}

/** Lets the server be out of reach of a page, which notices it at once, or in reach again. */
async function away(page, isAway) {
  await see(page, false); // ends the request that waits
  await page.context().setOffline(isAway);
  await see(page, true);
}

test("it says since when the server is away, and tries once what has failed meanwhile", async () => {
  const [first, second] = [await blocked(), await blocked()];
  const page = await hurried("#/disputes");
  await row(page, second).waitFor();
  await page.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  let tries = 0;
  await page.route(`**/operator/dispute/get?id=${second}`, (route) => ++tries < 3 ? route.abort() : route.continue());
  const said = page.locator("#top [role=status]");
  assert.equal(await said.innerText(), "");
  await away(page, true);
  await said.getByText(/^No connection since \d\d:\d\d$/).waitFor();
  await accessible(page);
  await row(page, second).click();
  await detail(page).getByText("The server cannot be reached").waitFor();
  await page.context().setOffline(false);
  await waitUntil(page, () => tries === 2, () => `${tries} tries`);
  await row(page, await blocked()).waitFor();
  assert.equal(tries, 2, "it is tried once");
  assert.equal(await said.innerText(), "");
  await button(detail(page), "Try again").click();
  await heading(page, second).waitFor();

  await away(page, true);
  await said.getByText("No connection since").waitFor();
  await row(page, first).click();
  await button(detail(page), "Try again").waitFor();
  await page.context().setOffline(false);
  await heading(page, first).waitFor();
  await close(page);
});

test("the changelog does not claim to follow a server that is away", async () => {
  const page = await hurried("#/changelog");
  const live = page.locator(".follow .chip");
  await live.getByText("follows live").waitFor();
  await page.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  await away(page, true);
  await live.getByText("waits for the server").waitFor();
  assert.equal(await page.locator(".chip.live").count(), 0, "without the green dot");
  await page.context().setOffline(false);
  await page.locator(".chip.live").getByText("follows live").waitFor();
  await close(page);
});

test("it backs off while the server is away, and goes on", async () => {
  const page = await hurried("#/disputes", anna.keys);
  await page.locator("[data-id]").first().waitFor();
  await page.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  await see(page, false); // ends the request that waits
  await page.context().setOffline(true);
  await page.evaluate(() => { globalThis.pauses = []; });
  await see(page, true);
  const pauses = () => page.evaluate(() => globalThis.pauses);
  await waitUntil(page, async () => (await pauses()).length >= 9, async () => `only ${await pauses()}`);
  assert.deepEqual((await pauses()).slice(0, 9), [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  assert.deepEqual(await page.locator("[role=alert]:not(:empty), .notice.error").allInnerTexts(), []);
  const late = await blocked();
  await page.context().setOffline(false);
  await row(page, late).waitFor();
  await close(page);
});
