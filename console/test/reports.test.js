// Reports: a decided proposal shows its decision, and two operators do not decide past each other.
import assert from "node:assert/strict";
import { test } from "node:test";

import { check, close, open, see, shared } from "./harness.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name });
const read = async (id) => (await server.call("operatorKey", "GET", `/report/get?id=${id}`)).body;
const heading = (page, id) => page.getByRole("heading", { name: new RegExp(`^Report #${id}\\b`) });
const reviewed = async (id) => (await read(id)).proposals.map(({ reviewStatus }) => reviewStatus);

/** Files a report of many assets, and returns its ID. */
async function file(name, many) {
  const proposals = Array.from({ length: many }, (_, index) =>
    ({ content: `${name}-${index}.example.net`, proposedStatus: "BLOCKED" }));
  const { body } = await server.call("key", "POST", "/report/create", { title: name, proposals });
  return Number(body.id);
}

test("a decided proposal shows its decision instead of four buttons, which come back when asked for", async () => {
  const page = await open(browser, server, "#/reports?status=CLOSED&id=1");
  const proposal = page.locator(".proposal");
  await proposal.locator(".outcome").waitFor();
  assert.match(await proposal.locator(".outcome").innerText(), /Approved\s*by Otto Operator \(you\)\s*20\d\d-/);
  await page.getByText("Acme (#1)").waitFor();
  for (const name of [/^Approve/, /^Reject/, /^Skip/, /^Escalate/]) {
    assert.equal(await button(proposal, name).count(), 0);
  }
  await check(page, "report-decided");
  await button(proposal, /^Review .* again$/).click();
  await button(proposal, /^Skip/).waitFor();
  await close(page);
});

test("the last decision of a report moves on to the next one, and is undone", async () => {
  const page = await open(browser, server, "#/reports?id=4");
  const proposal = page.locator(".proposal");
  await button(proposal, /^Reject/).click();
  await proposal.getByRole("form").getByLabel("Comment").fill("No page is there.");
  await page.keyboard.press("Control+Enter");
  await heading(page, 2).waitFor();
  await page.getByText("Rejected: ").first().waitFor();
  await page.getByRole("link", { name: "To do 2" }).waitFor();
  assert.equal((await read(4)).proposals[0].reviewStatus, "REJECT");
  await check(page, "report-next");
  await button(page, "Undo").click();
  await heading(page, 4).waitFor();
  assert.equal((await read(4)).proposals[0].reviewStatus, null);
  await page.getByRole("link", { name: "To do 3" }).waitFor();
  await close(page);
});

test("a report with undecided proposals stays open, and a skipped one can still be decided", async () => {
  const page = await open(browser, server, "#/reports?id=2");
  const first = page.locator(".proposal").first();
  await button(first, /^Skip/).click();
  await button(first.getByRole("form"), "Skip").click();
  await page.getByText("Skipped: ").first().waitFor();
  await heading(page, 2).waitFor();
  await first.getByText("Skipped").waitFor();
  assert.equal(await button(page, "Undo").count(), 0, "only a decision can be withdrawn");
  await button(first, /^Approve/).waitFor();
  await close(page);
});

test("a conflict shows what the other person decided, and stores nothing", async () => {
  const page = await open(browser, server, "#/reports?id=3");
  const proposal = page.locator(".proposal").first();
  await button(proposal, /^Approve/).click();
  const { id, reviewId } = (await read(3)).proposals[0];
  const review = { proposalId: id, reviewStatus: "REJECT", comment: "It is a museum.", ifReview: reviewId };
  assert.equal((await server.call("operatorKey", "POST", "/report/review", review)).status, 200);
  await button(proposal.getByRole("form"), "Approve").click();
  await page.getByText("The review is now rejected by Otto Operator (you): “It is a museum.”").first().waitFor();
  await proposal.getByText("Rejected").waitFor();
  assert.equal((await read(3)).proposals[0].asset.status, "UNKNOWN");
  await check(page, "report-conflict");
  await close(page);
});

