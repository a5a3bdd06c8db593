// Webhooks in Chromium, with a receiver that verifies what the server sends.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { check, close, open, shared } from "./harness.js";
import { waitUntil } from "./keyboard.js";
import { Receiver, signedBy } from "./receiver.js";

const { server, browser } = await shared();
const receiver = await Receiver.start();
after(() => receiver.stop());

const button = (place, name) => place.getByRole("button", { name, exact: true });

/** Sets a status, which is a change to send. */
async function change(content, status) {
  const { status: code } = await server.call("operatorKey", "POST", "/asset/setStatus", { content, status });
  assert.equal(code, 200);
}

/** Creates a webhook through the API, and opens it on a page. */
async function withWebhook(options = {}) {
  const { body } = await server.call("operatorKey", "POST", "/webhook/create",
    { url: receiver.url, events: ["asset.status_changed"], ...options });
  receiver.messages = [];
  receiver.status = 204;
  const page = await open(browser, server, `#/webhooks?id=${body.id}`);
  await page.getByRole("heading", { name: `Webhook #${body.id}` }).waitFor();
  return { page, webhook: body, detail: page.getByRole("region", { name: "Detail" }) };
}

test("the address of a new webhook opens its form", async () => {
  const page = await open(browser, server, "#/webhooks?id=new");
  await page.getByRole("dialog", { name: "Create a webhook" }).getByLabel("URL").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  await close(page);
});

/** Waits until a webhook is stored as it must be. */
function stored(page, id, condition) {
  let last;
  return waitUntil(page, async () => {
    last = (await server.call("operatorKey", "GET", `/webhook/get?id=${id}`)).body;
    return condition(last);
  }, () => JSON.stringify(last));
}

/** Leaves the view and comes back to the list as it is now. */
async function again(page) {
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.locator("[data-id]").first().waitFor();
}

/** Closes the page and removes the webhook. */
async function done(page, { id }) {
  await close(page);
  await server.call("operatorKey", "POST", "/webhook/remove", { id });
}

/** Takes the secret from the dialog that shows it, and closes that. */
async function takeSecret(page) {
  const dialog = page.getByRole("dialog", { name: /ecret of webhook/ });
  const secret = await dialog.getByRole("textbox", { name: "Secret" }).inputValue();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  await button(dialog, "I have stored it").click();
  await dialog.waitFor({ state: "detached" });
  return secret;
}

test("A webhook is created, tested, and told of a change", async () => {
  const page = await open(browser, server, "#/webhooks");
  await page.getByText("No webhooks").waitFor();
  await check(page, "webhooks-none");
  await button(page, "Create a webhook").click();
  const dialog = page.getByRole("dialog", { name: "Create a webhook" });
  await dialog.getByLabel(/^Only assets/).locator("option").first().waitFor({ state: "attached" });
  await check(page, "dialog-webhook");
  await dialog.getByLabel("URL").fill("ftp://receiver.example");
  await dialog.getByLabel("the status of an asset changes").uncheck();
  await button(dialog, "Create").click();
  await dialog.getByText("Send a message when: must not be empty.").waitFor(); // beside the boxes
  await dialog.getByText(/^URL must start with https/).waitFor();
  await check(page, "dialog-webhook-issues");
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByLabel("the status of an asset changes").check();
  await dialog.getByLabel("Blocked").check();
  await dialog.getByLabel(/^Only assets/).selectOption(["URL", "PAGE"]);
  await button(dialog, "Create").click();

  const shown = page.getByRole("dialog", { name: "Secret of webhook #1" });
  await shown.waitFor();
  await check(page, "dialog-secret");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(shown, "Copy").click();
  await shown.getByText("Copied.").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const secret = await takeSecret(page);
  assert.equal(copied, secret);
  await page.getByRole("heading", { name: "Webhook #1" }).waitFor();
  const facts = await page.locator(".facts").innerText();
  assert.match(facts, /New status\s+blocked/);
  assert.match(facts, /Types\s+URL, PAGE/);
  assert.equal((await page.content()).includes(secret), false, "the secret is shown once");

  await button(page, "Test").click();
  await page.getByText("Test message: accepted (204)").waitFor();
  const tested = await receiver.message(page, 1);
  assert.equal(tested.type, "webhook.test");
  signedBy(tested, secret);
  await check(page, "webhook");

  await change("https://allowed.webhooks.example", "ALLOWED"); // not what it asks for
  await change("https://blocked.webhooks.example", "BLOCKED");
  const told = await receiver.message(page, 2);
  assert.deepEqual(told.data.changes.map(({ content }) => content), ["https://blocked.webhooks.example"]);
  signedBy(told, secret);
  await done(page, { id: 1 });
});

