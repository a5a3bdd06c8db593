// What is on the allowlist, and what a plan says about what will be: it is what then happens.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessible, check, close, open, shared } from "./harness.js";
import { waitUntil } from "./keyboard.js";
import { allowed, csvRows, figures, paste, routeAdds } from "./list.js";

const { server, browser } = await shared();

const button = (page, name) => page.getByRole("button", { name, exact: true });

/** Returns lines of which some are repeated in other batches, some are no assets and some are BLOCKED. */
async function mixedLines(prefix) {
  const lines = Array.from({ length: 3000 }, (_, index) => `https://${prefix}-${index}.example.com`);
  for (let index = 0; index < 200; index++) {
    lines[2500 + index] = lines[2200 + index].toUpperCase(); // in another batch and another spelling
  }
  for (let index = 0; index < 8; index++) {
    lines[700 + index] = `no asset ${index}`;
  }
  const blocked = Array.from({ length: 12 }, (_, index) => `https://${prefix}-blocked-${index}.example.com/login`);
  for (const content of blocked) {
    const { status } = await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
    assert.equal(status, 200);
  }
  blocked.forEach((content, index) => { lines[150 * index + 5] = content; });
  lines[2990] = blocked[0]; // a repeat of what would be unblocked
  return { lines, blocked };
}

/** Returns what elements say, in one line each. */
const textsOf = async (elements) => (await elements.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

test("what was typed last is added, also if it was not recognized yet", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const sent = [];
  await routeAdds(page, (route) => {
    sent.push(...route.request().postDataJSON().assets.map(({ content }) => content));
    return route.continue();
  });
  const field = page.locator("main textarea");
  await field.fill("https://typed-first.example.com");
  const add = await button(page, "Add to the allowlist").elementHandle();
  await field.evaluate((input, press) => {
    input.value = "https://typed-last.example.com";
    input.dispatchEvent(new Event("input"));
    press.click();
  }, add);
  await page.getByText("Done: 1 added, 0 refused.").first().waitFor();
  assert.deepEqual(sent, ["https://typed-last.example.com"]);
  await close(page);
});

const statusOf = async (content) =>
  (await server.call("key", "POST", "/asset/check", { content })).body.status;

test("3,000 lines of which 12 would unblock: the plan equals the result", async (t) => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const { lines, blocked } = await mixedLines("all");
  await paste(page, lines.join("\n"));
  await figures(page, "ready");
  await button(page, "Ask the server first").click();
  await page.locator(".state", { hasText: "Planned. Nothing has been added yet." }).waitFor();
  const planned = await figures(page, "ready");
  await page.getByRole("alert").getByText("12 of these are BLOCKED: adding them allows them for everyone.").waitFor();
  const shown = await page.locator(".rows .row").allInnerTexts();
  assert.equal(shown.length, 12, "what would be unblocked is shown first");
  assert.ok(shown.every((row) => row.includes("BLOCKED by")));
  assert.equal(await statusOf(blocked[0]), "BLOCKED", "a plan changes nothing");

  await button(page, "Add to the allowlist").click();
  const dialog = page.getByRole("dialog", { name: "Unblock 12 assets?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await statusOf(blocked[0]), "BLOCKED", "a question that is not answered adds nothing");
  await button(page, "Add to the allowlist").click();
  await dialog.getByRole("button", { name: `Unblock 12, add all ${planned["would be added"].toLocaleString("en")}` })
    .click();
  const done = await figures(page, "done");
  t.diagnostic(`planned ${JSON.stringify(planned)}, done ${JSON.stringify(done)}`);
  assert.equal(done.added, planned["would be added"]);
  assert.equal(done["refused by the server"], planned["would be refused"]);
  assert.equal(planned["would be refused"], 200 + 8 + 1);
  await page.locator(".state", { hasText: "12 of them were BLOCKED and are ALLOWED now." }).waitFor();
  assert.equal((await allowed(server, "https://all-")).length, done.added);
  assert.equal(await statusOf(blocked[11]), "ALLOWED");
  await close(page);
});

test("what would unblock is left out with all its repeats, and stays BLOCKED", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const { lines, blocked } = await mixedLines("some");
  await paste(page, lines.join("\n"));
  await figures(page, "ready");
  await button(page, "Add to the allowlist").click(); // which plans first
  const dialog = page.getByRole("dialog", { name: "Unblock 12 assets?" });
  await dialog.getByRole("button", { name: "Leave them out, add 2,779" }).click();
  const done = await figures(page, "done");
  assert.deepEqual([done.added, done["left out"], done["refused by the server"]], [2779, 13, 208]);
  for (const content of blocked) {
    assert.equal(await statusOf(content), "BLOCKED");
  }
  const rows = await csvRows(page);
  assert.deepEqual(rows.filter(({ result }) => result === "left out").map(({ content }) => content).sort(),
    [...blocked, blocked[0]].sort());
  await close(page);
});

