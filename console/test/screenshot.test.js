// The picture of README.md: a link that is blocked because of its domain. With CONSOLE_SCREENSHOTS
// it is written to console.png there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Server, close, launch, open, shot } from "./harness.js";

test("Check shows why a link is blocked", async (t) => {
  const server = await Server.start();
  t.after(() => server.stop());
  const browser = await launch();
  t.after(() => browser.close());
  const page = await open(browser, server, "#/check?content=HTTPS://Login.Bad.Example.com:443/x");
  await page.getByRole("heading", { name: "Status blocked" }).waitFor();
  await page.getByText("blocked: this decides").waitFor();
  assert.match(await page.locator("li", { hasText: "this decides" }).innerText(), /^bad\.example\.com/);
  await page.getByText("It is on no organization's allowlist.").waitFor();
  await page.setViewportSize({ width: 1280, height: 930 });
  await shot(page, "console");
  await close(page);
});