test("A receiver that fails is shown, paused and tried again", async () => {
  const { page, webhook, detail } = await withWebhook();
  receiver.status = 500;
  await change("https://failing.webhooks.example", "BLOCKED");
  await stored(page, webhook.id, ({ failures }) => failures === 1);
  await again(page);
  const item = page.locator(`[data-id="${webhook.id}"]`);
  await item.getByText("refused (not reachable), 1 failure").waitFor();
  await item.click();
  await detail.getByText("1 since").waitFor();
  await check(page, "webhook-failing");
  await button(detail, "Test").click();
  await detail.getByText("Test message: refused (not reachable)").waitFor();

  await button(detail, "Pause").click();
  await detail.getByText("Paused.").waitFor();
  await item.getByText("paused").waitFor();
  await check(page, "webhook-paused");
  await button(detail, "Resume").click();
  await detail.getByText("Resumed.").waitFor();
  await stored(page, webhook.id, ({ failures, dueAt }) => failures === 1 && dueAt > new Date().toISOString());
  receiver.status = 204;
  await again(page);
  await item.click();
  await button(detail, "Try again now").click();
  await stored(page, webhook.id, ({ failures, last }) => failures === 0 && last.status === 204);
  const [first, ...others] = receiver.messages.filter(({ type }) => type === "asset.status_changed");
  assert.ok(others.length >= 2); // an attempt of its own may have come in between
  for (const { headers, body } of others) {
    assert.equal(headers["webhook-id"], first.headers["webhook-id"], "the same message each time");
    assert.equal(body, first.body);
  }

  receiver.status = 410;
  await change("https://gone.webhooks.example", "BLOCKED");
  await stored(page, webhook.id, ({ state }) => state === "DISABLED");
  await again(page);
  await item.click();
  await detail.getByText("it wants no more messages").waitFor();
  await check(page, "webhook-disabled");
  await done(page, webhook);
});

test("Changes are replayed from a time, and from the beginning", async () => {
  const { page, webhook, detail } = await withWebhook();
  const dialog = page.getByRole("dialog", { name: `Replay events to webhook #${webhook.id}` });
  const content = "https://replayed.webhooks.example";
  await change(content, "BLOCKED");
  const [first] = await receiver.until(page, content);
  await stored(page, webhook.id, ({ last }) => last !== null);
  await button(detail, "Replay").click();
  await dialog.waitFor();
  await check(page, "dialog-replay");
  await dialog.getByLabel("Since (UTC)").fill(new Date().toISOString().slice(0, 16));
  receiver.messages = [];
  await button(dialog, "Replay").click();
  await detail.getByText("The events are sent again.").waitFor();
  const recent = await receiver.until(page, content);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const isRecent = ({ data }) => data.changes.every(({ updatedAt }) => updatedAt > hourAgo);
  assert.ok(recent.every(isRecent), "not what is older");
  const ids = recent.map(({ headers }) => headers["webhook-id"]);
  assert.equal(ids.includes(first.headers["webhook-id"]), false);

  receiver.messages = [];
  await button(detail, "Replay").click();
  await button(dialog, "Replay").click();
  await detail.getByText("The events are sent again.").waitFor();
  const [oldest] = await receiver.until(page, content);
  assert.equal(isRecent(oldest), false);
  await done(page, webhook);
});

test("A secret is rotated, and signs beside the old one", async () => {
  const { page, webhook, detail } = await withWebhook();
  await button(detail, "Rotate the secret").click();
  const dialog = page.getByRole("dialog", { name: `Rotate the secret of webhook #${webhook.id}` });
  await check(page, "dialog-rotate");
  await button(dialog, "Rotate").click();
  const secret = await takeSecret(page);
  assert.notEqual(secret, webhook.secret);
  await detail.getByText("Old secret until").waitFor();
  await button(detail, "Test").click();
  signedBy(await receiver.message(page, 1), secret, webhook.secret);
  assert.equal((await page.content()).includes(secret), false);
  await done(page, webhook);
});

test("Where a page may not copy, the secret is selected", async () => {
  const { page, webhook, detail } = await withWebhook();
  await page.evaluate(() => { // as on a page over http
    Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
  });
  await button(detail, "Rotate the secret").click();
  await button(page.getByRole("dialog"), "Rotate").click();
  await button(page, "Copy").click();
  await page.getByText("The secret is selected").waitFor();
  const selected = await page.getByRole("textbox", { name: "Secret" }).evaluate((input) =>
    input.value.slice(input.selectionStart, input.selectionEnd));
  assert.equal(selected, await takeSecret(page));
  await done(page, webhook);
});

test("A webhook is removed after a confirmation", async () => {
  const { page, webhook, detail } = await withWebhook();
  const dialog = page.getByRole("dialog", { name: `Remove webhook #${webhook.id}` });
  await button(detail, "Remove").click();
  await check(page, "dialog-remove");
  await button(dialog, "Cancel").click();
  await dialog.waitFor({ state: "detached" });
  assert.equal((await server.call("operatorKey", "GET", `/webhook/get?id=${webhook.id}`)).status, 200);
  await button(detail, "Remove").click();
  await button(dialog, "Remove").click();
  await page.getByText("No webhooks").waitFor();
  assert.equal((await server.call("operatorKey", "GET", `/webhook/get?id=${webhook.id}`)).status, 404);
  await close(page);
});

test("A view that was left while a secret was shown does not come back", async () => {
  const page = await open(browser, server, "#/webhooks");
  await button(page, "Create a webhook").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(receiver.url);
  await button(dialog, "Create").click();
  await button(dialog, "Copy").waitFor();
  const id = Number(/\d+/.exec(await dialog.getByRole("heading").innerText())[0]);
  await page.evaluate(() => new Promise((resolve) => {
    document.querySelector("dialog").addEventListener("close", () => setTimeout(resolve)); // and what it leads to
    location.hash = "#/settings";
  }));
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  assert.equal(new URL(page.url()).hash, "#/settings");
  assert.equal(await dialog.count(), 0);
  await done(page, { id });
});

test("Hostile text in a URL stays text", async () => {
  const url = `${receiver.url}?<img src=x onerror=alert(1)>&\u202etxt`;
  const { page, webhook, detail } = await withWebhook({ url });
  await detail.getByText("U+202E").waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  assert.equal(await page.locator("main a[href^='http']").count(), 0);
  await done(page, webhook);
});