test("what is blocked between the plan and the addition is not unblocked", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const [asked, since, good] = ["asked", "since", "good"].map((name) => `https://${name}.between.example.com`);
  const block = (content) => server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  await block(asked);
  await page.locator("main textarea").fill([asked, since, good].join("\n"));
  await figures(page, "ready");
  await button(page, "Ask the server first").click();
  await page.getByRole("alert").getByText("1 of these is BLOCKED: adding it allows it for everyone.").waitFor();
  await block(since);
  await button(page, "Add to the allowlist").click();
  await page.getByRole("dialog").getByRole("button", { name: "Unblock 1, add all 3" }).click();
  const done = await figures(page, "done");
  assert.deepEqual([done.added, done["refused by the server"]], [2, 1]);
  await page.locator(".state", { hasText: "Blocked since the plan, and not added: 1." }).waitFor();
  assert.deepEqual(await Promise.all([asked, since, good].map(statusOf)), ["ALLOWED", "BLOCKED", "ALLOWED"]);
  assert.deepEqual((await csvRows(page)).map(({ result }) => result), ["added", "Asset is blocked", "added"]);
  await close(page);
});

test("the lines are shown in parts: all, problems, and what is to be confirmed", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  await page.locator("main textarea").fill(
    "https://part.example.com\nno asset\nhttps://PART.example.com\n@acme_giveaway");
  await figures(page, "ready");
  const part = (name) => page.getByRole("group", { name: "Lines that are shown" }).getByRole("button", { name });
  await part("Problems 2").click();
  const rows = page.locator(".rows .row");
  await waitUntil(page, async () => await rows.count() === 2, async () => `${await rows.count()} rows are problems`);
  await rows.getByText("Repeats line 1").waitFor();
  await part("All 4").click();
  await rows.nth(3).waitFor();
  await button(page, "Ask the server first").click();
  await part("To confirm 1").waitFor();
  assert.equal(await part("To confirm").getAttribute("aria-pressed"), "true");
  await page.locator(".rows").getByText("@acme_giveaway").first().waitFor();
  await button(page, "Clear").click();
  await close(page);
});

