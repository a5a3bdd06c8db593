// axe on what is not a view at rest: dialogs, errors, empty places and waiting, in both themes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { check, close, open, shared } from "./harness.js";
import { routeAdds } from "./list.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });

/** Goes to another view of the open page. */
async function go(page, hash, ready) {
  await page.goto(`${server.address}/${hash}`);
  await ready.first().waitFor();
}

/** Checks the question that takes the place of a button, and takes it back. */
async function question(page, opener, name) {
  await opener.click();
  await page.getByRole("form", { name: /./ }).waitFor();
  await check(page, `question-${name}`);
  await page.keyboard.press("Escape");
  await opener.waitFor();
}

/** Checks the dialog that a button opens, and closes it. */
async function dialog(page, opener, name) {
  await opener.click();
  await page.getByRole("dialog", { name: /./ }).waitFor(); // axe does not look for the name
  await check(page, `dialog-${name}`);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("Dialogs of Check", async () => {
  const page = await open(browser, server, "#/check?content=bad.example.com");
  for (const name of ["Dispute this", "Set a status"]) {
    await dialog(page, button(page, name), name);
  }
  await button(page, "Dispute this").click();
  await page.getByRole("dialog").getByLabel("E-mail").fill("no address");
  await button(page, "Create the dispute").click();
  await page.getByRole("dialog").getByText(/^E-mail must be/).waitFor();
  await check(page, "dialog-issues");
  await page.getByRole("dialog").getByLabel("E-mail").fill("axe@mail.example");
  await button(page, "Create the dispute").click();
  await page.getByText(/^Dispute #\d+ was created/).first().waitFor();
  await check(page, "check-disputed");
  await close(page);
});

test("Dialogs of Allowlist, and of a link with keys", async () => {
  const page = await open(browser, server, "#/allowlist?tab=entries");
  await page.getByText("github.com/acme").waitFor();
  await dialog(page, page.getByRole("button", { name: "Remove github.com/acme" }), "remove-entry");
  await page.getByLabel("Select github.com/acme").check();
  await dialog(page, button(page, "Remove 1 selected"), "remove-selected");
  await page.getByLabel("Begins with").fill("no.such.entry");
  await page.getByText("No entry matches").waitFor();
  await check(page, "empty-entries");
  await go(page, "#/allowlist?tab=add", page.getByText("No lines yet"));
  await page.locator("main textarea").fill("bad.example.com\nhttps://axe-plan.example.com\nbad.example.com");
  await page.locator("[data-state=ready]").waitFor();
  await dialog(page, button(page, "Add to the allowlist"), "unblock");
  await check(page, "allowlist-would-unblock");
  await page.goto(`${server.address}/#/check?key=apg_of_a_stranger`);
  await page.getByRole("dialog").getByText("Replace your keys?").waitFor();
  await check(page, "dialog-keys-of-link");
  await close(page);
});

test("Questions of Disputes", async () => {
  const page = await open(browser, server, "#/disputes?id=2");
  for (const name of ["Accept", "Reject", "Withdraw", "Comment"]) {
    await question(page, button(page, name), name);
  }
  await go(page, "#/disputes?id=4", button(page, "Release"));
  await button(page, "Release").click(); // a colleague has it
  await button(page, "Release anyway").click();
  await page.getByRole("form", { name: "Release dispute #4" }).waitFor();
  await check(page, "question-release");
  await go(page, "#/disputes?id=1", button(page, "Reopen"));
  await question(page, button(page, "Reopen"), "reopen");
  await close(page);
});

test("Questions of Reports", async () => {
  const page = await open(browser, server, "#/reports?id=3");
  for (const name of ["Approve", "Reject", "Skip", "Escalate"]) {
    await question(page, page.locator(".proposal").first().getByRole("button", { name }), name);
  }
  await question(page, button(page, "Escalate what is undecided"), "escalate");
  await go(page, "#/reports?id=1", page.getByText("All reviews"));
  await question(page, page.getByRole("button", { name: "Withdraw the review" }), "withdraw-review");
  await page.getByText("All reviews").click();
  await page.locator(".proposal .timeline").waitFor();
  await check(page, "reviews");
  await close(page);
});

test("The palette and the shortcuts", async () => {
  const page = await open(browser, server, "#/disputes?id=3");
  await button(page, "Take up").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Commands" }).waitFor();
  await check(page, "palette");
  await page.keyboard.type("no such command");
  await page.getByText("No command, record or name has these letters.").waitFor();
  await check(page, "palette-none");
  await page.keyboard.press("Escape");
  await page.locator("h1:focus").waitFor(); // until then the field of the palette takes the keys
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Shortcuts" }).waitFor();
  await check(page, "shortcuts");
  await close(page);
});

test("Refusals: no key, a wrong key, a key for something else, a record that does not exist", async () => {
  for (const [name, keys, text] of [
    ["no-key", {}, "This needs your operator key."],
    ["wrong-key", { operatorKey: "apg_wrong" }, "The server no longer accepts your operator key."],
    ["other-key", { operatorKey: server.keys.key }, "The server does not let you do this with your operator key."],
    ["missing", server.keys, /not found/i],
  ]) {
    const page = await open(browser, server, "#/disputes?id=999", { keys });
    await page.getByText(text).first().waitFor();
    await check(page, `refusal-${name}`);
    await close(page);
  }
});

test("Errors: the server is away, fails, or refuses what was entered", async () => {
  const page = await open(browser, server, "#/check");
  await page.route("**/api/v2/asset/check", (route) => route.abort());
  await page.locator("main textarea").fill("bad.example.com");
  await button(page, "Check").click();
  await page.getByText("The server cannot be reached").waitFor();
  await check(page, "error-away");
  await page.route("**/operator/dispute/**", (route) => route.fulfill({
    status: 500, contentType: "application/json",
    body: `{"code":"INTERNAL_SERVER_ERROR","message":"Internal server error"}`,
  }));
  await go(page, "#/disputes?id=2", page.getByText("Internal server error"));
  await check(page, "error-500");
  await go(page, "#/changelog?startDate=2026-05-05&endDate=2026-05-01", page.locator(".notice.error li"));
  await check(page, "error-invalid");
  await go(page, "#/allowlist?tab=add", page.getByText("No lines yet"));
  const picture = Buffer.from([137, 80, 78, 71, 0, 0, 0]);
  await page.getByLabel("Text file").setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: picture });
  await page.getByText("This is not a text file").waitFor();
  await check(page, "error-binary");
  await close(page);
});

