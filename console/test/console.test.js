// The flows of the console in Chromium, against the real server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Server, StaticServer, accessible, close, newPage, open, shared, shot } from "./harness.js";
import { choose, routeAdds, signInAgain } from "./list.js";

const { server, browser } = await shared();

const text = (page, selector) => page.locator(selector).innerText();

test("Check recognizes while typing, and the server says the status and why", async () => {
  const page = await open(browser, server);
  assert.equal(new URL(page.url()).hash, "#/check", "the keys are no longer in the address");
  await page.keyboard.type("HTTPS://WWW.Bad.Example.com:443/login?x=1"); // the field has the focus
  const recognized = page.getByRole("region", { name: "Recognized" });
  await recognized.getByText("https://www.bad.example.com/login?x=1", { exact: true }).first().waitFor();
  await page.keyboard.press("Enter");
  const status = page.getByRole("region", { name: "Status" });
  await status.getByText("its domain").waitFor();
  assert.match(await status.innerText(), /BLOCKED/);
  await page.getByRole("region", { name: "History" }).getByText("unknown").first().waitFor();
  assert.equal(await page.locator("main a[href^='http']").count(), 0, "no content is a link");
  await page.getByRole("button", { name: "Set a status" }).click();
  await page.getByRole("dialog").getByLabel("Status").selectOption("ALLOWED");
  await page.getByRole("dialog").getByLabel("Reason").selectOption("Legitimate");
  await page.locator("[data-shown=ALLOWED]").waitFor();
  await page.getByRole("dialog").getByLabel("Reference").fill("ticket/7");
  await page.getByRole("dialog").getByRole("button", { name: "Set status" }).click();
  await status.getByText("the asset itself").waitFor();
  assert.match(await status.innerText(), /ALLOWED/);
  await page.getByRole("region", { name: "History" }).getByText("ticket/7").waitFor();
  await page.reload();
  assert.equal(await page.locator("main textarea").inputValue(), "HTTPS://WWW.Bad.Example.com:443/login?x=1");
  await status.getByText("the asset itself").waitFor(); // still signed in
  await close(page);
});

test("Check answers for a refused content that a browser opens", async () => {
  const page = await open(browser, server);
  await page.locator("main textarea").fill("https:www.bad.example.com/a b");
  const recognized = page.getByRole("region", { name: "Recognized" });
  await recognized.getByRole("heading", { name: "Not recognized" }).waitFor();
  await recognized.locator("ol.covers").getByText("bad.example.com", { exact: true }).first().waitFor();
  assert.match(await recognized.innerText(), /a browser opens it as a link:\s*https:\/\/www\.bad\.example\.com\/a%20b/);
  await page.getByRole("button", { name: "Check" }).click();
  const status = page.getByRole("region", { name: "Status" });
  await status.getByText("its domain").waitFor();
  assert.match(await status.innerText(), /BLOCKED/);
  await close(page);
});

test("What is disarmed for display leads to what it means, in Check and Asset", async () => {
  const page = await open(browser, server);
  await page.locator("main textarea").fill("hxxps://bad[.]example[.]com/x");
  const recognized = page.getByRole("region", { name: "Recognized" });
  await recognized.getByRole("heading", { name: "Not recognized" }).waitFor();
  await recognized.getByRole("link", { name: "Check" }).click();
  await page.getByRole("region", { name: "Status" }).getByText("its page").waitFor();
  assert.equal(await page.locator("main textarea").inputValue(), "https://bad.example.com/x");
  await page.locator("main textarea").fill("hxxp://Bad[.]example[.]com");
  await page.keyboard.press("Enter");
  await page.getByText("is read as").waitFor();
  assert.equal(await page.locator("main textarea").inputValue(), "http://bad.example.com");
  await page.getByRole("region", { name: "Status" }).getByRole("heading", { name: "Status blocked" }).waitFor();
  await page.goto(`${server.address}/#/asset?content=bad(dot)example(dot)com`);
  await page.locator(".subject").getByText("bad.example.com", { exact: true }).waitFor();
  await close(page);
});

test("Check says that it takes one content at a time", async () => {
  const page = await open(browser, server);
  await page.locator("main textarea").fill("bad.example.com\ngood.example.com");
  await page.getByText("a new line. One content is checked at a time.").waitFor();
  await close(page);
});

