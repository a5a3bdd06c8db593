// Lists in Chromium: with files of this machine, and with a server that publishes one.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { dispute } from "./desk.js";
import { check, close, open, shared } from "./harness.js";
import { Keyboard, waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

/** What the site of a list answers. */
let published = { status: 200, text: "" };
const site = createServer((_, response) => response.writeHead(published.status).end(published.text));
site.listen(0, "127.0.0.1");
await once(site, "listening");
after(() => site.close());
const url = `http://127.0.0.1:${site.address().port}/<b>\u202e.txt`;

const button = (place, name) => place.getByRole("button", { name, exact: true });
const detailOf = (page) => page.getByRole("region", { name: "Detail" });

/** Chooses a file for the list that is open. */
function choose(page, text) {
  return page.getByLabel("Sync with a file")
    .setInputFiles({ name: "domains.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
}

async function listed(name) {
  const { body } = await server.call("operatorKey", "GET", "/list/list");
  return body.lists.find((list) => list.name === name);
}

test("A list is added, gets files, and is removed", async () => {
  const page = await open(browser, server, "#/lists");
  await page.getByText("No lists").waitFor();
  await check(page, "lists-none");
  await button(page, "Add a list").click();
  const dialog = page.getByRole("dialog", { name: "Add a list" });
  await check(page, "dialog-list");
  await dialog.getByLabel("Name").fill("Acme Feed");
  await dialog.getByLabel("Fetch every").fill("1h");
  await button(dialog, "Add").click();
  await dialog.getByText(/^Name must be from 1 to 64 bytes/).waitFor();
  await dialog.getByText("Fetch every must not be given without a URL.").waitFor();
  await check(page, "dialog-list-issues");
  await dialog.getByLabel("Name").fill("acme-feed");
  await dialog.getByLabel("Fetch every").fill("");
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await button(dialog, "Add").click();
  const detail = detailOf(page);
  await detail.getByRole("heading", { name: "acme-feed" }).waitFor();
  assert.match(await detail.innerText(), /Last synced\s+never/);

  await choose(page, "one.lists.example.com\ntwo.lists.example.com\nno domain\n");
  const question = page.getByRole("form", { name: "Sync acme-feed with this file?" });
  await question.getByText("2 added, 0 withdrawn, 0 kept, 1 refused").waitFor();
  assert.match(await question.innerText(), /Refused\s+Line 3:\s*no domain\s*is not a host/);
  await check(page, "question-sync");
  assert.equal((await listed("acme-feed")).syncedAt, null, "nothing is done before the answer");
  await button(question, "Cancel").click();
  await choose(page, "one.lists.example.com\ntwo.lists.example.com\n"); // the same file again
  await question.getByText("2 added, 0 withdrawn, 0 kept.").waitFor();
  await question.getByRole("button", { name: /^Sync/ }).click();
  await detail.getByText("Synced: 2 added, 0 withdrawn, 0 kept.").waitFor();
  await page.locator("[data-id=acme-feed]").getByText("Phishing · 2 entries").waitFor();
  await check(page, "list");

  const card = await open(browser, server, `#/disputes?id=${await dispute(server, "one.lists.example.com")}`);
  const holds = card.locator("dt", { hasText: /^Lists$/ }).locator("xpath=following-sibling::dd[1]");
  await holds.getByText("acme-feed", { exact: true }).waitFor();
  await close(card);

  await choose(page, "<html>");
  await page.getByText("list: must be a list, not an HTML or XML page").waitFor();
  await choose(page, "# nothing today\n");
  await question.getByText("0 added, 2 withdrawn, 0 kept").waitFor();
  await question.getByText("Would be withdrawn").waitFor();
  await question.getByText("two.lists.example.com").waitFor();
  await question.getByText("Nothing was changed, because this looks like a mistake.").waitFor();
  await check(page, "question-sync-stopped");
  await question.getByRole("button", { name: /^Sync all the same/ }).click();
  await detail.getByText("Synced: 0 added, 2 withdrawn, 0 kept.").waitFor();
  assert.equal((await listed("acme-feed")).entries, 0);

  await button(detail, "Remove").click();
  const removal = page.getByRole("form", { name: "Remove acme-feed" });
  await check(page, "question-remove-list");
  await button(removal, "Cancel").click();
  assert.ok(await listed("acme-feed"));
  await button(detail, "Remove").click();
  await removal.getByRole("button", { name: /^Remove for good/ }).click();
  await page.getByText("No lists").waitFor();
  await detail.getByText("The list acme-feed was removed. Entries withdrawn: 0.").waitFor();
  assert.equal(await listed("acme-feed"), undefined);
  await close(page);
});

test("A list with a URL is fetched by the server, and on demand", async () => {
  published = { status: 200, text: "one.lists.example.com\ntwo.lists.example.com\n" };
  const page = await open(browser, server, "#/lists");
  await button(page, "Add a list").click();
  const dialog = page.getByRole("dialog", { name: "Add a list" });
  await dialog.getByLabel("Name").fill("published");
  await dialog.getByLabel("URL").fill(url);
  await dialog.getByLabel("Fetch every").fill("90m");
  await button(dialog, "Add").click();
  const detail = detailOf(page);
  await detail.getByText("every 1h30m").waitFor();
  await detail.getByText("U+202E").waitFor(); // hostile text stays text
  let last;
  await waitUntil(page, async () => { // by the server itself
    last = await listed("published");
    return last.syncedAt !== null;
  }, () => JSON.stringify(last));

  published.text += "three.lists.example.com\n";
  await button(detail, "Fetch now").click();
  await detail.getByText("Synced: 1 added, 0 withdrawn, 2 kept.").waitFor();
  published.text = "";
  await button(detail, "Fetch now").click();
  const question = page.getByRole("form", { name: "Sync published with this file?" });
  await question.getByText("0 added, 3 withdrawn, 0 kept").waitFor();
  await button(question, "Cancel").click();
  assert.equal((await listed("published")).entries, 3);
  await button(detail, "Fetch now").click();
  await question.getByRole("button", { name: /^Sync all the same/ }).click();
  await detail.getByText("Synced: 0 added, 3 withdrawn, 0 kept.").waitFor();

  published.status = 404;
  await button(detail, "Fetch now").click();
  await detail.getByText("The file was not received: status 404").waitFor();
  assert.equal((await listed("published")).failures, 0, "an attempt by hand");
  await server.call("operatorKey", "POST", "/list/add", { name: "gone", format: "domains", url });
  await waitUntil(page, async () => (await listed("gone")).failures === 1, () => "gone"); // by the server itself
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Lists" }).click();
  await page.locator("[data-id=gone]").getByText("failed once").click();
  await detail.locator("dd", { hasText: "status 404" }).getByText("failed once since").waitFor();
  await check(page, "list-failed");
  await server.call("operatorKey", "POST", "/list/remove", { name: "published" });
  await server.call("operatorKey", "POST", "/list/remove", { name: "gone" });
  await close(page);
});

test("A list is changed, and keeps what it holds until its next sync", async () => {
  const entry = { content: "https://changed.lists.example.com" };
  await server.call("operatorKey", "POST", "/list/add", { name: "changing", format: "jsonl", reason: "PHISHING" });
  await server.call("operatorKey", "POST", "/list/sync?name=changing", entry); // a file of one line
  const page = await open(browser, server, "#/lists?id=changing");
  const detail = detailOf(page);
  await button(detail, "Change").click();
  const dialog = page.getByRole("dialog", { name: "Change changing" });
  assert.equal(await dialog.getByLabel("Format of the files").inputValue(), "jsonl");
  assert.equal(await dialog.getByLabel("Reason").inputValue(), "PHISHING");
  await check(page, "dialog-list-change");
  await dialog.getByLabel("Reason").selectOption("Legitimate");
  await dialog.getByLabel("Fetch every").fill("1h");
  await button(dialog, "Change").click();
  await dialog.getByText("Reason must be a reason of the status BLOCKED.").waitFor();
  await dialog.getByText("Fetch every must not be given without a URL.").waitFor();
  await dialog.getByLabel("Reason").selectOption("Scam");
  await dialog.getByLabel("Fetch every").fill("");
  await button(dialog, "Change").click();
  await detail.getByText("Changed.").waitFor();
  await page.locator("[data-id=changing]").getByText("Scam · 1 entry").waitFor();
  const before = await listed("changing");
  assert.deepEqual([before.reason, before.entries, before.url], ["SCAM", 1, null]);

  published = { status: 200, text: `${JSON.stringify(entry)}\n` };
  await button(detail, "Change").click();
  await server.call("operatorKey", "POST", "/list/update", { name: "changing", reason: "DRAINER" });
  await dialog.getByLabel("URL").fill(url);
  await button(dialog, "Change").click();
  await detail.getByText("every 1h").waitFor();
  let last;
  await waitUntil(page, async () => { // by the server itself
    last = await listed("changing");
    return last.syncedAt > before.syncedAt;
  }, () => JSON.stringify(last));
  assert.equal(last.reason, "DRAINER", "what another operator has changed meanwhile stays");
  await button(detail, "Change").click();
  await dialog.getByLabel("URL").fill("");
  await button(dialog, "Change").click();
  await detail.getByText("none: it gets its files by hand").waitFor();
  assert.equal((await listed("changing")).every, null);
  await server.call("operatorKey", "POST", "/list/remove", { name: "changing" });
  await close(page);
  const audit = await open(browser, server, "#/users?tab=audit&kind=LIST");
  await audit.getByText(/changed the list changing: url, every/).first().waitFor();
  await close(audit);
});

test("A list is added and removed without a mouse", async () => {
  const page = await open(browser, server, "#/lists");
  const keyboard = new Keyboard(page);
  await page.getByText("No lists").waitFor();
  await keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "Add a list" });
  await keyboard.expect(dialog.getByLabel("Name"));
  await keyboard.press("Escape");
  await keyboard.press("n");
  await keyboard.type("by-keyboard");
  await keyboard.press("Control+Enter");
  const detail = detailOf(page);
  await detail.getByRole("heading", { name: "by-keyboard" }).waitFor();
  await keyboard.seen("the new list");
  await keyboard.activate(button(detail, "Change"));
  await keyboard.expect(page.getByRole("dialog", { name: "Change by-keyboard" }).getByLabel("Format of the files"));
  await keyboard.press("Escape");
  await keyboard.expect(button(detail, "Change"));
  await keyboard.activate(button(detail, "Remove"));
  const removal = page.getByRole("form", { name: "Remove by-keyboard" });
  await keyboard.expect(button(removal, "Cancel"));
  await keyboard.press("Escape");
  await keyboard.expect(button(detail, "Remove"));
  await keyboard.press("Enter", "Control+Enter");
  await page.getByText("No lists").waitFor();
  await keyboard.seen("the removal");
  await close(page);
});
