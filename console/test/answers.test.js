// The answer to the question that one came with: on the overview and on Check.
import assert from "node:assert/strict";
import { test } from "node:test";

import { check, close, open, shared } from "./harness.js";
import { waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const status = (page) => page.getByRole("region", { name: "Status" });

test("the overview says what waits and for how long, and leads to the oldest", async () => {
  const page = await open(browser, server, "#/overview");
  const { body: disputes } = await server.call("operatorKey", "GET",
    "/dispute/list?states=OPEN,UNDER_REVIEW&oldestFirst=true");
  const panel = page.getByRole("region", { name: "Undecided disputes" });
  await panel.getByText(/the oldest from \d+ days ago/).waitFor();
  assert.match(await panel.innerText(), new RegExp(`^Undecided disputes\\s+${disputes.disputes.length}\\s`));
  const { body: todo } = await server.call("operatorKey", "GET", "/report/list?status=TODO");
  await page.getByRole("region", { name: "Undecided reports" }).getByText(/the oldest from/).waitFor();
  assert.match(await page.getByRole("region", { name: "Undecided reports" }).innerText(),
    new RegExp(`^Undecided reports\\s+${todo.reports.length}\\s`));
  await panel.getByRole("link", { name: "Decide the oldest dispute" }).click();
  await page.getByRole("heading", { name: `Dispute #${disputes.disputes[0].id}` }).waitFor();
  await close(page);
});

test("the overview shows a change of the feed as it comes, and then among those of the day", async () => {
  const page = await open(browser, server, "#/overview");
  await page.getByText("Nothing has changed since this page was opened.").waitFor();
  const { status: set } = await server.call("operatorKey", "POST", "/asset/setStatus",
    { content: "https://overview.example.com", status: "BLOCKED" });
  assert.equal(set, 200);
  const feed = page.getByRole("region", { name: "Feed" });
  await feed.getByText("https://overview.example.com").waitFor();
  await feed.getByText(/The last change took (less than a second|\d+ s) to arrive/).waitFor();
  await feed.getByText("held by operators").waitFor();
  await page.reload();
  await page.goto(server.printed.link);
  const day = page.getByRole("region", { name: "Changes of the last day" });
  await day.getByText("https://overview.example.com").waitFor();
  assert.match(await day.innerText(), /to blocked\s+1\s/);
  await close(page);
});

test("the overview says which webhooks fail", async () => {
  await server.call("operatorKey", "POST", "/webhook/create",
    { url: "http://127.0.0.1:9/hook", events: ["asset.status_changed"] });
  const failing = async () => (await server.call("operatorKey", "GET", "/webhook/list")).body.webhooks[0].failures > 0;
  await server.call("operatorKey", "POST", "/asset/setStatus",
    { content: "https://hook.example.com", status: "BLOCKED" });
  while (!(await failing())) {
    await new Promise(setImmediate);
  }
  const page = await open(browser, server, "#/overview");
  const panel = page.getByRole("region", { name: "Webhooks" });
  await panel.getByText("1 of 1 fails", { exact: true }).waitFor();
  await panel.getByText("failing", { exact: true }).waitFor();
  await panel.getByRole("link", { name: "#1" }).click();
  await page.getByRole("heading", { name: "Webhook #1" }).waitFor();
  await close(page);
});

test("the cards of the overview stand in three columns, and one that has nothing to say has no total", async () => {
  for (const width of [1440, 1280]) {
    const page = await open(browser, server, "#/overview", { width });
    await page.getByText("No decision is due for review.").waitFor();
    const lefts = await page.getByRole("main").getByRole("region").evaluateAll((all) =>
      all.filter((card) => card.matches(".card")).map((card) => card.getBoundingClientRect().left));
    const [first, second, third] = lefts;
    assert.deepEqual(lefts, [first, second, third, third, first, second, third, first, second, third]);
    assert.equal(await page.getByRole("region", { name: "Due for review" }).locator(".total").count(), 0);
    await close(page);
  }
});

test("without keys, the overview says what it needs", async () => {
  const page = await open(browser, server, "#/overview", { keys: { key: server.keys.key } });
  await page.getByRole("region", { name: "Feed" }).getByText("The feed answers.").waitFor();
  assert.equal(await page.getByText("This needs an operator key.").count(), 8);
  await close(page);
});

test("Check answers while typing, by what and since when, and never about what was typed before", async () => {
  const page = await open(browser, server);
  await page.keyboard.type("https://login.bad.example.com/x");
  await status(page).getByRole("heading", { name: "Status BLOCKED" }).waitFor();
  await status(page).getByText("By its domain:").waitFor();
  await status(page).getByText(/^Since \d{4}-\d\d-\d\d \d\d:\d\d, \d+ days ago\.$/).waitFor();
  assert.equal(new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("content"),
    "https://login.bad.example.com/x", "the answer has an address");
  const held = [];
  await page.route("**/asset/check", (route) => { held.push(route); });
  await page.keyboard.type("y");
  assert.equal(await status(page).getByRole("heading").count(), 0, "the answer about the earlier text is gone");
  await status(page).getByText("Checking …").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("no asset at all");
  await page.getByRole("heading", { name: "Not recognized" }).waitFor();
  await Promise.all(held.map((route) => route.continue().catch(() => {}))); // the page has given it up
  await page.unroute("**/asset/check");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("unknown.example.org");
  await status(page).getByRole("heading", { name: "Status UNKNOWN" }).waitFor();
  await page.getByText("Nothing allows or blocks it.").waitFor();
  await close(page);
});

test("Check says since when also for a key that is no operator's", async () => {
  const page = await open(browser, server, "#/check?content=bad.example.com", { keys: { key: server.keys.key } });
  await status(page).getByText(/^Since .* days ago\.$/).waitFor();
  await page.getByRole("region", { name: "History" }).getByText("unknown").first().waitFor();
  await close(page);
});

test("Check says why and who holds it, with a note that is plain text", async () => {
  const since = /^Since \d{4}-\d\d-\d\d \d\d:\d\d, just now\.$/;
  const content = "https://reason.example.com";
  const note = "<b>Cheap</b> shoes https://x.example";
  await server.call("operatorKey", "POST", "/asset/setStatus",
    { content, status: "BLOCKED", reason: "COUNTERFEIT", note });
  const page = await open(browser, server, `#/check?content=${content}/x`, { keys: { key: server.keys.key } });
  await status(page).getByText("Counterfeits").waitFor();
  await status(page).getByText("held by operators").waitFor();
  await status(page).getByText(note, { exact: true }).waitFor();
  assert.equal(await status(page).locator("b, .why a").count(), 0, "a note is never markup");
  await status(page).getByText(since).waitFor();
  await check(page, "check-reason");

  await server.call("operatorKey", "POST", "/list/add", { name: "phantom", format: "jsonl", reason: "DRAINER" });
  await server.call("operatorKey", "POST", "/list/sync?name=phantom", { content: "https://drainer.example.com" });
  await server.call("key", "POST", "/organization/assets", { assets: [{ content: "https://vouched.example.com" }] });
  const holders = { drainer: "Wallet drainer held by list phantom", vouched: "held by organizations" };
  for (const [held, says] of Object.entries(holders)) {
    await page.goto(`${server.address}/#/check?content=https://${held}.example.com`);
    await status(page).getByText(says.slice(says.indexOf("held"))).waitFor();
    assert.ok((await status(page).innerText()).replaceAll(/\s+/g, " ").includes(says), says);
    await status(page).getByText(since).waitFor();
  }
  await close(page);
});

test("Check says since when also if the server answers from a mirror, which knows the reason alone", async () => {
  const page = await open(browser, server);
  await page.route("**/asset/check", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    Object.assign(body.match, { note: null, since: null, by: null, list: null });
    await route.fulfill({ response, json: body });
  });
  await page.keyboard.type("bad.example.com");
  await status(page).getByText(/^Since \d{4}-\d\d-\d\d \d\d:\d\d, \d+ days ago\.$/).waitFor();
  assert.equal(await status(page).getByText("held by").count(), 0);
  await close(page);
});