test("a row has the number, the title with the reason, the types, the reporter and the age in 36 px", async () => {
  const page = await open(browser, server, "#/reports?status=ALL");
  const row = page.locator("[data-id='3']");
  await row.waitFor();
  assert.equal(await row.evaluate(({ offsetHeight }) => offsetHeight), 36);
  const { title, description, reporter, proposals: [{ asset }] } = await read(3);
  const said = await row.innerText();
  for (const part of ["#3", title, description.slice(0, 20), asset.type, reporter.fullName ?? reporter.email]) {
    assert.ok(said.includes(part), `${part} in ${said}`);
  }
  await close(page);
});

test("a row has the lines of a description side by side", async () => {
  const { body } = await server.call("key", "POST", "/report/create", {
    title: "Two lines", description: "one\n\ntwo",
    proposals: [{ content: "lines.example.com", proposedStatus: "BLOCKED" }],
  });
  const page = await open(browser, server, `#/reports?id=${body.id}`);
  await page.locator(`[data-id="${body.id}"]`).getByText("Two lines · one two").waitFor();
  await close(page);
  await server.call("operatorKey", "POST", "/report/review",
    { proposalId: (await read(body.id)).proposals[0].id, reviewStatus: "REJECT", ifReview: null });
});

test("filters work at once", async () => {
  const page = await open(browser, server, "#/reports?status=ALL");
  await page.locator("[data-id='4']").waitFor();
  await page.getByRole("link", { name: "without automation" }).click();
  await page.locator("[data-id='4']").waitFor({ state: "detached" });
  await page.locator("[data-id='3']").waitFor();
  await page.getByLabel("Search").fill("drainer");
  await page.getByLabel("Search").press("Enter");
  await page.getByRole("link", { name: "All 1" }).waitFor();
  await close(page);
});

test("a search that finds nothing in a tab says in which it does", async () => {
  const id = await file("elsewhere", 1);
  const { id: proposalId } = (await read(id)).proposals[0];
  const review = { proposalId, reviewStatus: "REJECT", ifReview: null };
  assert.equal((await server.call("operatorKey", "POST", "/report/review", review)).status, 200);
  const page = await open(browser, server, "#/reports?searchQuery=elsewhere-0");
  await page.getByRole("heading", { name: "Nothing here matches" }).waitFor();
  for (const name of ["To do 0", "In progress 0", "Closed 1", "All 1"]) {
    await page.getByRole("link", { name, exact: true }).waitFor();
  }
  await check(page, "reports-none");
  await page.getByRole("link", { name: "Look in All" }).click();
  await page.locator(`[data-id='${id}']`).waitFor();
  await close(page);
});

