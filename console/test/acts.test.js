// What takes two operators, with four eyes on.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Server, accessible, close, launch, open } from "./harness.js";

const server = await Server.start({ fourEyes: true });
const browser = await launch();
after(() => Promise.all([browser.close(), server.stop()]));

test("A protected asset is blocked when a second operator approves it", async () => {
  const { body: user } = await server.call("operatorKey", "POST", "/user/create", { fullName: "Bea <b>Second</b>" });
  const { body: second } = await server.call("operatorKey", "POST", "/key/create",
    { userId: user.id, scopes: ["operator:read", "operator:write"] });
  const page = await open(browser, server);
  await page.locator("main textarea").fill("pages.dev");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Set a status" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Block it although that concerns many people").check();
  await dialog.getByLabel("Reason").selectOption("Other");
  await dialog.getByRole("button", { name: "Set status" }).click();
  await dialog.getByText("Note is needed, because the asset is protected.").waitFor();
  await dialog.getByLabel("Reason").selectOption("Phishing");
  await dialog.getByRole("button", { name: "Set status" }).click();
  await dialog.getByText("Nothing is changed until another operator approves this").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Overview" }).click();
  const acts = page.getByRole("region", { name: "Waits for a second operator" });
  await acts.getByText("pages.dev").waitFor();
  await accessible(page);
  await acts.getByRole("button", { name: "Approve" }).click();
  await acts.getByText("Another operator must approve the act").waitFor();
  await close(page);

  const other = await open(browser, server, "#/overview", { keys: { operatorKey: second.key } });
  const waiting = other.getByRole("region", { name: "Waits for a second operator" });
  await waiting.getByText("Asked for by Otto Operator").waitFor();
  await waiting.getByRole("button", { name: "Approve" }).click();
  await waiting.getByText("Nothing waits for a second operator.").waitFor();
  await close(other);
  const { body } = await server.call("operatorKey", "GET", "/asset/explain?content=pages.dev");
  assert.equal(body.asset.status, "BLOCKED");
});

test("An act on a list says what it would do, and is rejected", async () => {
  await server.call("operatorKey", "POST", "/list/add", { name: "feed", format: "jsonl" });
  await server.call("operatorKey", "POST", "/list/sync?name=feed", { content: "https://feed.example.com" });
  const { status } = await server.call("operatorKey", "POST", "/list/remove", { name: "feed" });
  assert.equal(status, 202);
  const page = await open(browser, server, "#/overview");
  const acts = page.getByRole("region", { name: "Waits for a second operator" });
  await acts.getByText("Remove the list feed: 1 withdrawn").waitFor();
  await acts.getByRole("button", { name: "Reject" }).click();
  await acts.getByText("Nothing waits for a second operator.").waitFor();
  await close(page);
});