test("Check folds what does not decide", async () => {
  const page = await open(browser, server, "#/check?content=https://login.bad.example.com/x");
  const recognized = page.getByRole("region", { name: "Recognized" });
  await recognized.getByText("blocked: this decides").waitFor();
  assert.equal(await recognized.locator("ol.covers li:visible").count(), 1);
  await recognized.getByText(/^\d+ others$/).click();
  assert.ok(await recognized.locator("ol.covers li:visible").count() > 5);
  await close(page);
});

test("on a phone, the answer and its actions are on the first screen", async () => {
  const page = await open(browser, server, "#/check?content=https://login.bad.example.com/x", { width: 390 });
  await page.setViewportSize({ width: 390, height: 844 });
  await status(page).getByText(/^Since/).waitFor();
  for (const name of ["Dispute this", "Set a status"]) {
    const { y, height } = await page.getByRole("button", { name }).boundingBox();
    assert.ok(y + height <= 844, `${name} ends at ${y + height}`);
  }
  await close(page);
});

test("the offline list says what the server says, and follows a change", async () => {
  const page = await open(browser, server, "#/check?content=https://offline-list.example.com/x");
  const list = page.locator(".offline");
  await list.locator("summary").click();
  await list.getByText("It says what the server says.").waitFor();
  assert.match(await list.innerText(), /unknown/);
  const body = { content: "offline-list.example.com", status: "BLOCKED" };
  assert.equal((await server.call("operatorKey", "POST", "/asset/setStatus", body)).status, 200);
  const follows = /blocked\s*by\s*offline-list\.example\.com/;
  while (!follows.test(await list.innerText())) { // clients wait for a second between two requests
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await list.getByText(/ s ago\./).waitFor();
  }
  assert.match(await page.locator(".verdict .word").innerText(), /BLOCKED/);
  await check(page, "check-offline");
  await close(page);
});