test("Empty places", async () => {
  const page = await open(browser, server, "#/disputes?email=nobody@nowhere.example");
  await page.getByText("Nothing undecided matches").waitFor();
  await check(page, "empty-disputes");
  await go(page, "#/reports?searchQuery=no+such+report", page.getByText("Nothing here"));
  await check(page, "empty-reports");
  await go(page, "#/changelog?content=no.such.example", page.getByText("No changes"));
  await check(page, "empty-changelog");
  await go(page, "#/check", page.getByText("Try one:"));
  await page.locator("main textarea").fill("no asset at all");
  await page.getByRole("heading", { name: "Not recognized" }).waitFor();
  await check(page, "not-recognized");
  await close(page);
});

test("Waiting: a slow server, a pause, and a server that is away", async () => {
  const page = await open(browser, server, "#/settings");
  const held = [];
  await page.route(/\/(operator|api)\//, (route) => { held.push(route); });
  const letGo = (act) => Promise.all(held.splice(0).map(act));
  await go(page, "#/overview", page.getByText("Loading …"));
  await check(page, "waiting-overview");
  await go(page, "#/allowlist?tab=entries", page.getByText("Loading …"));
  await check(page, "waiting-entries");
  await go(page, "#/disputes?id=2", page.getByText("Loading …"));
  await check(page, "waiting-disputes");
  await go(page, "#/changelog", page.getByText("Reading …"));
  await check(page, "waiting-changelog");
  await go(page, "#/check?content=bad.example.com", page.getByText("Loading …"));
  await check(page, "waiting-check");
  await letGo((route) => route.abort());

  await go(page, "#/allowlist?tab=add", page.getByText("No lines yet"));
  await page.locator("main textarea").fill("https://waiting.example.com\nhttps://patience.example.com");
  await page.locator("[data-state=ready]").waitFor();
  await button(page, "Ask the server first").click();
  await page.locator("[data-state=planning]").waitFor();
  await check(page, "waiting-planning");
  await button(page, "Cancel").click();
  await letGo((route) => route.abort());
  await page.unroute(/\/(operator|api)\//);
  await routeAdds(page, (route) => { held.push(route); });
  await button(page, "Add to the allowlist").click();
  await page.locator("[data-state=sending]").waitFor();
  await check(page, "waiting-sending");
  await button(page, "Pause").click();
  await page.locator("[data-state=paused]").waitFor();
  await check(page, "waiting-paused");
  await letGo((route) => route.abort());
  await page.unroute("**/organization/assets");
  await page.route(/\/api\//, (route) => route.abort());
  await button(page, "Resume").click();
  await page.locator("[data-state=waiting]").waitFor();
  await check(page, "waiting-away");
  await close(page);
});

test("Results: a list that was sent, and a key that was refused meanwhile", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const lines = ["https://axe.example.com", "no asset", "@axe_account", "https://xn--80ak6aa92e.com"];
  await page.locator("main textarea").fill(lines.join("\n"));
  await page.locator("[data-state=ready]").waitFor();
  await page.getByText("For all lines").click();
  await check(page, "allowlist-details");
  await button(page, "Add to the allowlist").click();
  await button(page.getByRole("dialog"), "Add all 3").click(); // one looks like another domain
  await page.locator("[data-state=done]").waitFor();
  await page.getByText("Types, and what is refused").scrollIntoViewIfNeeded();
  const shares = await page.locator(".shares li").allInnerTexts();
  assert.deepEqual(shares.map((text) => text.replace(/\s+/g, " ")),
    ["URL 2 50 %", "TWITTER 1 25 %", "refused 1 25 %"]);
  await check(page, "allowlist-done");
  await go(page, "#/settings", page.getByLabel("Operator key"));
  await page.getByLabel("Operator key").fill("apg_wrong");
  await button(page, "Sign in").click();
  await page.getByText("The server does not accept this key.").waitFor();
  await check(page, "settings-refused");
  await close(page);
});
