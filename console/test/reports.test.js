// Reports: a decided proposal shows its decision, and two operators do not decide past each other.
import assert from "node:assert/strict";
import { test } from "node:test";

import { check, close, open, shared } from "./harness.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name });
const read = async (id) => (await server.call("operatorKey", "GET", `/report/get?id=${id}`)).body;
const heading = (page, id) => page.getByRole("heading", { name: new RegExp(`^Report #${id}\\b`) });

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
  await heading(page, 3).waitFor();
  await page.getByText("Review stored.").first().waitFor();
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
  await page.getByText("Review stored.").first().waitFor();
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
  await page.getByText("The review is now REJECT by Otto Operator (you): “It is a museum.”").first().waitFor();
  await proposal.getByText("Rejected").waitFor();
  assert.equal((await read(3)).proposals[0].asset.status, "UNKNOWN");
  await check(page, "report-conflict");
  await close(page);
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
