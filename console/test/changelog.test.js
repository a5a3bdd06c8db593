// The changelog: searches that the page does itself, the chart, and following the feed.
import assert from "node:assert/strict";
import { test } from "node:test";

import { check, close, open, shared } from "./harness.js";
import { waitUntil } from "./keyboard.js";

const { server, browser } = await shared();

const setStatus = (content, status, reason = null) =>
  server.call("operatorKey", "POST", "/asset/setStatus", { content, status, reason });
const contents = (page) => page.locator(".rows .row a").allInnerTexts();
const all = async () => (await server.call("key", "POST", "/asset/changelog", {})).body.changelog;

/** Opens the changelog after everything was read. */
async function changelog(query = "") {
  const page = await open(browser, server, `#/changelog${query}`);
  await page.getByText(/changes, newest first/).waitFor();
  return page;
}

test("a domain finds everything under it, and the page says what it searched", async () => {
  const page = await changelog();
  await page.getByLabel("Content").fill("HTTPS://Acme.Example.com/any/page");
  await page.getByLabel("Search by").selectOption("domain");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("button", { name: "Read the whole changelog" }).click();
  const state = page.locator(".state", { hasText: "of everything under acme.example.com" });
  await state.waitFor();
  const under = (await all()).map(({ content }) => content)
    .filter((content) => /^(https:\/\/)?([^/]*\.)?acme\.example\.com(\/|$)/.test(content));
  assert.ok(under.length >= 4);
  assert.match(await state.innerText(), new RegExp(`^${under.length} changes, newest first`));
  assert.deepEqual(await contents(page), under);
  await check(page, "changelog-domain");
  await close(page);
});

test("a beginning finds canonical forms with and without their scheme", async () => {
  const page = await changelog("?match=prefix&content=claim-airdrop-1");
  await page.getByText(/of assets that begin with/).waitFor();
  const found = await contents(page);
  assert.ok(found.length > 1);
  assert.ok(found.every((content) => /^(https:\/\/)?claim-airdrop-1/.test(content)));
  await close(page);
});

test("an exact asset without changes leads to the wider searches", async () => {
  const page = await open(browser, server, "#/changelog?content=phish.example.net");
  await page.getByText("No change of exactly this asset matches.").waitFor();
  await check(page, "changelog-nothing");
  await page.getByRole("link", { name: "Search its domain" }).click();
  await page.getByRole("button", { name: "Read the whole changelog" }).click();
  await page.getByText(/of everything under phish\.example\.net/).waitFor();
  await close(page);
});

test("what has no domain is said to have none", async () => {
  const address = "0x1111111111111111111111111111111111111111";
  const page = await open(browser, server, `#/changelog?match=domain&content=${address}`);
  await page.getByText("is no domain. Search for its beginning instead.").waitFor();
  await close(page);
});

test("the page scrolls and the head of the list stays; a row is a link", async () => {
  const page = await changelog();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const head = page.locator(".row.head");
  await waitUntil(page, () => head.evaluate((row) => row.getBoundingClientRect().top < innerHeight / 4),
    () => "the head is not at the top");
  assert.ok(await head.evaluate((row) => row.getBoundingClientRect().top >= 0), "the head is in sight");
  const oldest = (await all()).at(-1).content;
  const row = page.locator(".rows .row", { hasText: oldest });
  const { width, height } = await row.boundingBox();
  await row.click({ position: { x: width - 5, y: height / 2 } });
  await page.getByRole("heading", { level: 1, name: "Asset" }).waitFor();
  assert.equal(await page.getByLabel("Domain, link, account or address").inputValue(), oldest);
  await close(page);
});

test("one bulk day does not flatten the chart, and a day is chosen by mouse and by keyboard", async () => {
  const page = await open(browser, server, "#/settings");
  const entry = (day, index) => ({
    assetId: index, type: "URL", content: `https://d${day}-${index}.example.com`, fromStatus: "UNKNOWN",
    toStatus: "BLOCKED", updatedAt: `2026-05-${String(day).padStart(2, "0")}T12:00:00.000Z`,
  });
  const many = (day) => day === 11 ? 3000 : 5;
  const entries = Array.from({ length: 20 }, (_, index) => 20 - index)
    .flatMap((day) => Array.from({ length: many(day) }, (_, index) => entry(day, index)));
  await page.route("**/asset/changelog", (route) => route.fulfill({ json: { changelog: entries } }));
  await page.getByRole("link", { name: "Changelog" }).click();
  await page.getByText("3,095 changes, newest first").waitFor();
  const heights = await page.locator(".days .bar")
    .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute("height"))));
  assert.equal(heights.length, 20);
  assert.ok(Math.min(...heights) > 50, `of 100, a usual day has ${Math.min(...heights)}`);
  await page.getByText("▲ 3,000").waitFor();
  await page.locator(".axis-y").getByText("8", { exact: true }).waitFor();
  await page.locator(".axis-x").getByText("05-20").waitFor();
  await page.getByRole("slider").hover();
  await page.locator(".tip", { hasText: "2026-05-11: 3,000" }).waitFor();
  await check(page, "changelog-bulk");
  await page.getByRole("slider").click();
  await page.waitForURL(/startDate=2026-05-11&endDate=2026-05-11/);
  await page.getByRole("link", { name: "since 2026-05-11" }).waitFor();
  await page.goBack();
  await page.getByText("3,095 changes, newest first").waitFor();
  await page.getByRole("slider").focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.getByRole("slider").getAttribute("aria-valuetext"), "2026-05-19: 5, 5 to blocked");
  await page.keyboard.press("Enter");
  await page.waitForURL(/startDate=2026-05-19&endDate=2026-05-19/);
  await close(page);
});

test("new changes are counted while they happen, and shown when asked for", async () => {
  const page = await changelog();
  await page.getByText("follows live").waitFor();
  const before = (await all()).length;
  await setStatus("https://live-1.example.com", "BLOCKED");
  await page.getByRole("button", { name: "Show 1 new change" }).waitFor();
  assert.notEqual((await contents(page))[0], "https://live-1.example.com", "rows do not move by themselves");
  await setStatus("https://live-2.example.com", "BLOCKED");
  await page.getByRole("button", { name: "Show 2 new changes" }).click();
  await page.getByText(`${before + 2} changes, newest first`).waitFor();
  await waitUntil(page, async () => (await contents(page))[0] === "https://live-2.example.com", () => "not the newest");
  assert.equal((await contents(page))[1], "https://live-1.example.com");
  await check(page, "changelog-live");
  await close(page);
});

test("new changes that the filters leave out are not counted", async () => {
  const page = await open(browser, server, "#/changelog?match=domain&content=followed.example.com&toStatus=BLOCKED");
  await page.getByText("No change of such an asset matches.").waitFor();
  await page.getByText("follows live").waitFor();
  await setStatus("https://elsewhere.example.com/x", "BLOCKED");
  await setStatus("https://a.followed.example.com", "ALLOWED");
  await setStatus("https://b.followed.example.com", "BLOCKED", "SCAM");
  await setStatus("https://b.followed.example.com", "BLOCKED", "MALWARE"); // no change of the status
  await setStatus("https://c.followed.example.com", "BLOCKED");
  await page.getByRole("button", { name: "Show 2 new changes" }).click();
  await waitUntil(page, async () =>
    (await contents(page)).join() === "https://c.followed.example.com,https://b.followed.example.com",
  () => "other rows");
  await page.locator(".rows .row", { hasText: "b.followed" }).getByText("Scam").waitFor();
  await close(page);
});