test("Blocking what many people use takes a confirmation, which is shown only then", async () => {
  const page = await open(browser, server);
  await page.locator("main textarea").fill("pages.dev");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Set a status" }).click();
  const dialog = page.getByRole("dialog");
  const confirmation = dialog.getByLabel("Block it although that concerns many people");
  await dialog.getByText("is a public suffix").waitFor();
  await dialog.getByLabel("Status").selectOption("ALLOWED");
  await dialog.locator(".effect").getByText("ALLOWED").waitFor();
  assert.equal(await confirmation.isVisible(), false);
  await dialog.getByLabel("Status").selectOption("BLOCKED");
  await confirmation.waitFor();
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await dialog.getByRole("button", { name: "Set status" }).click();
  await dialog.getByText("must be checked, because the asset is protected.").waitFor();
  await confirmation.check();
  await dialog.getByRole("button", { name: "Set status" }).click();
  await page.getByRole("region", { name: "Status" }).getByText("the asset itself").waitFor();
  await close(page);
});

test("A status needs a reason, is not set before its effect is shown, and is undone", async () => {
  const content = "https://by-accident.example.com";
  const statusOf = async () => (await server.call("key", "POST", "/asset/check", { content })).body.status;
  const page = await open(browser, server, `#/check?content=${content}`);
  let show = () => {};
  const held = new Promise((resolve) => { show = resolve; });
  await page.route("**/asset/preview", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Set a status" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Status").waitFor();
  await page.keyboard.press("Control+Enter");
  await dialog.getByText("Reason is needed.").waitFor();
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await page.keyboard.press("Control+Enter");
  await dialog.getByText("Read first what the status would do. It is not shown yet.").waitFor();
  assert.equal(await statusOf(), "UNKNOWN");
  show();
  await page.locator("[data-shown=BLOCKED]").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.locator("main .notice", { hasText: "is now" }).waitFor();
  assert.equal(await statusOf(), "BLOCKED");
  await accessible(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(/^Undone: /).last().waitFor();
  assert.equal(await statusOf(), "UNKNOWN");
  await close(page);
});

test("An undo of a status says that operators have decided otherwise since", async () => {
  const content = "https://overruled.example.com";
  const page = await open(browser, server, `#/check?content=${content}`);
  await page.getByRole("button", { name: "Set a status" }).click();
  await page.getByRole("dialog").getByLabel("Reason").selectOption("Phishing");
  await page.locator("[data-shown=BLOCKED]").waitFor();
  await page.getByRole("button", { name: "Set status" }).click();
  await page.locator("main .notice", { hasText: "is now" }).waitFor();
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "ALLOWED" });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Not undone: Changed in the meantime.").last().waitFor();
  assert.equal((await server.call("key", "POST", "/asset/check", { content })).body.status, "ALLOWED");
  await close(page);
});

test("The dialog of a status says what it would do, before it is set", async () => {
  const site = "effect.example.com";
  const set = (content, status) => server.call("operatorKey", "POST", "/asset/setStatus", { content, status });
  await set(`https://${site}/bad`, "BLOCKED");
  await set(`https://${site}/good`, "ALLOWED");
  await server.call("key", "POST", "/dispute/create", { content: `https://${site}/bad`, email: "eve@effect.example" });
  const page = await open(browser, server);
  const dialog = page.getByRole("dialog");
  const ask = async (content) => {
    await page.locator("main textarea").fill(content);
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("button", { name: "Set a status" }).click();
  };
  await ask(site);
  await dialog.getByText("2 assets are below it. 1 asset below it stays allowed.").waitFor();
  await dialog.getByText("A check then answers").waitFor();
  await dialog.getByLabel("Status").selectOption("UNKNOWN");
  await dialog.locator(".effect").getByText("UNKNOWN").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await set(site, "BLOCKED");
  await ask(`https://${site}/bad`);
  await dialog.getByText("1 asset covers it.").waitFor();
  await dialog.getByText("1 open dispute.").waitFor();
  await dialog.getByLabel("Status").selectOption("UNKNOWN");
  await dialog.getByText("by its page:").waitFor();
  assert.match(await dialog.locator(".effect").innerText(), /answers\s*BLOCKED\s*by its page:\s*effect\.example\.com/i);
  await close(page);
});