test("the overview has the figures of the list: blocks, disputes, times, and lists that fail", async () => {
  const content = "https://figures.example.com";
  const block = { content, status: "BLOCKED", reason: "DRAINER" };
  await server.call("operatorKey", "POST", "/asset/setStatus", block);
  const { body: { id } } = await server.call("key", "POST", "/dispute/create",
    { content, email: "eve@figures.example" });
  await server.call("operatorKey", "POST", "/dispute/resolve",
    { id: Number(id), state: "ACCEPTED", assetStatus: "UNKNOWN", reason: "A mistake" });
  await server.call("operatorKey", "POST", "/list/add",
    { name: "broken", format: "domains", url: "http://127.0.0.1:9/list.txt", every: "1h" });
  const page = await open(browser, server);
  let figures;
  await waitUntil(page, async () => { // the server fetches the list itself
    ({ body: figures } = await server.call("operatorKey", "GET", "/figures"));
    return figures.lists.failing.length === 1;
  }, () => JSON.stringify(figures.lists));
  const month = figures.months.at(-1);
  assert.ok(month.blocks > 0 && month.disputesAccepted > 0);
  await page.getByRole("link", { name: "Overview" }).click();
  const blocks = page.getByRole("region", { name: "Blocks and accepted disputes" });
  await blocks.getByText("Wallet drainer 1, 1 ended", { exact: true }).waitFor();
  const said = await blocks.innerText();
  assert.match(said, new RegExp(`blocks since ${figures.months[0].month}, by hand or by an approved review`));
  assert.match(said, /Imports and lists do not count/);
  assert.match(said, /Disputes accepted since then: \d+, undone decisions included/);
  assert.match(await blocks.innerText(),
    new RegExp(`${month.month}\\s+${month.blocks}\\s+${month.disputesAccepted}\\s`));
  const times = page.getByRole("region", { name: "Time to a decision" });
  assert.match(await times.innerText(), new RegExp(`${month.month}\\s+${month.disputesDecided}\\s`));
  const lists = page.getByRole("region", { name: "Lists" });
  await lists.getByText("broken").waitFor();
  assert.match(await lists.innerText(), /1\s+of \d+ fails/);
  assert.match(await times.innerText(), /from a dispute to its decision, the median of .*\s+Each decision counts/);
  await server.call("operatorKey", "POST", "/list/remove", { name: "broken" });
  await close(page);
});

for (const width of [1280, 1440, 390, 320]) {
  test(`${width} px: the figures of many reasons are not cut, and a card ends at its content`, async () => {
    const page = await open(browser, server, "#/settings", { width });
    await page.route("**/operator/figures", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.months.at(-1).blocks = 4242;
      json.months.at(-1).reasons = ["PHISHING", "IMPERSONATION", "COMMAND_AND_CONTROL", "FALSE_POSITIVE"]
        .map((reason) => ({ reason, blocks: 1042, disputesAccepted: 111 }));
      await route.fulfill({ response, json });
    });
    await page.evaluate(() => { location.hash = "#/overview"; });
    const blocks = page.getByRole("region", { name: "Blocks by month" });
    await blocks.getByText("Command and control 1,042, 111 ended").waitFor();
    const { scrollWidth, clientWidth } = await blocks.evaluate((place) => (
      { scrollWidth: place.scrollWidth, clientWidth: place.clientWidth }));
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} px in ${clientWidth}`);
    const lines = await blocks.locator("li").evaluateAll((items) => items.map((item) => item.offsetTop));
    assert.equal(new Set(lines).size, 4, "one reason a line");
    await page.getByText("No decision is due for review.").waitFor();
    const empty = await page.locator(".cards > .card").filter({ hasText: "No decision is due for review." })
      .evaluate((card) => card.getBoundingClientRect().bottom - card.lastElementChild.getBoundingClientRect().bottom);
    assert.ok(empty < 40, `${empty} px are empty`);
    await check(page, `figures-${width}`);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await close(page);
  });
}
