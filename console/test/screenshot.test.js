// The pictures of the documentation, from the data of the demo. With CONSOLE_SCREENSHOTS they are written there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { close, open, shared, shot } from "./harness.js";

const { server, browser } = await shared();

/** Opens a page as large as a picture. */
async function picture(hash, height) {
  const page = await open(browser, server, hash, { width: 1440 });
  await page.setViewportSize({ width: 1440, height });
  return page;
}

test("Check shows why a link is blocked", async () => {
  const page = await picture("#/check?content=HTTPS://Login.Bad.Example.com:443/x", 800);
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  await page.getByText("blocked: this decides").waitFor();
  assert.match(await page.locator("li", { hasText: "this decides" }).innerText(), /^bad\.example\.com/);
  await page.getByText("It is on no organization's allowlist.").waitFor();
  await shot(page, "console");
  await close(page);
});

test("A dispute shows what is known of its asset beside the queue", async () => {
  const page = await picture("#/disputes?id=6", 800);
  await page.getByRole("heading", { name: "Dispute #6" }).waitFor();
  await page.locator("dt", { hasText: "Same asset" }).waitFor();
  assert.equal(await page.locator(".item").count(), 5);
  await shot(page, "console-disputes");
  await close(page);
});