test("A status is set with a reason and a note, which the next operator reads", async () => {
  const page = await open(browser, server);
  await page.locator("main textarea").fill("https://reasoned.example.com/x");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Set a status" }).click();
  const dialog = page.getByRole("dialog");
  await page.locator("[data-shown=BLOCKED]").waitFor();
  await dialog.getByLabel("Reason").selectOption("Legitimate");
  await dialog.getByLabel("Note").fill("<b>Asks</b> for seed phrases");
  await dialog.getByRole("button", { name: "Set status" }).click();
  const field = dialog.locator(".field", { has: page.getByLabel("Reason") });
  await field.getByText("Reason must be a reason of the status BLOCKED.", { exact: true }).waitFor();
  await dialog.getByLabel("Reason").selectOption("Wallet drainer");
  await dialog.getByRole("button", { name: "Set status" }).click();
  await page.getByRole("region", { name: "Status" }).getByText("the asset itself").waitFor();
  const { body } = await server.call("operatorKey", "GET", "/asset/explain?content=https://reasoned.example.com/x");
  const [{ reason, note, counts }] = body.decisions;
  assert.deepEqual({ reason, note, counts }, { reason: "DRAINER", note: "<b>Asks</b> for seed phrases", counts: true });

  const created = await server.call("key", "POST", "/dispute/create",
    { content: "https://reasoned.example.com/x", email: "ada@reasoned.example" });
  await close(page);
  const queue = await open(browser, server, `#/disputes?id=${created.body.id}`);
  const operators = queue.locator("dt", { hasText: "Operators" }).locator("xpath=following-sibling::dd[1]");
  await operators.getByText("<b>Asks</b> for seed phrases").waitFor();
  assert.match(await operators.innerText(), /BLOCKED\s*Wallet drainer/i);
  await close(queue);
});

test("A status ends on its last day, and is looked at again when its review is due", async () => {
  const content = "https://ending.example.com/x";
  const page = await open(browser, server);
  await page.locator("main textarea").fill(content);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Set a status" }).click();
  const dialog = page.getByRole("dialog");
  await page.locator("[data-shown=BLOCKED]").waitFor();
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await dialog.getByLabel("Last day").fill("2020-01-31");
  await dialog.getByRole("button", { name: "Set status" }).click();
  const field = dialog.locator(".field", { has: page.getByLabel("Last day") });
  await field.getByText("Last day must be in the future, up to year 9999.").waitFor();
  await dialog.getByLabel("Last day").fill("2099-12-31");
  await dialog.getByLabel("Review on").fill("2100-01-01");
  await dialog.getByRole("button", { name: "Set status" }).click();
  await dialog.getByText("Review on must be before Last day.").waitFor();
  await dialog.getByLabel("Review on").fill("2099-06-01");
  await dialog.getByRole("button", { name: "Set status" }).click();
  await page.getByRole("region", { name: "Status" }).getByText("the asset itself").waitFor();
  await close(page);
  const { body } = await server.call("operatorKey", "GET", "/asset/due?before=2099-06-01T00:00:00Z");
  const [{ decision: { expiresAt, reviewAt } }] = body.assets;
  assert.deepEqual({ expiresAt, reviewAt },
    { expiresAt: "2099-12-31T23:59:59.000Z", reviewAt: "2099-06-01T00:00:00.000Z" });

  const created = await server.call("key", "POST", "/dispute/create", { content, email: "ada@ending.example" });
  const queue = await open(browser, server, `#/disputes?id=${created.body.id}`);
  const operators = queue.locator("dt", { hasText: "Operators" }).locator("xpath=following-sibling::dd[1]");
  await operators.getByText("2099-06-01 00:00").waitFor();
  assert.match(await operators.innerText(), /until\s+2099-12-31 23:59\s+to be reviewed on\s+2099-06-01 00:00/);
  await close(queue);

  const soon = new Date(Date.now() + 1500).toISOString();
  const set = await server.call("operatorKey", "POST", "/asset/setStatus",
    { content, status: "BLOCKED", reviewAt: soon });
  assert.equal(set.status, 200);
  while ((await server.call("operatorKey", "GET", "/asset/due")).body.assets.length === 0) {
    await new Promise(setImmediate);
  }
  const overview = await open(browser, server, "#/overview");
  const panel = overview.getByRole("region", { name: "Due for review" });
  await panel.getByText(content).waitFor();
  assert.match(await panel.innerText(), /^Due for review\s+1\s+BLOCKED/i);
  await close(overview);
});

