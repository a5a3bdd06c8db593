// What holds in every view: styles, zoom, colors of the system, long texts, and a server that is away.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import { check, close, open, shared } from "./harness.js";
import { Keyboard } from "./keyboard.js";

const { server, browser } = await shared();

const root = process.env.CONSOLE_ROOT;
const views = ["overview", "check", "allowlist", "changelog", "disputes", "reports", "lists", "webhooks", "keys",
  "users", "settings", "asset"];

/** Adds the values of all enumerations of a document. */
function enumerated(part, values) {
  if (part !== null && typeof part === "object") {
    for (const value of Array.isArray(part.enum) ? part.enum : []) {
      values.add(String(value));
    }
    Object.values(part).forEach((inner) => enumerated(inner, values));
  }
  return values;
}

test("no class of the styles can be reached by a value of the APIs", async () => {
  const values = new Set();
  for (const name of ["openapi.json", "operator.json"]) {
    enumerated(JSON.parse(await readFile(path.join(root, "httpapi", name), "utf8")), values);
  }
  const page = await open(browser, server, "#/settings");
  const classes = await page.evaluate(async (all) => {
    const { badge } = await import("/parts.js");
    return all.map((value) => badge(value).className);
  }, [...values]);
  assert.ok(classes.length > 200, `${classes.length} values`);
  assert.deepEqual(new Set(classes), new Set(["badge"]));
  await close(page);
});

test("no class is made of anything but words of the source", async () => {
  const web = path.join(root, "console", "web");
  const files = (await readdir(web, { recursive: true })).filter((file) => file.endsWith(".js"));
  for (const file of files) {
    const source = await readFile(path.join(web, file), "utf8");
    for (const [made] of source.matchAll(/\bclass: (`[^`]*`|[^"`,}\n][^,}\n]*)/g)) {
      const words = made.replace(/"[^"]*"/g, "").replaceAll("${look}", "");
      assert.doesNotMatch(words, /\$\{|toLowerCase|replace|status|state|value|kind/, `${file}: ${made}`);
    }
  }
});

for (const width of [640, 320]) {
  test(`${width} px, which 1280 px have at a zoom of ${128_000 / width} %: the navigation is not cut`, async () => {
    const page = await open(browser, server, "#/settings", { width });
    for (const view of views) {
      await page.evaluate((name) => { location.hash = `#/${name}`; }, view);
      await page.locator(`main[data-view="${view}"] h1`).waitFor();
      const cut = await page.locator("#top a, #top button").evaluateAll((links) => links.filter((link) => {
        const { left, right } = link.getBoundingClientRect();
        const { overflowX } = getComputedStyle(link.parentElement);
        return left < 0 || right > document.documentElement.clientWidth || overflowX !== "visible"
          && link.parentElement.scrollWidth > link.parentElement.clientWidth;
      }).map(({ textContent }) => textContent));
      assert.deepEqual(cut, [], view);
      const { scrollWidth, clientWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth,
      }));
      assert.equal(scrollWidth, clientWidth, `${view} is wider than the window`);
    }
    await close(page);
  });
}

for (const width of [640, 390, 320]) {
  test(`${width} px: one row is above the view, and a menu leads to each`, async () => {
    const page = await open(browser, server, "#/settings", { width });
    const keyboard = new Keyboard(page);
    assert.ok((await page.locator("#top").boundingBox()).height < 64);
    const menu = page.getByRole("button", { name: "Views" });
    const nav = page.getByRole("navigation", { name: "Views" });
    await menu.focus();
    await keyboard.press("Enter");
    await check(page, `menu-${width}`);
    for (const { left, right } of await nav.getByRole("link").evaluateAll((all) =>
      all.map((link) => link.getBoundingClientRect()))) {
      assert.ok(left >= 0 && right > left && right <= width);
    }
    await keyboard.press("Escape");
    await nav.waitFor({ state: "hidden" });
    await keyboard.expect(menu);
    await keyboard.press("Enter", "Tab", "Tab");
    await keyboard.expect(nav.getByRole("link", { name: "Check" }));
    await keyboard.press("Enter");
    await page.locator("main[data-view=check]").waitFor();
    await nav.waitFor({ state: "hidden" });
    await close(page);
  });
}

test("a record begins beside the top of its list, with nothing empty above it", async () => {
  const page = await open(browser, server, "#/settings", { width: 1440 });
  const records = { "disputes?id=6": "Dispute #6", "reports?id=2": "Report #2", keys: "Nothing is open" };
  for (const [hash, shown] of Object.entries(records)) {
    await page.goto(`${server.address}/#/${hash}`);
    await page.locator(".detail h2", { hasText: shown }).waitFor();
    const [list, record] = await page.locator(".list, .detail > *").evaluateAll((all) =>
      all.map((part) => part.getBoundingClientRect().top));
    assert.equal(record, list, hash);
  }
  await close(page);
});