test("what many lines have in common is named with their number, and chooses them", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  for (const content of ["causes.example.com", "https://one.cause.example.com"]) {
    await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  }
  await page.locator("main textarea").fill([
    "https://a.causes.example.com/1", "https://b.causes.example.com/2", "https://one.cause.example.com",
    "https://free.cause.example.com", "https://FREE.cause.example.com", "no asset", "none either",
  ].join("\n"));
  await figures(page, "ready");
  const part = (name) => page.getByRole("group", { name: "Lines that are shown" }).getByRole("button", { name });
  const causes = page.getByRole("group", { name: "Causes" }).getByRole("button");
  assert.equal(await causes.count(), 0, "all lines have none");
  await part("Problems 3").click();
  assert.deepEqual(await textsOf(causes), ["Invalid asset format 2"]);
  await causes.first().click();
  const rows = page.locator(".rows .row");
  await waitUntil(page, async () => await rows.count() === 2, async () => `${await rows.count()} rows have the cause`);
  assert.equal(await causes.first().getAttribute("aria-pressed"), "true");
  await button(page, "Add to the allowlist").click(); // which plans first
  const dialog = page.getByRole("dialog", { name: "Unblock 3 assets?" });
  await dialog.getByRole("listitem").nth(1).waitFor();
  assert.deepEqual(await textsOf(dialog.getByRole("listitem")),
    ["2 assets, BLOCKED by causes.example.com", "https://one.cause.example.com"]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.deepEqual(await textsOf(causes),
    ["BLOCKED by causes.example.com 2"]);
  await causes.first().click();
  await waitUntil(page, async () => await rows.count() === 2, async () => `${await rows.count()} rows are blocked`);
  await button(page, "Clear").click();
  await close(page);
});

test("every asset that an addition would unblock is named before it", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const blocked = Array.from({ length: 7 }, (_, index) => `https://named-${index}.example.com`);
  for (const content of blocked) {
    await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  }
  await page.locator("main textarea").fill(blocked.join("\n"));
  await figures(page, "ready");
  await button(page, "Add to the allowlist").click();
  const dialog = page.getByRole("dialog", { name: "Unblock 7 assets?" });
  await dialog.getByText("And 2 others").click();
  assert.deepEqual(await textsOf(dialog.getByRole("listitem")), blocked);
  await check(page, "unblock-all-named");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await button(page, "Clear").click();
  await close(page);
});