test("a skipped proposal leaves its place to the next one, which the keys then decide", async () => {
  const id = await file("skipped", 3);
  await file("follows", 1);
  const page = await open(browser, server, `#/reports?id=${id}`);
  const chosen = page.locator(".proposal[aria-current]");
  await chosen.getByText("skipped-0.example.net").waitFor();
  await page.keyboard.press("s");
  await page.getByRole("form", { name: "Skip the proposal" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await chosen.getByText("skipped-1.example.net").waitFor();
  await page.keyboard.press("a");
  await chosen.getByRole("form", { name: "Approve the proposal" }).waitFor();
  await check(page, "report-chosen");
  await page.keyboard.press("Control+Enter");
  await chosen.getByText("skipped-2.example.net").waitFor();
  assert.deepEqual(await reviewed(id), ["SKIP", "APPROVE", null]);
  await page.keyboard.press("s");
  await page.keyboard.press("Control+Enter");
  await page.locator(".detail h2").filter({ hasNotText: `Report #${id} ` }).waitFor(); // nothing is left to look at
  await close(page);
});

test("an escalation shows in the row, and in the report with who it was, when and why", async () => {
  const id = await file("escalated", 2);
  const comment = "Is the bank itself behind this?";
  assert.equal((await server.call("operatorKey", "POST", "/report/escalate", { id, comment })).status, 200);
  const page = await open(browser, server, `#/reports?id=${id}`);
  await page.locator(".detail .notice", { hasText: comment }).waitFor();
  assert.match(await page.locator(".detail .notice").innerText(), /^Escalated by Otto Operator \(you\) just now/);
  await page.getByRole("link", { name: "escalated", exact: true }).click();
  const row = page.locator(".list [data-id]");
  await row.nth(1).waitFor({ state: "detached" }); // the list before
  await row.waitFor();
  assert.deepEqual(await row.evaluateAll((rows) => rows.map(({ dataset }) => dataset.id)), [String(id)]);
  assert.match(await row.innerText(), /escalated\s+by Otto Operator \(you\)/);
  await check(page, "report-escalated");
  await row.click();
  await button(page, "Approve all 2").click(); // so that the other tests count the same reports
  await page.getByRole("form").getByText("escalated-1").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText("2 of 2 proposals approved.").first().waitFor();
  await close(page);
});

test("a protected asset is not blocked without a word", async () => {
  const proposals = [{ content: "github.io", proposedStatus: "BLOCKED" }];
  const { body: { id } } = await server.call("key", "POST", "/report/create", { title: "All pages", proposals });
  const page = await open(browser, server, `#/reports?id=${id}`);
  await page.locator(".proposal").getByText("public suffix", { exact: true }).waitFor();
  await button(page, /^Approve/).click();
  const form = page.getByRole("form");
  const tick = form.getByLabel("Block it although that concerns many people");
  await tick.waitFor();
  await form.getByLabel("Comment (needed, because the asset is protected)").waitFor();
  await page.keyboard.press("Control+Enter");
  await form.getByText("must be checked, because the asset is protected.").waitFor(); // both are said at once
  await form.getByText("Comment is needed, because the asset is protected.").waitFor();
  await tick.check();
  await page.keyboard.press("Control+Enter");
  await form.getByText("must be checked").waitFor({ state: "detached" });
  await form.getByText("Comment is needed, because the asset is protected.").waitFor();
  assert.deepEqual(await reviewed(id), [null]);
  await form.getByRole("button", { name: "Cancel" }).click();
  await button(page, /^Reject/).click(); // so that the other tests count the same reports
  await page.keyboard.press("Control+Enter");
  await page.getByText("Rejected: ").first().waitFor();
  await close(page);
});

test("a host that lets much through is not allowed without a confirmation, alone or with others", async () => {
  const proposals = [
    { content: "wikipedia.org", proposedStatus: "ALLOWED" },
    { content: "https://narrow.example.net/page", proposedStatus: "ALLOWED" },
  ];
  const { body: { id } } = await server.call("key", "POST", "/report/create", { title: "Ours", proposals });
  const page = await open(browser, server, `#/reports?id=${id}`);
  await page.locator(".proposal").first().getByRole("button", { name: /^Approve/ }).click();
  const form = page.getByRole("form");
  const tick = form.getByLabel("Allow it although that lets through what others put below it");
  await tick.waitFor();
  await page.keyboard.press("Control+Enter");
  await form.getByText("must be checked, because the asset is wide").waitFor();
  await form.getByRole("button", { name: "Cancel" }).click();
  await button(page, "Approve all 2").click();
  await form.getByText("For everyone, at once: 1 of 2").waitFor();
  await form.getByRole("checkbox", { name: /wikipedia\.org/ }).check();
  await page.keyboard.press("Control+Enter");
  await form.getByText("Confirm each asset that concerns many people, or leave it out.").waitFor();
  assert.deepEqual(await reviewed(id), [null, null]);
  await tick.first().check();
  await form.getByLabel("Comment (optional)").waitFor(); // only a block needs one
  await page.keyboard.press("Control+Enter");
  await page.getByText("2 of 2 proposals approved.").first().waitFor();
  await close(page);
});

test("all proposals of a report are approved after one look at the effect of each, and undone", async () => {
  const below = { content: "shop.several-1.example.net", status: "ALLOWED" };
  await server.call("operatorKey", "POST", "/asset/setStatus", below);
  const id = await file("several", 7);
  const page = await open(browser, server, `#/reports?id=${id}`);
  await heading(page, id).waitFor();
  await page.keyboard.press("A");
  const form = page.getByRole("form");
  await form.getByText("1 asset is below it.").waitFor();
  await form.getByText("A check then answers").nth(6).waitFor();
  await check(page, "report-approve-all");
  await form.getByRole("checkbox", { name: /several-6/ }).uncheck();
  await page.keyboard.press("Control+Enter");
  await page.getByText(/: 6 of 6 proposals approved. several-1.example.net: 1 asset below it stays/).first().waitFor();
  await page.locator(".proposal[aria-current]").getByText("several-6.example.net").waitFor();
  assert.deepEqual(await reviewed(id), [...Array(6).fill("APPROVE"), null]);
  await page.keyboard.press("z");
  await page.getByText("6 reviews withdrawn.").first().waitFor();
  assert.deepEqual(await reviewed(id), Array(7).fill(null));
  await close(page);
});

test("many proposals have a line each, and what needs a confirmation is not approved among the others", async () => {
  await server.call("operatorKey", "POST", "/asset/setStatus", { content: "free.example.net", status: "ALLOWED" });
  const proposals = [
    ...Array.from({ length: 21 }, (_, index) => ({ content: `line-${index}.example.net`, proposedStatus: "BLOCKED" })),
    { content: "free.example.net", proposedStatus: "ALLOWED" }, { content: "mozilla.org", proposedStatus: "ALLOWED" },
  ];
  const { body: { id } } = await server.call("key", "POST", "/report/create", { title: "Many", proposals });
  const page = await open(browser, server, `#/reports?id=${id}`);
  await button(page, "Approve all 23: 21 blocked, 2 allowed").click();
  const form = page.getByRole("form");
  const lines = form.locator("li");
  await form.getByText("and 3 others").waitFor();
  assert.equal(await lines.filter({ visible: true }).count(), 20);
  await lines.first().getByText("A check then answers").waitFor();
  assert.match(await lines.first().innerText(),
    /^line-0\.example\.net\s*unknown\s*→\s*blocked\s*A check then answers/);
  await check(page, "report-approve-many");
  await form.getByText("For everyone, at once: 22 of 23").waitFor();
  const wide = form.getByRole("checkbox", { name: /mozilla\.org/ });
  await form.getByText("and 3 others").click();
  await wide.check();
  await form.getByText("For everyone, at once: 23 of 23").waitFor();
  await form.getByText("and 3 others").click();
  await page.keyboard.press("Control+Enter");
  await form.getByText("Confirm each asset that concerns many people, or leave it out.").waitFor();
  assert.match(await lines.nth(21).innerText(), /^free\.example\.net\s*stays\s*allowed/, "the others are in sight");
  const tick = lines.nth(22).getByLabel("Allow it although that lets through what others put below it");
  assert.ok(await tick.evaluate((box) => box === document.activeElement));
  assert.ok((await reviewed(id)).every((status) => status === null));
  await tick.check();
  await page.keyboard.press("Control+Enter");
  await page.getByText("23 of 23 proposals approved.").first().waitFor();
  await close(page);
});

test("the key undoes no decision that something else was done after", async () => {
  const id = await file("then", 3);
  const page = await open(browser, server, `#/reports?id=${id}`);
  await heading(page, id).waitFor();
  await page.keyboard.press("r");
  await page.getByRole("form", { name: "Reject the proposal" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.locator(".said", { hasText: `Report #${id}: ` }).waitFor();
  await page.keyboard.press("e");
  await page.getByRole("form", { name: `Escalate report #${id}` }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText(/Report #\d+: Escalated\./).first().waitFor();
  await page.keyboard.press("z");
  await page.getByText(/^Press z again to undo: Report #/).waitFor();
  assert.equal((await reviewed(id))[0], "REJECT");
  await page.keyboard.press("z");
  await page.getByText("Review withdrawn.").first().waitFor();
  await close(page);
});

test("what concerns many people is left out of an approval of all until it is confirmed", async () => {
  const proposals = [
    { content: "left-out.example.net", proposedStatus: "BLOCKED" },
    { content: "mozilla.org", proposedStatus: "BLOCKED" }, { content: "github.io", proposedStatus: "ALLOWED" },
  ];
  const { body: { id } } = await server.call("key", "POST", "/report/create", { title: "Grave", proposals });
  const page = await open(browser, server, `#/reports?id=${id}`);
  await page.locator(`[data-id='${id}']`).getByText("protected").waitFor();
  assert.match(await page.locator(`[data-id='${id}']`).innerText(), /protected\s*mozilla\.org\s*\+2/);
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("hxxps://left-out[.]example[.]net"); // the server finds canonical forms
  await search.press("Enter");
  await page.waitForURL(/searchQuery=hxxps/);
  await page.locator(`[data-id='${id}']`).waitFor();
  await search.fill("mozilla");
  await search.press("Escape");
  assert.equal(await search.inputValue(), "hxxps://left-out[.]example[.]net");
  await search.fill("left-out");
  await search.press("Enter");
  await page.waitForURL(/searchQuery=left-out/);
  await page.locator(`[data-id='${id}']`, { hasText: /protected\s*left-out\.example\.net/ }).waitFor();
  await page.keyboard.press("j");
  await heading(page, id).waitFor(); // the key was no letter of the search
  await button(page, "Approve all 3: 2 blocked, 1 allowed").click();
  const form = page.getByRole("form");
  await form.getByText("For everyone, at once: 1 of 3").waitFor();
  await check(page, "report-approve-grave");
  const bank = form.locator("li", { hasText: "mozilla.org" });
  await bank.getByLabel("Block it although that concerns many people").check();
  await form.getByText("For everyone, at once: 2 of 3").waitFor();
  assert.ok(await bank.getByRole("checkbox", { name: /mozilla\.org/ }).isChecked());
  await form.getByLabel("Comment (needed, because the asset is protected)").waitFor();
  await bank.getByRole("checkbox", { name: /mozilla\.org/ }).uncheck();
  await form.getByLabel("Comment (optional)").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText("1 of 1 proposals approved.").first().waitFor();
  assert.deepEqual(await reviewed(id), ["APPROVE", null, null]);
  await close(page);
});

test("a decision is sent once, however often the keys are pressed, and its form goes with it", async () => {
  const id = await file("once", 2);
  await file("after", 1);
  const page = await open(browser, server, `#/reports?id=${id}`);
  await heading(page, id).waitFor();
  const sent = [];
  let release;
  const answered = new Promise((resolve) => { release = resolve; });
  await page.route("**/report/review", async (route) => {
    sent.push(route.request().postDataJSON().proposalId);
    await answered;
    await route.continue();
  });
  await see(page, false); // what others do is not followed
  let reads = 0; // the page needs none to show what its own write has answered
  page.on("request", (request) => { reads += Number(request.url().includes("/report/get?")); });
  await page.keyboard.press("r");
  const form = page.getByRole("form", { name: "Reject the proposal" });
  await form.waitFor();
  for (const key of ["Control+Enter", "Control+Enter", "Escape", "Control+Enter"]) {
    await page.keyboard.press(key);
  }
  await form.getByRole("button", { name: "Reject" }).click({ force: true });
  release();
  await page.locator(".proposal[aria-current]").getByText("once-1.example.net").waitFor();
  assert.equal(await form.count(), 0);
  assert.equal(sent.length, 1);
  assert.equal(reads, 0);
  assert.deepEqual(await reviewed(id), ["REJECT", null]);
  assert.equal(await page.getByText(/Not done|faster/).count(), 0);
  await close(page);
});

test("a long report scrolls beside the list", async () => {
  const id = await file("long", 40);
  const page = await open(browser, server, `#/reports?id=${id}`);
  await heading(page, id).waitFor();
  const last = page.locator(".proposal").last();
  await last.scrollIntoViewIfNeeded();
  const { y, height } = await last.boundingBox();
  assert.ok(y + height <= 900, "the end of the pane is in sight");
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight) < 1200, "the page itself is short");
  await close(page);
});

test("of more reports than a page has, the oldest comes first, and the next one after it", async () => {
  for (let index = 0; index < 110; index++) {
    await file(`many-${index}`, 1);
  }
  const { body: { reports } } = await server.call("operatorKey", "GET",
    "/report/list?status=TODO&oldestFirst=true&limit=2");
  const [first, second] = reports.map(({ id }) => id);
  const page = await open(browser, server, "#/overview");
  const link = page.getByRole("link", { name: "Decide the oldest report" });
  const [, oldest] = /id=(\d+)/.exec(await link.getAttribute("href"));
  assert.ok(Number(oldest) <= first, `${oldest} is the oldest one`);
  await page.goto(`${server.address}/#/reports?id=${first}`);
  await heading(page, first).waitFor();
  const ids = () => page.locator("[data-id]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.id)));
  await page.locator(`[data-id='${second}']`).waitFor();
  assert.deepEqual((await ids()).slice(0, 2), [first, second]);
  for (const [index] of [...(await reviewed(first)).entries()].filter(([, status]) => status === null)) {
    await page.locator(`.proposal:nth-child(${index + 1})[aria-current]`).waitFor();
    await page.keyboard.press("r");
    await page.keyboard.press("Control+Enter");
  }
  await heading(page, second).waitFor();
  await page.getByRole("link", { name: "newest first" }).click();
  await page.waitForURL(/newest=true/);
  await page.locator(`[data-id='${second}']`).waitFor({ state: "detached" });
  const turned = await ids();
  assert.deepEqual(turned, turned.toSorted((a, b) => b - a));
  await close(page);
});

test("a proposal is not approved before it is known whether that lets much through", async () => {
  const proposals = [{ content: "wikipedia.org", proposedStatus: "ALLOWED" }];
  const { body: { id } } = await server.call("key", "POST", "/report/create", { title: "Ours, too", proposals });
  await server.call("operatorKey", "POST", "/asset/setStatus",
    { content: "wikipedia.org", status: "UNKNOWN", reason: "OTHER" });
  const page = await open(browser, server, `#/reports?id=${id}`);
  let answer;
  const asked = new Promise((resolve) => { answer = resolve; });
  await page.route("**/asset/preview", async (route) => {
    await asked;
    await route.continue();
  });
  await button(page, /^Approve/).click();
  const form = page.getByRole("form");
  await page.keyboard.press("Control+Enter");
  await form.locator("[aria-disabled=true]").waitFor();
  answer();
  await form.getByText("must be checked, because the asset is wide").waitFor();
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.unrouteAll();
  await page.route("**/asset/preview", (route) => route.fulfill({ status: 500, contentType: "application/json",
    body: '{"code":"INTERNAL_SERVER_ERROR","message":"Internal server error"}' }));
  await button(page, /^Approve/).click();
  await form.getByText("Internal server error").waitFor();
  await page.keyboard.press("Control+Enter");
  await form.getByText("must be checked, because the asset is wide").waitFor();
  assert.deepEqual(await reviewed(id), [null]);
  await close(page);
});
