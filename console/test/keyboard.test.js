// Every flow of the console without a mouse. The focus can always be seen, moves into dialogs and
// back to where it was, and is never lost.
import assert from "node:assert/strict";
import { test } from "node:test";

import { close, open, shared } from "./harness.js";
import { Keyboard, waitUntil } from "./keyboard.js";
import { choose, routeAdds } from "./list.js";

const { server, browser } = await shared();

/** Opens a page on which the mouse must not be used. */
async function start(hash, options) {
  const page = await open(browser, server, hash, options);
  await page.exposeFunction("mouseUsed", () => page.faults.push("the mouse was used"));
  await page.evaluate(() => addEventListener("mousedown", () => globalThis.mouseUsed()));
  return { page, keyboard: new Keyboard(page) };
}

const button = (place, name) => place.getByRole("button", { name, exact: true });

test("Check, dispute what is blocked, and set a status", async () => {
  const { page, keyboard } = await start();
  await keyboard.expect(page.getByLabel("Content to check"));
  await keyboard.type("https://keyboard.bad.example.com/x");
  await keyboard.press("Enter");
  await page.getByText("its domain").first().waitFor();
  await keyboard.expect(page.getByLabel("Content to check"));

  await keyboard.activate(button(page, "Dispute this"));
  const dialog = page.getByRole("dialog");
  await keyboard.expect(dialog.getByLabel("E-mail"));
  await keyboard.type("no address");
  await keyboard.press("Enter");
  await dialog.getByText(/^E-mail must be/).waitFor();
  await keyboard.expect(dialog.getByLabel("E-mail"));
  await keyboard.press("Control+a");
  await keyboard.type("keyboard@mail.example");
  await keyboard.press("Tab");
  await keyboard.type("It is ours.");
  await keyboard.press("Control+Enter");
  await page.getByText(/^Dispute #\d+ was created/).first().waitFor();
  await keyboard.expect(button(page, "Dispute this"));

  await keyboard.activate(button(page, "Set a status"));
  await keyboard.expect(dialog.getByLabel("Status"));
  await keyboard.press("ArrowDown", "Tab");
  await keyboard.expect(dialog.getByLabel("Reason"));
  await keyboard.type("Legitimate");
  await keyboard.press("Tab");
  await keyboard.type("It is theirs.");
  await keyboard.press("Tab");
  await keyboard.type("ticket/1");
  await page.locator("[data-shown=ALLOWED]").waitFor();
  await keyboard.press("Enter");
  await page.getByText("the asset itself").nth(1).waitFor();
  await page.getByText("ticket/1").waitFor();
  await keyboard.expect(button(page, "Set a status"));
  const { body } = await server.call("key", "POST", "/asset/check", { content: "https://keyboard.bad.example.com/x" });
  assert.equal(body.status, "ALLOWED");
  const { body: { decisions: [{ reason, note }] } } = await server.call("operatorKey", "GET",
    "/asset/explain?content=https://keyboard.bad.example.com/x");
  assert.deepEqual([reason, note], ["LEGITIMATE", "It is theirs."]);
  await close(page);
});

/** Types lines, and waits until all are recognized: what was recognized on the way is drawn, too. */
async function typeLines(page, keyboard, lines) {
  await keyboard.press("/");
  await keyboard.type(lines.join("\n"));
  await page.locator(".rows").getByText(lines.at(-1), { exact: true }).first().waitFor();
  await page.locator("[data-state=ready]").waitFor();
}

test("Allowlist: type, send, download", async () => {
  const { page, keyboard } = await start();
  await keyboard.goTo("Allowlist");
  await keyboard.expect(page.getByRole("heading", { level: 1 }));
  await keyboard.press("n");
  await page.getByText("No lines yet").waitFor();
  await keyboard.expect(page.getByRole("heading", { level: 1 }));
  await typeLines(page, keyboard, ["https://typed-1.example.com", "no asset", "https://typed-2.example.com"]);
  await keyboard.activate(button(page, "Add to the allowlist"));
  await page.getByText("Done: 2 added, 1 refused.").first().waitFor();
  await keyboard.tabTo(button(page, "Download CSV"));
  await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
  await keyboard.expect(button(page, "Download CSV"));
  await keyboard.activate(button(page, "Start over"));
  await page.getByText("No lines yet").waitFor();
  await keyboard.expect(page.getByLabel("Contents, one a line"));
  await keyboard.activate(button(page, "Try an example"));
  await page.locator("[data-state=ready]").waitFor();
  await keyboard.expect(page.getByLabel("Contents, one a line"));
  await close(page);
});

test("The overview leads to what waits, entries are found and removed", async () => {
  const { page, keyboard } = await start("#/settings");
  await keyboard.press("Tab", "g", "0");
  await keyboard.expect(page.getByRole("heading", { level: 1, name: "Overview" }));
  await keyboard.activate(page.getByRole("link", { name: "Decide the oldest report" }));
  await page.getByRole("heading", { name: "Report #2" }).waitFor();
  await keyboard.goTo("Allowlist");
  await keyboard.press("/");
  await keyboard.type("github.com/");
  await page.getByText("1 entry.").waitFor();
  await keyboard.expect(page.getByLabel("Begins with"));
  await keyboard.tabTo(page.getByLabel("Select github.com/acme"));
  await keyboard.press("Space");
  await keyboard.activate(page.getByRole("button", { name: "Remove github.com/acme" }));
  await keyboard.press("Escape");
  await keyboard.expect(page.getByRole("button", { name: "Remove github.com/acme" }));
  await keyboard.press("Enter", "Enter");
  await page.getByText("No entry matches").waitFor();
  await keyboard.seen("the removal");
  await close(page);
});

test("Allowlist: what would unblock is asked about, and the focus comes back", async () => {
  const { page, keyboard } = await start("#/allowlist?tab=add");
  await typeLines(page, keyboard, ["@acme_giveaway", "https://asked.example.com"]);
  await keyboard.activate(button(page, "Add to the allowlist"));
  await page.getByRole("dialog", { name: "Unblock 1 asset?" }).waitFor();
  await keyboard.press("Escape");
  await keyboard.expect(button(page, "Add to the allowlist"));
  await keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await keyboard.press("Control+Enter"); // which leaves it out
  await page.getByText("Done: 1 added, 0 refused. 1 left out.").first().waitFor();
  const { body } = await server.call("key", "POST", "/asset/check", { content: "@acme_giveaway" });
  assert.equal(body.status, "BLOCKED");
  await close(page);
});

test("Allowlist: a name, a group and an end for all lines", async () => {
  const { page, keyboard } = await start("#/allowlist?tab=add");
  const sent = [];
  await routeAdds(page, (route) => {
    sent.push(route.request().postDataJSON());
    return route.continue();
  });
  await typeLines(page, keyboard, ["https://described.example.com"]);
  await keyboard.activate(page.getByText("For all lines"));
  await keyboard.tabTo(page.getByLabel("Name"));
  await keyboard.type("Described");
  await keyboard.press("Tab");
  await keyboard.type("1");
  await keyboard.press("Tab");
  await keyboard.type("12312001");
  await keyboard.press("Tab", "Tab");
  await page.getByText("Invalid expiry").waitFor(); // the server's own words, before a request
  await keyboard.tabTo(page.getByLabel("Last day"), "Shift+Tab");
  const year = new Date().getUTCFullYear() + 1;
  await page.getByLabel("Last day").fill(`${year}-12-31`);
  await keyboard.activate(button(page, "Add to the allowlist"));
  await page.getByText("Done: 1 added, 0 refused.").first().waitFor();
  const details = { name: "Described", groupId: 1, expiresAt: `${year}-12-31T23:59:59Z` };
  assert.deepEqual(sent, [{ assets: [{ content: "https://described.example.com", ...details, refuseBlocked: true }] }]);
  await close(page);
});

test("Allowlist: the focus comes back to a button after lines are recognized anew", async () => {
  const { page, keyboard } = await start("#/allowlist?tab=add");
  await choose(page, Array.from({ length: 20_000 }, (_, index) => `https://anew-${index}.example.com`));
  await page.locator("[data-state=ready]").waitFor();
  await keyboard.activate(page.getByText("For all lines"));
  await keyboard.tabTo(button(page, "Add to the allowlist"));
  const anew = page.locator("[data-state=recognizing]").waitFor();
  await page.getByLabel("Name").evaluate((input) => {
    input.value = "Anew";
    input.dispatchEvent(new Event("change"));
  });
  await anew;
  await page.locator("[data-state=ready]").waitFor();
  await keyboard.expect(button(page, "Add to the allowlist"));
  await close(page);
});

test("Allowlist: the focus stays at Pause while batches are sent", async () => {
  const { page, keyboard } = await start("#/allowlist?tab=add");
  const held = [];
  await routeAdds(page, (route) => { held.push(route); });
  const lines = Array.from({ length: 2500 }, (_, index) => `https://pause-${index}.example.com`);
  await choose(page, lines);
  await page.locator("[data-state=ready]").waitFor();
  await keyboard.activate(button(page, "Add to the allowlist"));
  const pause = button(page, "Pause");
  await keyboard.tabTo(pause);
  const element = await pause.elementHandle();
  for (const sent of ["1,000", "2,000"]) {
    await waitUntil(page, () => held.length > 0, () => "no batch is sent");
    await held.pop().continue();
    await page.getByText(`Sent ${sent} of 2,500`).waitFor();
    await keyboard.expect(pause);
    assert.ok(await element.evaluate(({ isConnected }) => isConnected),
      "a press of the mouse would not be lost either");
  }
  await keyboard.press("Enter");
  await page.locator("[data-state=paused]").waitFor();
  await keyboard.seen("the pause");
  await keyboard.tabTo(button(page, "Resume"));
  await close(page);
});

test("Changelog: scroll and filter", async () => {
  const { page, keyboard } = await start();
  await keyboard.goTo("Changelog");
  await page.getByText(/changes, newest first/).waitFor();
  const { body } = await server.call("key", "POST", "/asset/changelog", {});
  await keyboard.tabTo(page.locator(".rows .row a"));
  await page.keyboard.press("End"); // scrolls, and the focus stays at its row
  await page.locator(".rows").getByText(body.changelog.at(-1).content, { exact: true }).waitFor();
  await keyboard.tabTo(page.getByLabel("Content"), "Shift+Tab");
  await keyboard.type("https://status.acme.example.com");
  await keyboard.tabTo(page.getByLabel("New status"));
  await keyboard.press("ArrowDown", "ArrowDown");
  await keyboard.activate(button(page, "Filter"));
  await page.getByText("1 changes, newest first").waitFor();
  await keyboard.expect(button(page, "Filter"));
  assert.equal(await page.getByLabel("New status").inputValue(), "ALLOWED");
  await page.goBack();
  await page.getByText(`${body.changelog.length.toLocaleString("en")} changes, newest first`).waitFor();
  await keyboard.seen("going back");
  await close(page);
});

test("A dispute is taken up, commented and accepted", async () => {
  const { page, keyboard } = await start("#/settings");
  await keyboard.press("Tab", "g", "4");
  await page.locator("[data-id]").first().waitFor();
  const detail = page.getByRole("region", { name: "Detail" });
  await keyboard.press("j");
  await keyboard.expect(detail);
  await button(page, "Take up").waitFor();
  const [id] = /\d+/.exec(await detail.getByRole("heading", { level: 2 }).innerText());
  const form = page.getByRole("form");

  await keyboard.press("t");
  await page.getByText(`Dispute #${id}: under review.`).first().waitFor();
  await keyboard.expect(detail);

  await keyboard.activate(button(page, "Comment"));
  await keyboard.type("Asked for a picture.");
  await keyboard.activate(button(form, "Add comment"));
  await page.getByText("Asked for a picture.", { exact: true }).waitFor();
  await keyboard.expect(detail);

  await keyboard.activate(button(page, "Comment"));
  await keyboard.expect(form.getByLabel("Comment"));
  await keyboard.press("Escape");
  await keyboard.expect(button(page, "Comment"));

  await keyboard.press("a");
  await keyboard.press("Control+Enter");
  await form.getByText(/^Reason is required/).waitFor();
  await keyboard.expect(form.getByLabel("Reason"));
  await keyboard.type("It is theirs.");
  await keyboard.press("Shift+Tab", "ArrowDown");
  await keyboard.activate(button(form, "Accept"));
  await page.getByText(`Dispute #${id}: accepted.`).first().waitFor();
  await keyboard.seen("the decision");
  const { body } = await server.call("operatorKey", "GET", `/dispute/get?id=${id}`);
  assert.equal(body.state, "ACCEPTED");
  assert.equal((await server.call("key", "POST", "/asset/check", { content: body.content })).body.status, "ALLOWED");
  await close(page);
});

test("A proposal is approved, and the review withdrawn", async () => {
  const { page, keyboard } = await start("#/reports?id=3");
  await page.getByRole("heading", { name: "Report #3" }).waitFor();
  const proposal = page.locator(".proposal").last();
  const approve = proposal.getByRole("button", { name: "Approve" });
  await keyboard.activate(approve);
  await keyboard.expect(proposal.getByRole("form").getByLabel("Comment"));
  await keyboard.press("Control+Enter");
  await page.getByText(/is now (blocked|allowed)\./).first().waitFor();
  await keyboard.expect(page.getByRole("region", { name: "Detail" }));
  await keyboard.activate(proposal.getByRole("button", { name: /^Review .* again$/ }));
  await keyboard.expect(approve);
  await keyboard.press("r");
  await proposal.getByRole("form", { name: "Reject the proposal" }).waitFor(); // the proposal with the focus
  await keyboard.press("Escape");
  await keyboard.expect(approve);
  await keyboard.activate(proposal.getByRole("button", { name: "Withdraw the review" }));
  await keyboard.press("Control+Enter");
  await page.getByText(/The review of .* is withdrawn\./).first().waitFor();
  await keyboard.expect(page.getByRole("region", { name: "Detail" }));
  const { body } = await server.call("operatorKey", "GET", "/report/get?id=3");
  assert.deepEqual(body.proposals.map(({ reviewStatus }) => reviewStatus), [null, null]);
  await close(page);
});

test("A webhook is created, paused, replayed and removed", async () => {
  const { page, keyboard } = await start("#/webhooks");
  await page.context().grantPermissions(["clipboard-write"]);
  const create = button(page, "Create a webhook");
  await keyboard.activate(create);
  const dialog = page.getByRole("dialog");
  await keyboard.expect(dialog.getByLabel("URL"));
  await keyboard.press("Enter");
  await dialog.getByText(/^URL /).waitFor();
  await keyboard.expect(dialog.getByLabel("URL"));
  await keyboard.press("Escape");
  await keyboard.expect(create);
  await keyboard.press("Enter");
  await keyboard.type("http://127.0.0.1:9/hook");
  await keyboard.tabTo(dialog.getByLabel("Blocked"));
  await keyboard.press("Space");
  await keyboard.activate(button(dialog, "Create"));
  await keyboard.expect(button(dialog, "Copy"));
  await keyboard.press("Enter");
  await dialog.getByText("Copied.").waitFor();
  await keyboard.expect(button(dialog, "Copy"));
  await keyboard.activate(button(dialog, "I have stored it"));
  await page.getByRole("heading", { name: "Webhook #1" }).waitFor();
  await keyboard.seen("the new webhook");

  const detail = page.getByRole("region", { name: "Detail" });
  await keyboard.activate(button(detail, "Test"));
  await detail.getByText("Test message: refused (not reachable)").waitFor();
  await keyboard.expect(button(detail, "Test"));
  await keyboard.tabTo(button(detail, "Pause"), "Shift+Tab");
  await keyboard.press("Enter");
  await detail.getByText("Paused.").waitFor();
  await keyboard.seen("the pause");
  await keyboard.activate(button(detail, "Replay"));
  await keyboard.expect(dialog.getByLabel("Since (UTC)"));
  await keyboard.press("Control+Enter");
  await detail.getByText("The events are sent again.").waitFor();
  await keyboard.expect(button(detail, "Replay"));
  await keyboard.activate(button(detail, "Rotate the secret"));
  await keyboard.press("Enter");
  await keyboard.expect(button(dialog, "Copy"));
  await keyboard.press("Escape", "Escape"); // they lose no secret
  await keyboard.expect(button(dialog, "I have stored it"));
  await keyboard.press("Enter");
  await keyboard.expect(button(detail, "Rotate the secret"));
  const { body } = await server.call("operatorKey", "GET", "/webhook/get?id=1");
  assert.deepEqual([body.state, body.filter.statuses, body.url], ["PAUSED", ["BLOCKED"], "http://127.0.0.1:9/hook"]);
  await keyboard.activate(button(detail, "Remove"));
  await keyboard.press("Enter");
  await page.getByText("No webhooks").waitFor();
  await keyboard.seen("the removal");
  await close(page);
});

test("A key is created, rotated and revoked, and found in the audit", async () => {
  const { page, keyboard } = await start("#/keys");
  await page.locator("[data-id]").first().waitFor();
  await keyboard.press("n");
  const form = page.getByRole("form");
  await keyboard.expect(form.getByLabel("Name"));
  await keyboard.type("By keyboard");
  await keyboard.press("Control+Enter");
  await form.getByText("Rights of organizations: must not be empty.").waitFor();
  await keyboard.expect(form.getByLabel(/^check/));
  await keyboard.press("Space", "Control+Enter");
  const dialog = page.getByRole("dialog");
  await keyboard.expect(button(dialog, "Copy"));
  await keyboard.activate(button(dialog, "I have stored it"));
  await page.getByRole("heading", { name: "By keyboard" }).waitFor();
  await keyboard.seen("the new key");

  await keyboard.press("r");
  await keyboard.expect(form.getByLabel("The old key stays valid for"));
  await keyboard.press("Control+Enter");
  await keyboard.expect(button(dialog, "Copy"));
  await keyboard.press("Escape");
  await keyboard.expect(button(dialog, "I have stored it"));
  await keyboard.press("Enter");
  await page.getByLabel("Detail").getByText("This key replaces").waitFor();
  await keyboard.seen("the rotation");

  await keyboard.press("x");
  await keyboard.expect(button(form, "Cancel"));
  await keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await keyboard.seen("the way back to the buttons");
  await keyboard.press("x");
  await keyboard.tabTo(button(form, "Revoke for good"), "Shift+Tab");
  await keyboard.press("Enter");
  await page.getByText("Revoked. Other servers").first().waitFor();
  await keyboard.seen("the revocation");

  await keyboard.press("g", "9");
  await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
  await keyboard.activate(page.getByRole("link", { name: "Audit" }));
  await keyboard.activate(page.locator(".trail").getByRole("link", { name: "By keyboard" }));
  await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
  await close(page);
});

test("A user is created without a mouse", async () => {
  const { page, keyboard } = await start("#/users");
  await page.locator("[data-id]").first().waitFor();
  await keyboard.press("n");
  const form = page.getByRole("form");
  await keyboard.expect(form.getByLabel("Full name"));
  await keyboard.press("Escape");
  await page.getByText("Nothing is open").waitFor();
  await keyboard.seen("the way back");
  await keyboard.press("n");
  await keyboard.expect(form.getByLabel("Full name"));
  await keyboard.type("Kay Board");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Kay Board" }).waitFor();
  await keyboard.seen("the new user");
  await keyboard.activate(page.getByRole("link", { name: "Create a key" }));
  await keyboard.expect(form.getByLabel("Name"));
  await close(page);
});

test("One signs in and changes the theme in Settings", async () => {
  const { page, keyboard } = await start("#/disputes", { keys: {} });
  await page.getByText("This needs your operator key.").first().waitFor();
  await keyboard.activate(page.getByRole("link", { name: "Sign in", exact: true }));
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await keyboard.tabTo(page.getByLabel("Key of your organization"));
  await keyboard.type(server.keys.key);
  await keyboard.press("Tab");
  await keyboard.type(server.keys.operatorKey);
  await keyboard.press("Tab", "Enter");
  await page.getByText("The server accepts this key.").nth(1).waitFor();
  await keyboard.expect(button(page, "Sign in"));
  await keyboard.tabTo(page.getByLabel("Theme"));
  await keyboard.press("ArrowDown", "ArrowDown");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await keyboard.tabTo(page.getByRole("link", { name: "Go back to where you were" }), "Shift+Tab");
  await keyboard.press("Enter");
  await page.locator("[data-id]").first().waitFor();
  await keyboard.expect(page.getByRole("heading", { level: 1, name: "Disputes" }));
  await close(page);
});

test("The palette has the actions of the view, and gives the focus back", async () => {
  const { page, keyboard } = await start("#/disputes?id=5");
  await button(page, "Take up").waitFor();
  await keyboard.press("Tab");
  await keyboard.expect(page.getByRole("link", { name: "Skip to content" }));
  await keyboard.press("Enter");
  await keyboard.expect(page.getByRole("heading", { level: 1 }));
  const commands = page.getByRole("button", { name: "Commands" });
  await keyboard.tabTo(commands, "Shift+Tab");
  await keyboard.press("Enter");
  await keyboard.type("no such command");
  await page.getByText("No command, record or name has these letters.").waitFor();
  await keyboard.press("Enter", "Escape");
  await keyboard.expect(commands);
  await keyboard.press("Control+k");
  await keyboard.type("take");
  await keyboard.press("Enter");
  await page.getByText("Dispute #5: under review.").first().waitFor();
  await keyboard.expect(commands);
  await keyboard.press("?");
  await keyboard.expect(button(page, "Close"));
  await keyboard.press("Enter");
  await keyboard.expect(commands);
  await keyboard.press("Control+k");
  await keyboard.type("dark");
  await keyboard.press("Enter");
  await page.locator("html[data-theme=dark]").waitFor(); // a command waits for what is recognized
  await close(page);
});

test("Long text that is shown in full does not lose the focus", async () => {
  const long = new URLSearchParams({ content: `https://long.example.com/${"a".repeat(500)}` });
  const { page, keyboard } = await start(`#/check?${long}`);
  await keyboard.activate(page.getByRole("button", { name: /Show all \d+ characters/ }));
  await keyboard.seen("the whole text");
  await close(page);
});

test("single keys work on a keyboard of other letters, and not when they are switched off", async () => {
  const { page, keyboard } = await start("#/disputes");
  const first = await page.locator("[data-id]").first().getAttribute("data-id");
  const cyrillic = (key, code) => page.evaluate((init) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true }));
  }, { key, code });
  await cyrillic("о", "KeyJ");
  await page.getByRole("heading", { name: new RegExp(`^Dispute #${first}\\b`) }).waitFor();
  await cyrillic("п", "KeyG");
  await cyrillic("à", "Digit0");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  await keyboard.goTo("Settings");
  await keyboard.tabTo(page.getByLabel("Single keys are shortcuts"));
  await keyboard.press("Space");
  await page.getByText("Single keys are switched off").waitFor({ state: "attached" });
  await keyboard.goTo("Disputes");
  await page.locator("[data-id]").first().waitFor();
  for (const key of ["j", "?", "g", "0", "/"]) {
    await page.keyboard.press(key);
  }
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.match(page.url(), /#\/disputes$/);
  await keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Commands" }).waitFor();
  await close(page);
});