test("An asset that a list holds names the list, and the audit trail tells who synced it", async () => {
  const content = "https://listed.example.com";
  await server.call("operatorKey", "POST", "/list/add", { name: "feed", format: "jsonl", reason: "PHISHING" });
  const synced = await server.call("operatorKey", "POST", "/list/sync?name=feed", { content }); // a file of one line
  assert.equal(synced.body.added, 1);
  const created = await server.call("key", "POST", "/dispute/create", { content, email: "ada@listed.example" });
  const queue = await open(browser, server, `#/disputes?id=${created.body.id}`);
  const section = (page) => page.locator("dt", { hasText: /^Lists$/ }).locator("xpath=following-sibling::dd[1]");
  const lists = section(queue);
  await lists.getByText("feed", { exact: true }).waitFor();
  assert.match(await lists.innerText(), /feed\s*holds\s*BLOCKED\s*Phishing\s*since/i);
  assert.doesNotMatch(await lists.innerText(), /does not count/);
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "ALLOWED" });
  await close(queue);
  const overruled = await open(browser, server, `#/disputes?id=${created.body.id}`);
  await section(overruled).getByText("which does not count").waitFor();
  await close(overruled);
  const audit = await open(browser, server, "#/users?tab=audit&kind=LIST");
  await audit.getByText(/synced the list feed: 1 added, 0 withdrawn/).waitFor();
  await audit.getByText(/created the list feed/).waitFor();
  await close(audit);
});

test("An error stands beside its field, in the words of the page, and goes when it is corrected", async () => {
  const page = await open(browser, server, "#/check?content=bad.example.com");
  await page.getByRole("button", { name: "Dispute this" }).click();
  const dialog = page.getByRole("dialog");
  const create = dialog.getByRole("button", { name: "Create the dispute" });
  await dialog.getByLabel("E-mail").fill("no address");
  await create.click();
  const field = dialog.locator(".field", { has: page.getByLabel("E-mail") });
  await field.getByText("E-mail must be an e-mail address.", { exact: true }).waitFor();
  const named = await dialog.getByLabel("E-mail").getAttribute("aria-describedby");
  assert.deepEqual(named.split(" ").length, 2, "the issue and the hint");
  await dialog.getByLabel("E-mail").fill("owner@mail.example");
  let ask;
  const asked = new Promise((resolve) => { ask = resolve; });
  await page.route("**/dispute/create", ask);
  await create.click();
  await dialog.locator("button[aria-busy=true]", { hasText: "Create the dispute" }).waitFor();
  assert.equal(await dialog.getByText("must be").count(), 0);
  await (await asked).fulfill({ status: 400, json: { code: "BAD_REQUEST", message: "Invalid input data",
    issues: [{ message: "description: must be shorter than startDate" }] } });
  await dialog.getByText("Description must be shorter than startDate.").waitFor(); // of a server with other rules
  assert.equal(await dialog.locator("button[aria-busy=true]").count(), 0);
  await close(page);
});

test("Check says why a content is refused, without a request", async () => {
  const page = await open(browser, server);
  const calls = [];
  page.on("request", (request) => request.url().includes("/api/") && calls.push(request.url()));
  await page.locator("main textarea").fill("no asset at all");
  await page.getByRole("heading", { name: "Not recognized" }).waitFor();
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator("[aria-label=Status]:not([aria-busy])").waitFor({ state: "attached" });
  assert.deepEqual(calls, []);
  await close(page);
});

