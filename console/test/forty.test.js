// Forty disputes of a day: how many keys and clicks each of them takes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { dispute } from "./desk.js";
import { Server, close, launch, open } from "./harness.js";

const many = 40;
const reason = "Looked at the page: clean.";

/** Returns a server with forty undecided disputes and a page that shows them. */
async function desk(t) {
  const server = await Server.start();
  t.after(() => server.stop());
  const browser = await launch();
  t.after(() => browser.close());
  const undecided = async () => (await server.call("operatorKey", "GET",
    "/dispute/list?states=OPEN,UNDER_REVIEW&limit=100")).body.disputes;
  const disputed = (await undecided()).map(({ content }) => content);
  const { body } = await server.call("key", "POST", "/asset/changelog", { toStatus: "BLOCKED" });
  const free = [...new Set(body.changelog.map(({ content }) => content))].filter((one) => !disputed.includes(one));
  for (const content of free.slice(0, many - disputed.length)) {
    await dispute(server, content);
  }
  // One of them is the operator's own already. A colleague's takes one more key, as it is asked about first.
  for (const { id } of (await undecided()).filter(({ state }) => state === "UNDER_REVIEW")) {
    await server.call("operatorKey", "POST", "/dispute/release", { id });
    await server.call("operatorKey", "POST", "/dispute/startReview", { id });
  }
  const page = await open(browser, server, "#/disputes");
  await page.locator("[data-id]").first().waitFor();
  const ids = (await undecided()).map(({ id }) => id).toReversed(); // the list has the oldest first
  return { server, page, ids, undecided };
}

/** Waits for the card of a dispute, and returns whether it can be taken up. */
async function shown(page, id) {
  await page.getByRole("heading", { name: new RegExp(`^Dispute #${id}\\b`) }).waitFor();
  await page.locator(".answer").waitFor();
  return page.getByRole("button", { name: "Take up" }).isVisible();
}

/** Notes in a page how long it takes from each decision until the next dispute is drawn. In milliseconds. */
function pace(page) {
  return page.evaluate(() => {
    globalThis.paces = [];
    const shown = () => /#\d+/.exec(document.querySelector(".detail:has(.answer) h2")?.textContent ?? "")?.[0];
    document.addEventListener("submit", () => {
      const [began, before] = [performance.now(), shown()];
      const look = (now) => {
        if ([undefined, before].includes(shown())) {
          requestAnimationFrame(look);
        } else {
          globalThis.paces.push(now - began);
        }
      };
      requestAnimationFrame(look);
    }, { capture: true });
  });
}

const said = (page, id, what) => page.locator(".said", { hasText: `#${id}: ${what}` }).waitFor();

test("by keyboard, a dispute takes three keys and its reason", async (t) => {
  const { page, ids, undecided } = await desk(t);
  let keys = 0;
  const press = (key) => { keys++; return page.keyboard.press(key); };
  await pace(page);
  const began = performance.now();
  await press("j");
  for (const [index, id] of ids.entries()) {
    if (await shown(page, id)) {
      await press("t");
      await said(page, id, "under review");
    }
    await press(index % 2 === 0 ? "a" : "r");
    await page.keyboard.type(reason);
    await press("Control+Enter");
    await said(page, id, index % 2 === 0 ? "accepted" : "rejected");
  }
  t.diagnostic(`${keys / many} keys and ${((performance.now() - began) / 1000 / many).toFixed(2)} s for a dispute`);
  const paces = (await page.evaluate(() => globalThis.paces)).toSorted((a, b) => a - b);
  const [median, most] = [paces[paces.length >> 1], paces.at(-1)].map(Math.round);
  t.diagnostic(`the next dispute followed ${paces.length} decisions after ${median} ms (median), ${most} at most`);
  assert.deepEqual(await undecided(), []);
  assert.equal(ids.length, many);
  assert.ok(keys <= 3 * many, `${keys} keys`);
  await close(page);
});

test("by mouse, a dispute takes four clicks and no typing but for the first reason of each kind", async (t) => {
  const { page, ids, undecided } = await desk(t);
  let clicks = 0;
  let typed = 0;
  const click = (locator) => { clicks++; return locator.click(); };
  const button = (name, place = page) => place.getByRole("button", { name, exact: true });
  const began = performance.now();
  await click(page.locator("[data-id]").first());
  for (const [index, id] of ids.entries()) {
    if (await shown(page, id)) {
      await click(button("Take up"));
      await said(page, id, "under review");
    }
    const name = index % 2 === 0 ? "Accept" : "Reject";
    await click(button(name));
    const form = page.getByRole("form");
    await form.getByLabel("Reason").waitFor();
    if (index < 2) {
      typed++;
      await page.keyboard.type(reason);
    } else {
      await click(button(reason, form));
    }
    await click(button(name, form));
    await said(page, id, `${name.toLowerCase()}ed`);
  }
  t.diagnostic(`${clicks / many} clicks and ${((performance.now() - began) / 1000 / many).toFixed(2)} s for a dispute`);
  assert.deepEqual(await undecided(), []);
  assert.equal(typed, 2);
  assert.ok(clicks <= 4 * many, `${clicks} clicks`);
  await close(page);
});
