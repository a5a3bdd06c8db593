// What takes two operators, with four eyes on.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Server, accessible, check, close, launch, open } from "./harness.js";

const server = await Server.start({ fourEyes: true });
const browser = await launch();
after(() => Promise.all([browser.close(), server.stop()]));

const sent = "Sent to a second operator, and waits. Nothing is changed until another operator approves this.";

const call = (path, body) => server.call("operatorKey", body ? "POST" : "GET", path, body);
const { body: bea } = await call("/user/create", { fullName: "Bea <b>Second</b>" });
const { body: second } = await call("/key/create", { userId: bea.id, scopes: ["operator:read", "operator:write"] });
const keys = { operatorKey: second.key };

const button = (place, name) => place.getByRole("button", { name });
const waiting = (page) => page.getByRole("region", { name: "Waits for a second operator" });
const ofAsset = (page) => page.getByRole("region", { name: "Waiting for a second operator", exact: true });
const about = (content) => `#/asset?${new URLSearchParams({ content })}`;
/** The only act on the Overview with a text. */
const actWith = (page, hasText) => waiting(page).getByRole("region", { name: /^Request #/ }).filter({ hasText });
const statusOf = async (content) => (await call(`/asset/explain?content=${content}`)).body.asset.status;

/** Asks for the block of a protected asset. */
async function request(content, more) {
  const answer = await call("/asset/setStatus",
    { content, status: "BLOCKED", reason: "PHISHING", confirmProtected: true, ...more });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return answer.body.pending.id;
}

/** Files a report that proposes to block contents, and returns its ID. */
async function file(title, ...contents) {
  const proposals = contents.map((content) => ({ content, proposedStatus: "BLOCKED" }));
  return Number((await server.call("key", "POST", "/report/create", { title, proposals })).body.id);
}

test("A protected asset is blocked when a second operator approves it", async () => {
  const page = await open(browser, server);
  await page.locator("main textarea").fill("pages.dev");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Set a status" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Block it although that concerns many people").check();
  await dialog.getByText("A second operator must agree. Until then, nothing changes.").waitFor();
  await dialog.getByLabel("Reason").selectOption("Other");
  await button(dialog, "Ask a second operator").click();
  await dialog.getByText("Note is needed, because the asset is protected.").waitFor();
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await dialog.getByLabel("Note").fill("Copies <b>us</b>");
  await dialog.getByLabel("Reference").fill("report/1");
  await button(dialog, "Ask a second operator").click();
  await page.locator("main").getByText(sent).waitFor();
  assert.equal(await dialog.count(), 0, "nothing is left to do in it");
  const asked = /^Waits for a second operator: Otto Operator \(you\) asked to block it/;
  await page.locator("main").getByText(asked).waitFor();
  await page.reload();
  await page.locator("main").getByText(asked).waitFor();
  await button(page, "Set a status").click();
  await dialog.getByText(asked).waitFor(); // before it is asked for again
  await button(dialog, "Cancel").click();
  await page.getByRole("link", { name: "Overview" }).click();
  const acts = waiting(page);
  await acts.getByText("pages.dev").waitFor();
  await button(acts, "Withdraw the request").waitFor();
  assert.equal(await button(acts, "Approve").count(), 0, "nobody approves an own request");
  await accessible(page);
  const own = await call("/pending/approve", { id: (await call("/pending/list")).body.acts[0].id });
  assert.deepEqual([own.status, own.body.message], [409, "Another operator must approve the act"]);
  await close(page);

  const other = await open(browser, server, "#/overview", { keys });
  const act = waiting(other).getByRole("region", { name: /^Request #/ });
  await act.getByText("Asked for by Otto Operator").waitFor();
  await other.getByRole("link", { name: "Overview 1", exact: true }).waitFor();
  assert.match(await act.innerText(), /Block\s+pages\.dev\s+public suffix[^]*Phishing\s+Copies <b>us<\/b>\s+report\/1/);
  await button(act, "Approve").click();
  const form = act.getByRole("form", { name: "Approve the request" });
  await form.getByText("pages.dev is a public suffix").waitFor();
  assert.equal(await form.getByText("A second operator must agree").count(), 0, "this is the second one");
  await form.getByText("A check then answers").waitFor();
  assert.equal(await statusOf("pages.dev"), "UNKNOWN", "it asks first");
  await form.getByLabel("Comment").fill("I see it, too");
  await check(other, "act-approve");
  await button(form, "Approve").click();
  await waiting(other).getByText("Nothing waits for a second operator.").waitFor();
  await other.getByRole("link", { name: "Overview", exact: true }).waitFor();
  await other.getByRole("region", { name: "My last decisions" }).getByText("Status set: blocked.").waitFor();
  await other.getByRole("region", { name: "Changes of the last day" }).getByText("pages.dev").waitFor();
  assert.equal(await statusOf("pages.dev"), "BLOCKED");
  const { body: { acts: [approved] } } = await call("/pending/list?state=APPROVED");
  assert.equal(approved.comment, "I see it, too");

  await other.goto(`${server.address}/${about("pages.dev")}`);
  await ofAsset(other).getByText("Asked for by Otto Operator, approved by Bea <b>Second</b> (you) just now").waitFor();
  await ofAsset(other).getByText("I see it, too").waitFor();
  const two = /by Otto Operator, approved by Bea <b>Second<\/b> \(you\)/;
  for (const part of ["Decisions", "Changes"]) {
    const place = other.getByRole("region", { name: part, exact: true });
    await place.getByText("approved by").waitFor();
    assert.match(await place.innerText(), two);
  }
  await check(other, "act-approved");
  await other.getByRole("region", { name: "My last decisions" }).getByText("Status set: blocked.").waitFor();
  await button(other, /^Undo/).click();
  await other.locator("main").getByText("Undone: pages.dev.").waitFor();
  assert.equal(await statusOf("pages.dev"), "UNKNOWN");
  await close(other);
});

test("An undo of an approved block brings the decision back that stood before", async () => {
  const { status } = await call("/asset/setStatus",
    { content: "web.app", status: "ALLOWED", reason: "LEGITIMATE", note: "A platform" });
  assert.equal(status, 200);
  await request("web.app");
  const page = await open(browser, server, about("web.app"), { keys });
  await button(ofAsset(page), "Approve").click();
  const form = ofAsset(page).getByRole("form");
  await form.getByText("A check then answers").waitFor();
  await button(form, "Approve").click();
  const mine = page.getByRole("region", { name: "My last decisions" });
  await mine.getByText("Status set: blocked.").waitFor();
  assert.equal(await statusOf("web.app"), "BLOCKED");
  await button(mine, "Undo").click();
  await page.locator("main").getByText("Undone: web.app.").waitFor();
  const { body } = await call("/asset/explain?content=web.app");
  assert.deepEqual([body.asset.status, body.decisions[0].note], ["ALLOWED", "A platform"]);
  await close(page);
});

test("Who has asked withdraws a request, and another operator rejects one with a comment", async () => {
  const first = await request("github.io");
  const page = await open(browser, server, about("github.io"));
  await button(ofAsset(page), "Withdraw the request").click();
  const withdrawal = ofAsset(page).getByRole("form", { name: "Withdraw the request" });
  await withdrawal.getByText("Nothing changes.").waitFor();
  await button(withdrawal, "Withdraw the request").click();
  await ofAsset(page).getByText("Asked for by Otto Operator (you), withdrawn just now").waitFor();
  await request("github.io");
  await page.reload();
  await button(ofAsset(page), "Withdraw the request").waitFor();
  assert.equal(await button(ofAsset(page), "Approve").count(), 0);
  await close(page);

  const other = await open(browser, server, about("github.io"), { keys });
  await button(ofAsset(other), "Reject").click();
  await ofAsset(other).getByRole("form").getByLabel("Comment").fill("Too <i>much</i>");
  await button(ofAsset(other).getByRole("form"), "Reject").click();
  await ofAsset(other).getByText("Too <i>much</i>").waitFor();
  const decided = ofAsset(other).getByRole("list", { name: "Decided before" });
  const lines = await decided.getByRole("listitem").allInnerTexts();
  assert.match(lines[0],
    /^Asked for by Otto Operator, rejected by Bea <b>Second<\/b> \(you\) just now\s+Too <i>much<\/i>$/);
  assert.match(lines[1], /^Asked for by Otto Operator, withdrawn just now$/);
  assert.equal(lines.length, 2);
  assert.equal(await button(other, /^Undo/).count(), 0, "nothing was set");
  const { body } = await call("/pending/list?state=REJECTED");
  assert.deepEqual(body.acts.map(({ id, comment }) => [id === first, comment]),
    [[true, null], [false, "Too <i>much</i>"]]);
  await close(other);
});

test("A request from the page of an asset closes the dialog, and waits on the page", async () => {
  const page = await open(browser, server, about("netlify.app"));
  await ofAsset(page).getByText("Nothing waits for a second operator.").waitFor();
  await button(page, "Set a status").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Block it although that concerns many people").check();
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await button(dialog, "Ask a second operator").click();
  await page.locator("main").getByText(sent).waitFor();
  assert.equal(await dialog.count(), 0);
  await ofAsset(page).getByText("netlify.app").waitFor();
  await check(page, "act-asked");
  await button(ofAsset(page), "Withdraw the request").click();
  await button(ofAsset(page).getByRole("form"), "Withdraw the request").click();
  await ofAsset(page).getByText("Nothing waits for a second operator.").waitFor();
  await close(page);
});

test("A review of a protected proposal waits at its report, which is not asked for again", async () => {
  const id = await file("Copies <b>banks</b>", "vercel.app");
  const page = await open(browser, server, `#/reports?id=${id}`);
  const proposal = page.locator(".proposal");
  await button(proposal, /^Approve/).click();
  const form = proposal.getByRole("form");
  await form.getByText("for everyone, after a second operator has agreed.").waitFor();
  await button(form, "Ask a second operator").click();
  await form.getByText("must be checked, because the asset is protected.").waitFor();
  await form.getByText("Comment is needed, because the asset is protected.").waitFor();
  await form.getByLabel("Block it although that concerns many people").check();
  await form.getByLabel("Comment").fill("It is all bad");
  await button(form, "Ask a second operator").click();
  await page.locator("main").getByText(sent).waitFor();
  assert.equal(await page.locator(".notice.error").count(), 0);
  const waits = async () => {
    await proposal.getByText("waits for a second operator").waitFor();
    await proposal.getByText("It is all bad").waitFor();
    await page.locator(`[data-id="${id}"]`).getByText("asked").waitFor();
    assert.equal(await button(proposal, /^(Approve|Reject|Skip)/).count(), 0, "it is asked for already");
    assert.equal(await button(page, /^Approve all/).count(), 0);
  };
  await waits();
  await check(page, "act-at-report");
  await page.reload();
  await waits();
  await button(proposal, /^Withdraw the request/).waitFor();
  assert.equal(await button(page, /^Undo/).count(), 0, "nothing was decided");

  const other = await open(browser, server, "#/overview", { keys });
  const act = actWith(other, "vercel.app");
  await act.getByText(/From a review of proposal #\d+ of/).waitFor();
  await act.getByRole("link", { name: `report/${id}` }).waitFor();
  await act.getByText("It is all bad").waitFor();
  await button(act, "Approve").click();
  await act.getByText("A check then answers").waitFor();
  await button(act.getByRole("form"), "Approve").click();
  await act.waitFor({ state: "detached" });
  assert.equal(await statusOf("vercel.app"), "BLOCKED");
  await proposal.locator(".outcome").getByText("Approved", { exact: true }).waitFor(); // it is live
  await page.locator("main").getByText("Bea <b>Second</b> approved the request of Otto Operator (you).").waitFor();
  assert.match(await proposal.locator(".outcome").innerText(),
    /Approved\s+by Otto Operator \(you\), approved by Bea <b>Second<\/b>/);
  await proposal.getByText("All reviews").click();
  await proposal.locator("details").getByText("approved by Bea <b>Second</b>").waitFor();
  await close(page);
  const mine = other.getByRole("region", { name: "My last decisions" });
  await mine.getByText(`Report #${id}: vercel.app is now blocked.`).waitFor();
  await button(mine, /^Undo/).first().click();
  await other.getByRole("heading", { name: `Report #${id}` }).waitFor();
  assert.equal(await statusOf("vercel.app"), "UNKNOWN");
  await other.goto(`${server.address}/${about("vercel.app")}`);
  await ofAsset(other).getByText(/approved by Bea/).waitFor();
  await close(other);
});

test("A request at a report is withdrawn there, and a second operator approves one there", async () => {
  const id = await file("At the report", "web.core.windows.net");
  const page = await open(browser, server, `#/reports?id=${id}`);
  const proposal = page.locator(".proposal");
  const ask = async () => {
    await button(proposal, /^Approve/).click();
    await proposal.getByLabel("Block it although that concerns many people").check();
    await proposal.getByLabel("Comment").fill("All of it");
    await button(proposal.getByRole("form"), "Ask a second operator").click();
    await proposal.getByText("waits for a second operator").waitFor();
  };
  await ask();
  await button(proposal, /^Withdraw the request/).click();
  await button(proposal.getByRole("form"), "Withdraw the request").click();
  await button(proposal, /^Reject/).waitFor();
  await ask();
  const other = await open(browser, server, `#/reports?id=${id}`, { keys });
  const theirs = other.locator(".proposal");
  await button(theirs, /^Approve/).click();
  await theirs.getByText("A check then answers").waitFor();
  await button(theirs.getByRole("form"), "Approve").click();
  await other.getByRole("region", { name: "My last decisions" })
    .getByText(`Report #${id}: web.core.windows.net is now blocked.`).waitFor();
  assert.equal(await statusOf("web.core.windows.net"), "BLOCKED");
  await close(other);
  await close(page);
});

test("What is asked for is said at another report about it and in the audit, and is not left open", async () => {
  const first = await request("firebaseapp.com");
  const id = await file("Again", "firebaseapp.com");
  const page = await open(browser, server, `#/reports?id=${id}`, { keys });
  const proposal = page.locator(".proposal");
  await proposal.getByText("Waits for a second operator: Otto Operator asked to block it").waitFor();
  await check(page, "act-at-another-report");
  await button(proposal, /^Approve/).click();
  await proposal.getByLabel("Block it although that concerns many people").check();
  await proposal.getByRole("form").getByText("Waits for a second operator: Otto Operator").waitFor();
  await proposal.getByLabel("Comment").fill("All of it");
  await button(proposal.getByRole("form"), "Ask a second operator").click();
  await button(proposal, /^Withdraw the request/).waitFor();
  await proposal.getByRole("link", { name: "Look at the request" }).click();
  const [theirs, own] = ["Otto Operator", "Bea <b>Second</b> (you)"].map((name) =>
    ofAsset(page).getByRole("region", { name: /^Request #/ }).filter({ hasText: `Asked for by ${name}` }));
  await button(theirs, /^Approve/).click();
  await theirs.getByText("A check then answers").waitFor();
  assert.equal(await own.getByText("blocked meanwhile").isVisible(), false);
  await button(theirs.getByRole("form"), "Approve").click();
  await own.getByText("blocked meanwhile").waitFor();
  await button(own, /^Withdraw the request/).click();
  await button(own.getByRole("form"), "Withdraw the request").click();
  await ofAsset(page).getByText("Nothing waits for a second operator.").waitFor();
  await page.goto(`${server.address}/#/users?tab=audit&kind=PENDING`);
  const trail = page.locator(".trail");
  await trail.getByText("withdrew the request to block firebaseapp.com").waitFor();
  await trail.getByText("approved the request of Otto Operator to block firebaseapp.com").waitFor();
  await trail.getByText("asked a second operator to block firebaseapp.com").first().waitFor();
  await check(page, "act-audit");
  await trail.getByRole("link", { name: "firebaseapp.com" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Asset" }).waitFor();
  assert.equal((await call("/pending/list?state=APPROVED")).body.acts.at(-1).id, first);
  await close(page);
});

test("A request whose effect has changed says what to do, and one that was answered goes", async () => {
  const id = await request("herokuapp.com");
  const page = await open(browser, server, about("herokuapp.com"), { keys });
  await button(ofAsset(page), /^Approve/).click();
  const form = ofAsset(page).getByRole("form");
  await form.getByText("A check then answers").waitFor();
  await call("/asset/setStatus", { content: "herokuapp.com", status: "ALLOWED", reason: "LEGITIMATE" });
  await button(form, "Approve").click();
  await form.getByText("What it is about has changed since Otto Operator asked").waitFor();
  assert.equal(await statusOf("herokuapp.com"), "ALLOWED");
  assert.equal((await call("/pending/reject", { id })).status, 200);
  await button(form, "Approve").click();
  await ofAsset(page).getByText("Nothing waits for a second operator.").waitFor();
  await close(page);
});

test("The approval of all proposals says which of them wait", async () => {
  const id = await file("Two", "surge.sh", "shop.acts.example.com");
  const page = await open(browser, server, `#/reports?id=${id}`);
  const approveAll = async (content) => {
    await button(page, /^Approve all/).click();
    const form = page.getByRole("form");
    const protectedOne = form.getByRole("listitem").filter({ hasText: "surge.sh" });
    await form.getByLabel("Comment (optional)").waitFor(); // what is protected is not checked
    await protectedOne.getByLabel("Block it although that concerns many people").check();
    await form.getByLabel("Comment (needed, because the asset is protected)").fill("It is all bad");
    await form.getByRole("checkbox", { name: "shop.acts" }).setChecked(content !== "surge.sh");
    await form.getByText(content === "both" ? "1 of 2. After a second operator has agreed: 1"
      : "0 of 2. After a second operator has agreed: 1").waitFor();
    await button(form, "Approve all that are checked").click();
  };
  await approveAll("surge.sh");
  await page.locator("main").getByText("0 of 1 proposals approved. surge.sh waits for a second operator.").waitFor();
  const { body: { acts } } = await call("/pending/list");
  assert.equal(acts.at(-1).assets[0].content, "surge.sh");
  await call("/pending/reject", { id: acts.at(-1).id });
  await page.reload();
  await approveAll("both");
  await page.locator("main").getByText("1 of 2 proposals approved. surge.sh waits for a second operator.").waitFor();
  assert.equal(await statusOf("shop.acts.example.com"), "BLOCKED");
  assert.equal(await statusOf("surge.sh"), "UNKNOWN");
  await close(page);
});

test("The question about an act on many assets shows the effect of the first ones", async () => {
  const id = await request("blogspot.com");
  const page = await open(browser, server, "#/check", { keys });
  await page.route("**/pending/list?state=PENDING*", async (route) => {
    const response = await route.fetch();
    const { acts } = await response.json();
    const act = acts.find((one) => one.id === id);
    const assets = Array.from({ length: 7 }, (_, index) =>
      ({ ...act.assets[0], content: `many-${index}.example.com` }));
    await route.fulfill({ response, json: { acts: [{ ...act, assets }], nextCursor: null } });
  });
  await page.getByRole("link", { name: "Overview" }).click();
  await button(waiting(page), "Approve").click();
  const form = waiting(page).getByRole("form");
  await form.getByText("A check then answers").nth(4).waitFor();
  await form.getByText("many-4.example.com").first().waitFor();
  await form.getByText("and 2 others").waitFor();
  assert.deepEqual([await form.locator(".effect").count(), await form.getByText("many-5.example.com").count()], [5, 0]);
  await page.unrouteAll();
  await close(page);
  await call("/pending/reject", { id });
});

test("An act on a list says what it would do, and is rejected", async () => {
  await server.call("operatorKey", "POST", "/list/add", { name: "feed", format: "jsonl" });
  await server.call("operatorKey", "POST", "/list/sync?name=feed", { content: "https://feed.example.com" });
  const own = await open(browser, server, "#/lists?id=feed");
  await button(own, "Remove").click();
  await own.getByRole("form").getByRole("button", { name: /^Remove for good/ }).click();
  await own.getByRole("region", { name: "Detail" }).getByText(sent).waitFor();
  await button(own, "Withdraw the request").waitFor();
  assert.equal(await own.getByRole("button", { name: "Remove", exact: true }).count(), 0, "it is asked for");
  await check(own, "act-of-list");
  await close(own);
  const page = await open(browser, server, "#/overview", { keys });
  const acts = actWith(page, "Remove the list feed: 1 withdrawn");
  await button(acts, "Approve").click();
  await acts.getByRole("form", { name: "Approve the request" }).waitFor();
  assert.equal(await acts.locator(".effect").count(), 0, "no status is set");
  await button(acts, "Cancel").click();
  await button(acts, "Reject").click();
  await button(acts.getByRole("form", { name: "Reject the request" }), "Reject").click();
  await acts.waitFor({ state: "detached" });
  await close(page);
});
