// Rounds of decide and undo with many undecided reports: the server refuses no request of the page.
import assert from "node:assert/strict";
import { test } from "node:test";

import { close, open, shared } from "./harness.js";

const { server, browser } = await shared();

const many = 150;
const rounds = Number(process.env.CONSOLE_ROUNDS ?? 30);

test("no request is refused and no pane is lost, whatever is decided and undone", async (t) => {
  for (let index = 0; index < many; index++) {
    const { status } = await server.call("key", "POST", "/report/create", {
      title: `Fake shop ${index}`, proposals: [{ content: `shop-${index}.example.net`, proposedStatus: "BLOCKED" }],
    });
    assert.equal(status, 200);
  }
  const page = await open(browser, server, "#/reports?id=4");
  const refused = [];
  let lists = 0; // the only costly requests of a round
  page.on("request", (request) => { lists += Number(request.url().includes("/report/list?")); });
  page.on("response", (response) => {
    if ([429, 503].includes(response.status())) {
      refused.push(response.url());
    }
  });
  const error = page.locator(".notice.error");
  const heading = page.locator(".detail:has(.proposal .actions) h2");
  const first = heading.filter({ hasText: /^Report #4\b/ }).or(error).first();
  const next = heading.filter({ hasNotText: /^Report #4\b/ }).or(error).first();
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    await first.waitFor();
    await page.keyboard.press("r");
    await page.getByRole("form").waitFor();
    await page.keyboard.press("Control+Enter");
    await next.waitFor();
    await page.keyboard.press("z");
    await first.waitFor();
    assert.deepEqual(await error.allInnerTexts(), [], `round ${round}`);
    assert.deepEqual(refused, [], `round ${round}`);
  }
  assert.ok(lists <= 1 + 2 * rounds, `${lists} lists were asked for`);
  t.diagnostic(`${((performance.now() - began) / rounds).toFixed(0)} ms for a round`);
  await close(page);
});

test("a record is shown although the server was busy at first", async () => {
  const page = await open(browser, server, "#/reports");
  let left = 1;
  await page.route("**/report/get?*", (route) => (left-- > 0
    ? route.fulfill({ status: 503, contentType: "application/json", body: '{"message":"Service unavailable"}' })
    : route.continue()));
  await page.locator("[data-id]").first().waitFor();
  await page.goto(`${server.address}/#/reports?id=4`);
  await page.getByRole("heading", { name: /^Report #4\b/ }).waitFor();
  await close(page);
});