test("whole hosts that let much through are shown first, and left out unless that is confirmed", async () => {
  const block = (content) => server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  // They are of other sites than the many above: the server examines a bounded number of assets of a site.
  for (const content of ["a.below.wide.example.net", "https://b.wide.example.net/login", "both.example.net",
    "https://c.both.example.net/login"]) {
    assert.equal((await block(content)).status, 200);
  }
  const hosts = ["github.com", "https://google.com", "wide.example.net", "wikipedia.org", "both.example.net"];
  const fine = "https://narrow.example.net/page";
  const page = await open(browser, server, "#/allowlist?tab=add");
  const plan = async () => {
    await page.locator("main textarea").fill([...hosts, fine, "WIDE.example.net"].join("\n"));
    await figures(page, "ready");
    await button(page, "Add to the allowlist").click(); // which plans first
  };
  await plan();
  const dialog = page.getByRole("dialog", { name: "Unblock 1 asset, and allow everything below 5 hosts?" });
  await dialog.getByRole("listitem").nth(3).waitFor();
  assert.deepEqual((await textsOf(dialog.getByRole("listitem"))).sort(), [
    "2 BLOCKED assets are below it: wide.example.net",
    "Allows everything below a host of a platform: github.com",
    "Allows everything below a popular host: 2 hosts",
    "both.example.net , BLOCKED assets are below it, BLOCKED by both.example.net",
  ]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("1 of these is BLOCKED: adding it allows it for everyone.").waitFor();
  await alert.getByText("5 of these are whole hosts: adding them allows everything below them").waitFor();
  const rows = page.locator(".rows .row");
  await rows.nth(2).getByText("2 BLOCKED assets are below it").waitFor();
  assert.deepEqual((await textsOf(rows)).map((text) => text.split(" ")[1]), hosts, "they are shown first");
  await accessible(page);
  const cause = page.getByRole("group", { name: "Causes" })
    .getByRole("button", { name: "Allows everything below a popular host 2" });
  await cause.click();
  await waitUntil(page, async () => await rows.count() === 2, async () => `${await rows.count()} rows are popular`);

  await button(page, "Add to the allowlist").click();
  await dialog.getByRole("button", { name: "Leave them out, add 1" }).click();
  const left = await figures(page, "done");
  assert.deepEqual([left.added, left["left out"]], [1, 6]);
  for (const content of hosts) {
    assert.notEqual(await statusOf(content), "ALLOWED", content);
  }
  await button(page, "Start over").click();
  await plan();
  await dialog.getByRole("button", { name: "Unblock 1, add all 5" }).click();
  assert.equal((await figures(page, "done")).added, 5);
  for (const content of hosts) {
    assert.equal(await statusOf(content), "ALLOWED", content);
  }
  assert.equal(await statusOf("https://b.wide.example.net/login"), "BLOCKED");
  await close(page);
});

test("what looks like another domain is shown first, and left out unless that is confirmed", async () => {
  const alike = ["https://\u0430pple.com", "https://\u0430pple.com/login", "https://p\u0430ypal.com"];
  const here = "https://\u0430lready.example.com";
  assert.equal((await server.call("key", "POST", "/organization/assets", { assets: [{ content: here }] })).status, 200);
  const page = await open(browser, server, "#/allowlist?tab=add");
  const fine = ["https://plain.alike.example.com", "https://\u043f\u043e\u0447\u0442\u0430.com"];
  await page.locator("main textarea").fill([...alike, here, "HTTPS://\u0430PPLE.com", ...fine].join("\n"));
  assert.equal((await figures(page, "ready"))["look-alikes"], 4);
  await button(page, "Add to the allowlist").click(); // which plans first
  const dialog = page.getByRole("dialog", { name: "Allow 3 look-alikes?" });
  await dialog.getByText("3 of these look like other domains: adding them allows what people may take for those.")
    .waitFor();
  const items = await textsOf(dialog.getByRole("listitem"));
  assert.equal(items.length, 2);
  assert.equal(items[0], "Looks like apple.com: 2 assets");
  assert.match(items[1], /^Looks like paypal\.com: https:\/\/p\u0430ypal\.com/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alert").getByText("3 of these look like other domains").waitFor();
  const part = page.getByRole("group", { name: "Lines that are shown" }).getByRole("button", { name: "To confirm 3" });
  assert.equal(await part.getAttribute("aria-pressed"), "true");
  const rows = page.locator(".rows .row");
  await page.getByRole("group", { name: "Causes" }).getByRole("button", { name: "Looks like apple.com 2" }).click();
  await waitUntil(page, async () => await rows.count() === 2, async () => `${await rows.count()} rows look like one`);
  await accessible(page);

  await button(page, "Add to the allowlist").click();
  await dialog.getByRole("button", { name: "Leave them out, add 2" }).click();
  const done = await figures(page, "done");
  assert.deepEqual([done.added, done["left out"]], [2, 4]);
  for (const content of alike) {
    assert.notEqual(await statusOf(content), "ALLOWED", content);
  }
  await close(page);
});

test("what is BLOCKED and looks like another domain says both, and is added after the second answer", async () => {
  const content = "https://\u0430mazon.com";
  await server.call("operatorKey", "POST", "/asset/setStatus", { content, status: "BLOCKED" });
  const page = await open(browser, server, "#/allowlist?tab=add");
  await page.locator("main textarea").fill(content);
  await figures(page, "ready");
  await button(page, "Add to the allowlist").click(); // which plans first
  const dialog = page.getByRole("dialog", { name: "Unblock 1 asset, and allow 1 look-alike?" });
  await dialog.getByRole("listitem").getByText("Looks like amazon.com, BLOCKED by").waitFor();
  await dialog.getByText("They stay BLOCKED if you leave them out.").waitFor();
  await dialog.getByRole("button", { name: "Unblock 1, add all 1" }).click();
  assert.equal((await figures(page, "done")).added, 1);
  assert.equal(await statusOf(content), "ALLOWED");
  await close(page);
});

test("a key that may not ask what is BLOCKED adds only after a question", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  await page.route("**/organization/assets", (route) => (route.request().postDataJSON().dryRun
    ? route.fulfill({
      status: 403, json: { error: { code: "FORBIDDEN", message: "Insufficient access" } },
    })
    : route.continue()));
  await page.locator("main textarea").fill("https://unplanned.example.com\nhttps://\u0430dobe.com");
  await figures(page, "ready");
  await button(page, "Add to the allowlist").click();
  await button(page, "Add without a plan").click();
  const dialog = page.getByRole("dialog", { name: "Add without a plan?" });
  assert.deepEqual(await allowed(server, "https://unplanned."), []);
  await dialog.getByText("1 of these looks like another domain").waitFor();
  await dialog.getByRole("listitem").getByText("Looks like adobe.com").waitFor();
  await dialog.getByRole("button", { name: "Add 2 lines" }).click();
  await figures(page, "done");
  assert.equal((await allowed(server, "https://unplanned.")).length, 1);
  await close(page);
});

test("entries are found by their beginning, status and group, and page after page", async () => {
  const added = Array.from({ length: 120 }, (_, index) =>
    ({ content: `https://entry-${index}.example.com`, ...(index < 2 ? { groupId: 1, name: `Entry ${index}` } : {}) }));
  assert.equal((await server.call("key", "POST", "/organization/assets", { assets: added })).status, 200);
  const page = await open(browser, server, "#/allowlist?tab=entries");
  const rows = page.getByRole("region", { name: "Entries", exact: true }).locator("tbody tr");
  await page.getByLabel("Begins with").fill("HTTPS://Entry-1.Example.com:443"); // in another spelling
  await page.getByText("1 entry.").waitFor();
  await page.getByLabel("Begins with").fill("https://entry-1");
  await page.getByText("31 entries.").waitFor(); // entry-1, 10 to 19 and 100 to 119
  await page.getByLabel("Begins with").fill("https://entry-");
  await page.getByText("100 entries are shown, and there are more.").waitFor();
  await button(page, "Load more").click();
  await page.getByText("120 entries.").waitFor();
  await page.getByLabel("Group").selectOption({ label: "Group 1" });
  await page.getByText("2 entries.").waitFor();
  assert.match(await rows.first().innerText(), /entry-0\.example\.com.*Entry 0/s);
  await page.reload();
  await page.goto(`${server.address}/${new URL(page.url()).hash}&${new URLSearchParams({ key: server.keys.key })}`);
  await page.getByText("2 entries.").waitFor(); // the filters are in the address
  await page.getByLabel("Group").selectOption("");
  await page.getByLabel("Begins with").fill("acme.example.com");
  await page.getByRole("button", { name: "Search for links: https://acme.example.com" }).click();
  await page.getByText("https://acme.example.com/shop").waitFor();
  await close(page);
});

test("entries are removed, one and several, after a question", async () => {
  const assets = Array.from({ length: 4 }, (_, index) => ({ content: `https://gone-${index}.example.com` }));
  assert.equal((await server.call("key", "POST", "/organization/assets", { assets })).status, 200);
  const page = await open(browser, server, "#/allowlist?tab=entries");
  await page.getByLabel("Begins with").fill("https://gone-");
  await page.getByText("4 entries.").waitFor();
  await page.getByRole("button", { name: "Remove https://gone-0.example.com" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  assert.equal(await statusOf("https://gone-0.example.com"), "ALLOWED");
  await page.getByRole("button", { name: "Remove https://gone-0.example.com" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("3 entries.").waitFor();
  assert.equal(await statusOf("https://gone-0.example.com"), "UNKNOWN");
  await page.getByLabel("Select https://gone-1.example.com").check();
  await page.getByLabel("Select https://gone-2.example.com").check();
  await button(page, "Remove 2 selected").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove 2 entries" }).click();
  await page.getByText("1 entry.").waitFor();
  assert.equal(await statusOf("https://gone-2.example.com"), "UNKNOWN");
  assert.equal(await statusOf("https://gone-3.example.com"), "ALLOWED");
  await close(page);
});