test("Allowlist adds 2,500 lines once, though the server dies in the middle", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const lines = Array.from({ length: 2500 },
    (_, index) => `https://line-${index === 2400 ? 1 : index}.example.com`).with(7, "no asset");
  // The reply to the second batch is lost: the server has stored it and dies.
  let batches = 0;
  await routeAdds(page, async (route) => {
    batches++;
    if (batches !== 2) {
      return route.continue();
    }
    const response = await route.fetch();
    assert.equal(response.status(), 200);
    await server.kill();
    return route.abort();
  });
  await choose(page, lines);
  await page.locator("[data-state=ready]").waitFor();
  assert.match(await text(page, ".figures"), /2,500 lines\s*2,498 recognized\s*2 refused here/);
  await page.getByRole("button", { name: "Add to the allowlist" }).click();
  await page.locator("[data-state=waiting]").waitFor();
  await shot(page, "allowlist-server-away");
  await server.run();
  await signInAgain(page, server);
  await page.locator("[data-state=done]").waitFor();
  assert.match(await text(page, ".state"),
    /Done: 2,498 added, 2 refused. The server confirmed what was refused here \(2\)\./);
  const [download] = await Promise.all([
    page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  const rows = (await streamText(await download.createReadStream())).trimEnd().split("\r\n");
  assert.equal(rows.length, 2501);
  assert.equal(rows[1], "1,https://line-0.example.com,URL,https://line-0.example.com,added");
  assert.equal(rows[8], "8,no asset,,,Invalid asset format");
  assert.match(rows[2401], /Asset already exists in organization$/);
  const { body } = await server.call("key", "POST", "/asset/changelog", { toStatus: "ALLOWED" });
  const added = body.changelog.filter(({ content }) => content.startsWith("https://line-"));
  assert.equal(added.length, 2498, "each asset has changed once");
  await close(page);
});

test("Allowlist asks for a dry run, pauses and resumes", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const lines = Array.from({ length: 1500 },
    (_, index) => `https://plan-${index}.example.com`).concat("bad.example.com");
  await paste(page, lines.join("\n"));
  await page.locator("[data-state=ready]").waitFor();
  await page.getByRole("button", { name: "Ask the server first" }).click();
  await page.locator(".state", { hasText: "Planned. Nothing has been added yet." }).waitFor();
  assert.match(await text(page, ".figures"), /1,501 would be added/);
  await page.getByText("1 of these is BLOCKED: adding it allows it for everyone.").waitFor();
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route("**/organization/assets", async (route) => {
    await held;
    await route.continue().catch(() => {}); // the page has given it up
  }, { times: 1 });
  await page.getByRole("button", { name: "Add to the allowlist" }).click();
  await page.getByRole("button", { name: "Unblock 1, add all 1,501" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator("[data-state=paused]").waitFor();
  release();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.locator("[data-state=done]").waitFor();
  assert.match(await text(page, ".state"), /Done: 1,501 added, 0 refused/);
  await close(page);
});

test("Changelog streams, filters and shows only what is visible", async () => {
  const page = await open(browser, server, "#/changelog");
  await page.getByText(/changes, newest first/).waitFor();
  const all = await server.call("key", "POST", "/asset/changelog", {});
  assert.match(await text(page, ".state"), new RegExp(`^${all.body.changelog.length.toLocaleString("en")} changes`));
  assert.ok(await page.locator(".rows .row").count() < 60);
  assert.ok(await page.locator("svg .bar").count() > 40);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const oldest = all.body.changelog.at(-1);
  await page.locator(".rows").getByText(oldest.content, { exact: true }).waitFor();
  await page.locator("select[name=toStatus]").selectOption("UNKNOWN");
  await page.getByRole("button", { name: "Filter" }).click();
  const back = await server.call("key", "POST", "/asset/changelog", { toStatus: "UNKNOWN" });
  await page.getByText(`${back.body.changelog.length} changes, newest first`).waitFor();
  await page.goBack();
  await page.getByText(`${all.body.changelog.length.toLocaleString("en")} changes, newest first`).waitFor();
  await close(page);
});

test("Changelog writes all its numbers alike", async () => {
  const page = await open(browser, server, "#/settings");
  const entry = {
    assetId: 1, type: "URL", content: "https://many.example.com", fromStatus: "UNKNOWN", toStatus: "BLOCKED",
    updatedAt: "2026-05-05T12:00:00.000Z",
  };
  await page.route("**/asset/changelog", (route) => route.fulfill({ json: { changelog: Array(1234).fill(entry) } }));
  await page.getByRole("link", { name: "Changelog" }).click();
  await page.getByText("1,234 changes, newest first").waitFor();
  await page.getByText("most in a day: 1,234").waitFor();
  await page.getByRole("img", { name: "at most 1,234 a day" }).waitFor();
  await page.getByRole("slider").hover();
  await page.getByText("2026-05-05: 1,234").waitFor();
  assert.equal(await text(page, "#live"), "1,234 changes");
  await close(page);
});

test("Disputes: taken up, accepted with a reason, and the asset is allowed", async () => {
  const page = await open(browser, server, "#/disputes?states=OPEN");
  await page.locator("[data-id='2']").click();
  await page.getByRole("button", { name: "Take up" }).click();
  await page.locator(".notice", { hasText: "Dispute #2: under review." }).waitFor(); // with the new state
  assert.equal(await page.getByRole("button", { name: "Reopen" }).count(), 0);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  const decision = page.getByRole("form", { name: "Accept dispute #2" });
  await decision.getByRole("button", { name: "Accept", exact: true }).click();
  await decision.getByText(/^Reason is required/).waitFor(); // the server's own rule, before a request
  await decision.getByLabel("New status of the asset").selectOption("ALLOWED");
  await decision.getByLabel("Reason").fill("It is what it says.");
  await decision.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByText("Dispute #2: accepted.").first().waitFor();
  const { body } = await server.call("operatorKey", "GET", "/dispute/get?id=2");
  assert.equal(body.state, "ACCEPTED");
  assert.equal((await server.call("key", "POST", "/asset/check", { content: body.content })).body.status, "ALLOWED");
  await close(page);
});

test("Disputes: somebody else was faster", async () => {
  const page = await open(browser, server, "#/disputes?id=3");
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  const { status } = await server.call("operatorKey", "POST", "/dispute/resolve",
    { id: 3, state: "ACCEPTED", assetStatus: "UNKNOWN", reason: "Gone." });
  assert.equal(status, 200);
  await page.getByRole("form").getByLabel("Reason").fill("Still there.");
  await page.getByRole("form").getByRole("button", { name: "Reject", exact: true }).click();
  const faster = "The dispute is now accepted by Otto Operator (you). Your action was not done.";
  await page.locator(".notice.warn").filter({ hasText: faster }).waitFor();
  await page.getByText("Gone.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Comment" }).click();
  assert.equal(await page.getByRole("form").getByLabel("Comment").inputValue(), "Still there.");
  await close(page);
});

test("Reports: two operators do not decide past each other", async () => {
  const page = await open(browser, server, "#/reports?id=1");
  const proposal = page.locator(".proposal").first();
  await proposal.getByRole("button", { name: /^Review .* again$/ }).click();
  await proposal.getByRole("button", { name: "Approve" }).click();
  const { body } = await server.call("operatorKey", "GET", "/report/get?id=1");
  await server.call("operatorKey", "POST", "/report/review",
    { proposalId: body.proposals[0].id, reviewStatus: "REJECT", ifReview: body.proposals[0].reviewId });
  await proposal.getByLabel("Block it although that concerns many people").check(); // it is on an allowlist since
  await proposal.getByLabel("Comment").fill("It is a copy.");
  await proposal.getByRole("form").getByRole("button", { name: "Approve" }).click();
  const faster = "Not done: Changed in the meantime. The review is now rejected by Otto Operator";
  await page.locator(".notice.warn").filter({ hasText: faster }).waitFor();
  await proposal.getByText("Rejected").waitFor();
  assert.equal(await proposal.getByRole("button", { name: "Approve" }).count(), 0);
  await close(page);
});

test("Disputes: a comment whose response is lost is stored once", async () => {
  const page = await open(browser, server, "#/disputes?id=1");
  await page.getByRole("button", { name: "Comment" }).click();
  const form = page.getByRole("form");
  await form.getByLabel("Comment").fill("Asked the owner.");
  await page.route("**/dispute/addNote", async (route) => {
    assert.equal((await route.fetch()).status(), 200);
    await route.abort();
  }, { times: 1 });
  await form.getByRole("button", { name: "Add comment" }).click();
  await form.getByText("The server cannot be reached").waitFor();
  await form.getByRole("button", { name: "Add comment" }).click();
  await page.getByText("Comment added.").first().waitFor();
  const { body } = await server.call("operatorKey", "GET", "/dispute/get?id=1");
  assert.equal(body.notes.filter((note) => note.text === "Asked the owner.").length, 1);
  await close(page);
});

test("Reports: a proposal is approved, and the review withdrawn", async () => {
  const page = await open(browser, server, "#/reports?id=2");
  const proposal = page.locator(".proposal").first();
  await proposal.getByRole("button", { name: "Approve" }).click();
  await proposal.locator(".effect").getByText("A check then answers").waitFor();
  await proposal.getByRole("form").getByRole("button", { name: "Approve" }).click();
  await page.getByText("is now blocked.").first().waitFor();
  await proposal.getByText("blocked").first().waitFor();
  assert.equal((await server.call("operatorKey", "GET", "/report/get?id=2")).body.proposals[0].asset.status, "BLOCKED");
  await proposal.getByRole("button", { name: "Withdraw the review" }).click();
  await proposal.getByRole("form").getByRole("button", { name: "Withdraw" }).click();
  await page.getByText(/The review of .* is withdrawn\./).first().waitFor();
  assert.equal((await server.call("operatorKey", "GET", "/report/get?id=2")).body.proposals[0].asset.status, "UNKNOWN");
  await proposal.getByRole("button", { name: "Skip" }).click();
  await proposal.getByRole("form").getByRole("button", { name: "Skip" }).click();
  await proposal.getByText("Skipped").waitFor();
  assert.equal(await proposal.getByRole("button", { name: "Withdraw the review" }).count(), 0,
    "only a decision can be withdrawn");
  await close(page);
});

test("A wrong key leads to Settings, where a right one is entered", async () => {
  const page = await open(browser, server, "#/disputes", { keys: { operatorKey: "apg_wrong" } });
  await page.getByText("The server no longer accepts your operator key. It is wrong").waitFor();
  await page.getByRole("link", { name: "Open Settings" }).first().click();
  await page.getByLabel("Operator key").fill(server.keys.operatorKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Signed in.").waitFor();
  await page.goBack();
  await page.locator("[data-id='5']").waitFor();
  await close(page);
});

test("The built page works on another web server, with the APIs elsewhere", async (t) => {
  const files = await StaticServer.start();
  t.after(() => files.stop());
  const other = await Server.start({ origin: files.address });
  t.after(() => other.stop());
  await files.build(other);
  const page = await open(browser, other, "#/settings", { page: files.address });
  await page.getByText("No key is set").first().waitFor(); // this page takes no keys from links
  await page.getByLabel("Key of your organization").fill(other.keys.key);
  await page.getByLabel("Operator key").fill(other.keys.operatorKey);
  await page.getByLabel("Keep the keys").check();
  await page.getByRole("button", { name: "Use these keys" }).click();
  await page.getByText("The server accepts this key.").nth(1).waitFor();
  await page.reload(); // the tab keeps them, as asked
  const tab = await newPage(page.context());
  await tab.goto(`${files.address}/#/settings`);
  await tab.getByText("No key is set").first().waitFor(); // another tab does not have them
  await tab.close();
  await page.getByLabel("Operator key").waitFor();
  assert.equal(await page.getByLabel("Operator key").inputValue(), other.keys.operatorKey);
  await page.getByRole("link", { name: "Allowlist" }).click();
  await page.getByRole("link", { name: "Add", exact: true }).click();
  await page.locator("main textarea").fill("https://elsewhere.example.com");
  await page.getByRole("button", { name: "Add to the allowlist" }).click();
  await page.getByText("Done: 1 added, 0 refused.").first().waitFor();
  await page.getByRole("link", { name: "Disputes" }).click();
  await page.locator("[data-id='2']").waitFor();
  await close(page);
});

test("Hostile content stays text and is marked", async () => {
  const page = await open(browser, server, "#/reports?id=4");
  await page.locator(".proposal").getByText("punycode").waitFor();
  await page.locator(".title").getByText("U+202E").waitFor();
  assert.match(await text(page, ".title"), /<script>alert\('not markup'\)<\/script>/);
  assert.equal(await page.locator("main img, main script").count(), 0);
  await page.goto(`${server.address}/#/disputes?id=5`);
  await page.getByText("U+200B").waitFor();
  const long = new URLSearchParams({ content: `https://long.example.com/${"a".repeat(8000)}` });
  await page.goto(`${server.address}/#/check?${long}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, "a long word does not make the page wider");
  await page.getByRole("button", { name: /Show all 8,\d+ characters/ }).first().waitFor();
  await close(page);
});

test("The palette and shortcuts go everywhere without a mouse", async () => {
  const page = await open(browser, server, "#/settings");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("disp");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Disputes" }).waitFor();
  await page.locator("[data-id]").first().waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: /^Dispute #/ }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("3");
  await page.getByRole("heading", { level: 1, name: "Changelog" }).waitFor();
  await close(page);
});

test("An unknown address says so", async () => {
  const page = await open(browser, server, "#/settings");
  for (const name of ["nothing", "constructor", "toString", "__proto__"]) {
    await page.goto(`${server.address}/#/settings`);
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.goto(`${server.address}/#/${name}`);
    await page.getByRole("heading", { level: 1, name: "Unknown address" }).waitFor();
    await page.getByText(`#/${name}`, { exact: true }).waitFor();
    assert.equal(await page.locator("#top [aria-current]").count(), 0);
  }
  await page.getByRole("link", { name: "Go to the overview" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await close(page);
});

const views = {
  overview: ["#/overview", "Decide the oldest dispute"],
  check: ["#/check", "Try one:"],
  "check-result": ["#/check?content=https://login.bad.example.com/x", "Why, and what happened before"],
  entries: ["#/allowlist?tab=entries", "github.com/acme"],
  allowlist: ["#/allowlist?tab=add", "No lines yet"],
  unknown: ["#/nothing", "Nothing is here"],
  changelog: ["#/changelog", /changes, newest first/],
  disputes: ["#/disputes?id=5", "Dispute #5"],
  reports: ["#/reports?id=3", "Report #3"],
  lists: ["#/lists?id=feed", "Sync with a file"],
  webhooks: ["#/webhooks?id=1", "Webhook #1"],
  keys: ["#/keys", "Nightly crawl"],
  "key-new": ["#/keys?id=new", "Rights of organizations"],
  user: ["#/users?id=1", "Trial of the feed"],
  organization: ["#/users?tab=organizations&id=1", "Trial of the feed"],
  audit: ["#/users?tab=audit", "Grace Colleague"],
  settings: ["#/settings", "Appearance"],
  asset: ["#/asset?content=login.bad.example.com", "At and below it"],
};

test("There is a webhook to look at", async () => {
  const { body } = await server.call("operatorKey", "POST", "/webhook/create",
    { url: `https://receiver.example/${"long/".repeat(100)}`, events: ["asset.status_changed"] });
  assert.equal(body.id, 1);
});

for (const theme of ["light", "dark"]) {
  test(`Every view is accessible and fits in ${theme} colors`, async () => {
    const page = await open(browser, server, "#/settings", { theme });
    for (const [name, [hash, ready]] of Object.entries(views)) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${server.address}/${hash}`);
      await page.getByText(ready).first().waitFor();
      if (name === "allowlist") {
        const lines = ["https://acme.example.com", "no asset", "=1+1", "https://xn--80ak6aa92e.com"];
        await page.locator("main textarea").fill(lines.join("\n"));
        await page.locator("[data-state=ready]").waitFor();
      }
      await accessible(page, theme === "dark" ? ["color-contrast"] : undefined); // themes differ only in colors
      for (const width of [360, 1280, 2560]) {
        await page.setViewportSize({ width, height: width === 360 ? 740 : width === 1280 ? 900 : 1440 });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false,
          `${name} is wider than ${width}`);
        await shot(page, `${name}-${theme}-${width}`);
      }
    }
    await close(page);
  });
}

/** Pastes into the field as the clipboard does. */
function paste(page, content) {
  return page.locator("main textarea").evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, content);
}

async function streamText(stream) {
  const parts = [];
  for await (const part of stream) {
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
