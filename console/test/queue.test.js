// The next record of a queue is there at once, and until it is, nothing of the last one can be used.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessible, close, open, see, shared } from "./harness.js";
import { dispute } from "./desk.js";
import { waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const reads = /\/(operator|api\/v2)\/(dispute|report|asset)\/(get|explain|history|check)\b/;
const heading = (page, id) => page.getByRole("heading", { name: new RegExp(`^(Dispute|Report) #${id}\\b`) });
const detail = (page) => page.getByRole("region", { name: "Detail" });
const button = (place, name) => place.getByRole("button", { name, exact: true });
const row = (page, id) => page.locator(`[data-id='${id}']`);
const operate = async (path, body) => {
  const { status, body: answer } = await server.call("operatorKey", "POST", path, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
};
const hasFocus = (locator) => locator.evaluate((element) => element === document.activeElement);
const stateOf = async (id) => (await server.call("operatorKey", "GET", `/dispute/get?id=${id}`)).body.state;

let assets = 0;

/** Files disputes of assets that are blocked. Returns their IDs, and an address whose list has only these. */
async function filed(many) {
  const email = `queue-${++assets}@mail.example`;
  const ids = [];
  for (let index = 0; index < many; index++) {
    const content = `queue-${++assets}.example.net`;
    await operate("/asset/setStatus", { content, status: "BLOCKED" });
    ids.push(await dispute(server, content, email));
  }
  return { ids, hash: `#/disputes?email=${encodeURIComponent(email)}` };
}

/** Holds what a page reads of records until it is let go. */
async function held(page) {
  const routes = [];
  let holds = true;
  await page.route(reads, (route) => (holds ? routes.push(route) : route.continue()));
  return () => {
    holds = false;
    return Promise.all(routes.map((route) => route.continue()));
  };
}

/** Follows what a page reads. The result waits until a dispute was read, and all that is known of its asset. */
function followReads(page) {
  const read = [];
  page.on("requestfinished", (request) => {
    read.push(decodeURIComponent(request.url()) + (request.postData() ?? ""));
  });
  return async (id, times = 1) => {
    const { content } = (await server.call("operatorKey", "GET", `/dispute/get?id=${id}`)).body;
    const many = (...parts) => read.filter((one) => parts.every((part) => one.includes(part))).length;
    const isRead = () => many(`/dispute/get?id=${id}`) > 0
      && ["/explain", "/history", "/check"].every((part) => many(`/asset${part}`, content) >= times);
    await waitUntil(page, isRead, () => `dispute ${id} is not read: ${read.join(" ")}`);
  };
}

/** Opens the first of some disputes, and waits until the second is read ahead. */
async function opened(hash, [first, second], times) {
  const page = await open(browser, server, hash);
  const wholly = followReads(page);
  await row(page, first).click();
  await heading(page, first).waitFor();
  await wholly(second, times);
  return page;
}

/** Rejects the dispute that is open. */
async function reject(page, id) {
  await button(detail(page), "Reject").click();
  const form = page.getByRole("form", { name: `Reject dispute #${id}` });
  await form.getByLabel("Reason").fill("Still there.");
  await button(form, "Reject").click();
}

test("a record that was read ahead is shown without an answer of the server", async () => {
  const { ids: [first, second, third], hash } = await filed(3);
  const page = await opened(hash, [first, second]);
  const letGo = await held(page);
  await reject(page, first);
  await heading(page, second).waitFor();
  await page.locator(".answer").waitFor();
  assert.ok(await hasFocus(detail(page)), "the focus is on the pane");
  await page.keyboard.press("j");
  await row(page, third).and(page.locator("[aria-current]")).waitFor();
  assert.equal(await heading(page, third).count(), 0, "one only is read ahead");
  await letGo();
  await heading(page, third).waitFor();
  await close(page);
});

test("until a record is read, its row is shown, and no key decides anything", async () => {
  const { ids: [first, second], hash } = await filed(2);
  const page = await open(browser, server, hash);
  await row(page, first).waitFor();
  const letGo = await held(page);
  await row(page, first).click();
  await detail(page).getByText(`#${first}`).waitFor();
  await accessible(page);
  await page.keyboard.press("j");
  await detail(page).getByText(`#${second}`).waitFor();
  assert.match(await detail(page).innerText(), /queue-\d+\.example\.net/);
  for (const key of ["t", "a", "r", "c"]) {
    await page.keyboard.press(key);
  }
  assert.equal(await page.getByRole("form").count(), 0);
  await letGo();
  await heading(page, second).waitFor();
  assert.deepEqual([await stateOf(first), await stateOf(second)], ["OPEN", "OPEN"]);
  assert.equal(await page.getByRole("form").count(), 0);
  await close(page);
});

test("what is typed before a record is there, or in a question, is no command", async () => {
  const { ids: [first, second], hash } = await filed(2);
  const page = await open(browser, server, hash);
  await row(page, first).waitFor();
  const letGo = await held(page);
  await row(page, first).click();
  await page.keyboard.press("j");
  await detail(page).getByText(`#${second}`).waitFor();
  await page.keyboard.press("r"); // there is no button yet
  const shown = letGo();
  for (const letter of "still a trap, that takes a key at each attempt") {
    await page.keyboard.press(letter);
    await page.waitForTimeout(30);
  }
  await shown;
  await heading(page, second).waitFor();
  assert.equal(await page.getByRole("form").count(), 0);
  assert.deepEqual([await stateOf(first), await stateOf(second)], ["OPEN", "OPEN"]);

  const { id } = await operate("/user/create", { fullName: "Grace Colleague" });
  await operate("/dispute/startReview", { id: second, assigneeId: id });
  await page.reload();
  await heading(page, second).waitFor();
  const question = page.getByRole("group", { name: /Reject anyway\?$/ });
  await page.keyboard.press("r");
  await question.waitFor();
  await page.keyboard.type("kit at", { delay: 20 });
  await question.waitFor();
  assert.equal(await page.getByRole("form").count(), 0);
  assert.equal(await stateOf(first), "OPEN");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await detail(page).getByRole("button", { name: "Reject" }).click();
  await question.waitFor();
  await page.keyboard.press("Control+Enter"); // confirms it, as it does everywhere
  await page.getByRole("form", { name: `Reject dispute #${second}` }).waitFor();
  assert.equal(await stateOf(second), "UNDER_REVIEW");
  await close(page);
});

test("while the next page of the list is read, what was decided is dimmed, and no key reaches it", async () => {
  const ids = [];
  for (const name of ["a", "b"]) {
    const { body } = await server.call("key", "POST", "/report/create", {
      title: `Paged ${name}`, proposals: [{ content: `paged-${name}.example.net`, proposedStatus: "BLOCKED" }],
    });
    ids.push(body.id);
  }
  const page = await open(browser, server, "#/settings");
  let list;
  let holds = false;
  await page.route("**/report/list?*", (route) => {
    const address = route.request().url();
    if (address.includes("limit=")) {
      return route.continue(); // a tab is counted
    }
    const go = () => route.continue({ url: `${address}&limit=1` });
    if (!holds) {
      return go();
    }
    list = go;
  });
  await page.evaluate(() => { location.hash = "#/reports?searchQuery=Paged"; });
  await row(page, ids[0]).click();
  await heading(page, ids[0]).waitFor();
  await page.getByRole("button", { name: "Load more" }).waitFor();
  await see(page, false); // the list is read for the next record only
  holds = true;
  await page.keyboard.press("r");
  await page.keyboard.press("Control+Enter");
  await page.locator(".detail [inert]").waitFor();
  await heading(page, ids[0]).waitFor();
  assert.equal(await detail(page).getAttribute("aria-busy"), "true");
  assert.ok(await hasFocus(detail(page)), "the focus is on the pane");
  await accessible(page);
  await page.keyboard.press("e");
  assert.equal(await page.getByRole("form").count(), 0);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  assert.equal(await page.getByRole("option", { name: /^Escalate/ }).count(), 0, "no command is about it");
  await page.keyboard.press("Escape");
  await waitUntil(page, () => list, () => "the list is not read");
  await list();
  await heading(page, ids[1]).waitFor();
  assert.equal(await page.locator("[inert]").count(), 0);
  await close(page);
});

test("what was read ahead and has not changed is not drawn again", async () => {
  const { ids: [first, second], hash } = await filed(2);
  const page = await opened(hash, [first, second]);
  await page.evaluate(() => {
    const { json } = Response.prototype;
    globalThis.parsed = [];
    Response.prototype.json = async function () {
      const body = await json.call(this);
      globalThis.parsed.push(this.url);
      return body;
    };
  });
  const letGo = await held(page);
  await reject(page, first);
  await heading(page, second).waitFor();
  await page.locator(".answer").evaluate((answer) => { answer.stays = true; });
  await letGo();
  const compared = () => page.evaluate((parts) => parts.every((part) =>
    globalThis.parsed.some((url) => url.includes(part))), ["/dispute/get", "/explain", "/history", "/check"]);
  await waitUntil(page, compared, () => "nothing is read again");
  assert.equal(await page.locator(".answer").evaluate((answer) => answer.stays), true);
  await close(page);
});

test("what a colleague has done to a record that was read ahead is shown with it", async () => {
  const { ids: [first, second], hash } = await filed(2);
  const page = await opened(hash, [first, second]);
  await see(page, false); // what others do is not followed
  await operate("/dispute/startReview", { id: second });
  const letGo = await held(page);
  await reject(page, first);
  await heading(page, second).waitFor();
  await button(page, "Comment").click();
  await page.getByLabel("Comment", { exact: true }).fill("I look at it.");
  await letGo();
  await detail(page).getByText("Otto Operator (you) took up this dispute. What you write stays.").waitFor();
  await button(page, "Show the change").click();
  await detail(page).getByText("Taken up by Otto Operator (you)").waitFor();
  await close(page);
});

test("a record that a colleague has changed is read ahead again, and one that is decided is not opened", async () => {
  const { ids: [first, second, third], hash } = await filed(3);
  const page = await opened(hash, [first, second]);
  await page.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  const again = page.waitForResponse((response) => response.url().includes(`/dispute/get?id=${second}`));
  await operate("/dispute/startReview", { id: second });
  await again;
  const other = page.waitForResponse((response) => response.url().includes(`/dispute/get?id=${third}`));
  await operate("/dispute/resolve", { id: second, state: "REJECTED", reason: "No." });
  await other;
  await reject(page, first);
  await heading(page, third).waitFor();
  await close(page);
});

test("one's own decision counts for what was read ahead of it", async () => {
  const content = `queue-${++assets}.example.net`;
  await operate("/asset/setStatus", { content, status: "BLOCKED" });
  const ids = [await dispute(server, content, "a@mail.example"), await dispute(server, content, "b@mail.example")];
  const page = await opened(`#/disputes?content=${content}`, ids, 2);
  await button(detail(page), "Accept").click();
  const form = page.getByRole("form");
  await form.getByLabel("New status of the asset").selectOption("ALLOWED");
  await form.getByLabel("Reason").fill("It is clean.");
  await button(form, "Accept").click();
  await heading(page, ids[1]).waitFor();
  await detail(page).getByText("It is already allowed.").waitFor();
  await close(page);
});

test("a reply about a record that was left does not take the place of the open one", async () => {
  const { ids: [first, second], hash } = await filed(2);
  const page = await opened(hash, [first, second]);
  let go;
  await page.route("**/dispute/startReview", (route) => { go = () => route.continue(); });
  await page.keyboard.press("t");
  await waitUntil(page, () => go, () => "nothing is sent");
  await page.keyboard.press("j");
  await heading(page, second).waitFor();
  await go();
  await row(page, first).getByText("Otto Operator (you)").waitFor();
  await heading(page, second).waitFor();
  assert.equal(await heading(page, first).count(), 0);
  await close(page);
});

test("what is done after its view was left does not change the address", async () => {
  const { ids: [first, second], hash } = await filed(2);
  const page = await open(browser, server, hash);
  await row(page, second).waitFor();
  await row(page, first).click();
  await heading(page, first).waitFor();
  let go;
  await page.route("**/dispute/resolve", (route) => { go = () => route.continue(); });
  const decided = reject(page, first);
  await waitUntil(page, () => go, () => "nothing is sent");
  await page.getByRole("navigation").getByRole("link", { name: "Reports" }).click();
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
  await Promise.all([page.waitForResponse("**/dispute/resolve"), go(), decided]);
  await page.locator("[aria-live]").getByText(`#${first}`).first().waitFor({ state: "attached" });
  assert.match(page.url(), /#\/reports$/);
  await close(page);
});

test("a tab that nobody sees reads nothing ahead", async () => {
  const { ids: [first], hash } = await filed(2);
  const page = await open(browser, server, hash);
  await row(page, first).waitFor();
  const sent = [];
  page.on("request", (request) => { sent.push(request.url()); });
  await see(page, false);
  await row(page, first).click();
  await heading(page, first).waitFor();
  await page.evaluate(() => new Promise(requestIdleCallback));
  assert.equal(sent.filter((url) => url.includes("/dispute/get?")).length, 1, sent.join("\n"));
  await close(page);
});

test("600 ms from the server, the pane is never blank, and a record that was read ahead has no outline", async (t) => {
  const { ids, hash } = await filed(5);
  const page = await open(browser, server, hash);
  const wholly = followReads(page);
  await row(page, ids[0]).click();
  await heading(page, ids[0]).waitFor();
  const network = await page.context().newCDPSession(page);
  await network.send("Network.emulateNetworkConditions",
    { offline: false, latency: 600, downloadThroughput: -1, uploadThroughput: -1 });
  await page.evaluate(() => {
    const pane = document.querySelector(".detail");
    const look = () => {
      const text = pane.innerText.trim();
      const outline = pane.querySelector(".waiting") !== null;
      globalThis.seen.push({ shows: /#(\d+)/.exec(text)?.[1] ?? text.slice(0, 40), outline });
      requestAnimationFrame(look);
    };
    globalThis.seen = [];
    look();
  });
  for (const [index, id] of ids.slice(0, -1).entries()) {
    if (index > 0 && index < 3) { // there is time for the next one
      await wholly(ids[index + 1]);
    }
    await reject(page, id);
    await heading(page, ids[index + 1]).waitFor();
  }
  const seen = await page.evaluate(() => globalThis.seen);
  assert.deepEqual(seen.filter(({ shows }) => shows === ""), [], "blank frames");
  const outlined = new Set(seen.filter(({ outline }) => outline).map(({ shows }) => Number(shows)));
  t.diagnostic(`${seen.length} frames, with an outline for ${[...outlined].map((id) => ids.indexOf(id))}`);
  assert.deepEqual(ids.slice(2, 4).filter((id) => outlined.has(id)), [], "records that were read ahead");
  await close(page);
});