test("a pane with the focus has a line beside it, and no frame around it", async () => {
  const page = await open(browser, server, "#/disputes");
  const keyboard = new Keyboard(page);
  await page.locator("[data-id]").first().waitFor();
  await keyboard.press("j");
  await page.getByRole("heading", { name: /^Dispute #/ }).waitFor();
  const frames = await page.evaluate(() =>
    [...document.querySelectorAll("main section, main article, main .place, main .stack")]
      .filter((place) => getComputedStyle(place).outlineStyle !== "none").map(({ className }) => className));
  assert.deepEqual(frames, []);
  await keyboard.expect(page.getByRole("region", { name: "Detail" }));
  await close(page);
});

test("the only day of a chart is as wide as one of two weeks", async () => {
  const page = await open(browser, server, "#/settings");
  const change = {
    assetId: 1, type: "URL", content: "https://d.example.com", fromStatus: "UNKNOWN", toStatus: "BLOCKED",
    updatedAt: "2026-05-11T12:00:00.000Z",
  };
  await page.route("**/asset/changelog", (route) => route.fulfill({ json: { changelog: [change] } }));
  await page.getByRole("link", { name: "Changelog" }).click();
  await page.locator(".days .bar").waitFor();
  const { width } = await page.locator(".days .bar").boundingBox();
  assert.ok(width < 100, `${width} px`);
  await page.locator(".axis-x").getByText("05-11").waitFor();
  await page.getByRole("slider").click();
  await page.waitForURL(/startDate=2026-05-11&endDate=2026-05-11/);
  await close(page);
});

test("colors of the system show what is chosen", async () => {
  const page = await open(browser, server, "#/disputes?id=3");
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("heading", { name: /^Dispute #3/ }).waitFor();
  const background = (locator) => locator.first().evaluate((element) => getComputedStyle(element).backgroundColor);
  const differ = async (chosen, other) =>
    assert.notEqual(await background(chosen), await background(other), `${chosen}`);
  const key = page.locator("button.primary kbd").first();
  const [letter, paper] = await key.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor];
  });
  assert.notEqual(letter, paper, "the key of the first button is legible");
  await differ(page.locator("nav [aria-current]"), page.locator("nav a:not([aria-current])"));
  await differ(page.locator(".tabs [aria-current]"), page.locator(".tabs a:not([aria-current])"));
  await differ(page.locator(".item[aria-current]"), page.locator(".item:not([aria-current])"));
  await differ(page.locator(".item[aria-current] .from"), page.locator(".item:not([aria-current]) .from"));
  await page.keyboard.press("Control+k");
  await differ(page.locator("[role=option][aria-selected=true]"), page.locator("[role=option][aria-selected=false]"));
  await close(page);
});

test("1280 px, a laptop: the navigation is one line, also with counts", async () => {
  const page = await open(browser, server, "#/settings", { width: 1280 });
  const nav = page.getByRole("navigation", { name: "Views" });
  await nav.locator(".count", { hasText: "5" }).waitFor();
  const lines = new Set(await nav.getByRole("link").evaluateAll((links) => links.map((link) => link.offsetTop)));
  assert.equal(lines.size, 1);
  await close(page);
});

test("no control is in another one, however long the texts are", async () => {
  const page = await open(browser, server, "#/settings");
  const long = new Set(["title", "description", "name", "fullName", "email", "slug", "content", "url"]);
  const lengthen = (part) => {
    for (const [name, value] of Object.entries(part ?? {})) {
      if (typeof value === "string" && long.has(name)) {
        part[name] = value + "x".repeat(700);
      } else if (typeof value === "object") {
        lengthen(value);
      }
    }
    return part;
  };
  await page.route(/\/operator\/\w+\/(list|get|due|entries)\b/, async (route) => {
    const response = await route.fetch();
    return route.fulfill({ response, json: lengthen(await response.json()) });
  });
  for (const hash of ["#/reports?status=ALL", "#/disputes", "#/keys", "#/users", "#/users?tab=organizations",
    "#/users?tab=audit", "#/overview"]) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await page.locator("main", { hasText: "xxxxx" }).waitFor();
    const row = page.locator("[data-id]").first();
    if (await row.count() > 0) {
      await row.click();
      await page.locator(".detail h2").waitFor();
    }
    const nested = await page.locator(":is(a, button, summary) :is(a, button, input)")
      .evaluateAll((found) => found.map(({ outerHTML }) => outerHTML));
    assert.deepEqual(nested, [], hash);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await close(page);
});

test("away from the server, every failure says so, and the next attempt goes on", async () => {
  const page = await open(browser, server, "#/settings");
  await page.context().setOffline(true);
  await page.evaluate(() => { location.hash = "#/lists"; });
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").innerText(), /The server cannot be reached/);
  assert.doesNotMatch(await page.locator("main").innerText(), /TypeError|Failed to fetch/);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Lists" }).waitFor();
  await close(page);
});
