// Long lists on their way to the allowlist: whatever happens, each line is added once.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import { createKey, fingerprint } from "./admin.js";
import { accessible, close, open, shared } from "./harness.js";
import { allowed, choose, csvRows, figures, paste, routeAdds, signInAgain } from "./list.js";

const { server, browser } = await shared();

const assetsAPI = "**/api/v2/organization/assets";
const add = (page) => page.getByRole("button", { name: "Add to the allowlist" }).click();
const list = (prefix, count) => Array.from({ length: count }, (_, index) => `https://${prefix}-${index}.example.com`);

test("50,000 lines are added once, though the server is killed twice", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const lines = list("crash", 50_000);
  for (let index = 0; index < 50_000; index += 1000) {
    lines[index + 7] = `no asset ${index}`;
    lines[index + 8] = lines[0];
  }
  const refused = 50 * 2;
  let batches = 0;
  await routeAdds(page, async (route) => {
    batches++;
    if (batches === 11) {
      // Stored, but the reply is lost.
      assert.equal((await route.fetch()).status(), 200);
      await server.kill();
      await route.abort();
    } else if (batches === 31) {
      // Killed while it works.
      const ended = server.kill();
      await route.continue();
      await ended;
    } else {
      await route.continue();
    }
  });
  await choose(page, lines);
  assert.deepEqual(await figures(page, "ready"), { lines: 50_000, recognized: 49_900, "refused here": 100 });
  await add(page);
  for (let kill = 0; kill < 2; kill++) {
    await page.locator("[data-state=waiting]").waitFor();
    await server.run();
    await signInAgain(page, server);
    await page.locator("[data-state=sending], [data-state=done]").waitFor();
  }
  assert.deepEqual(await figures(page, "done"), {
    lines: 50_000, recognized: 49_900, "refused here": 100, added: 50_000 - refused, "refused by the server": refused,
  });
  assert.ok(batches > 51, "batches were sent again");

  const rows = await csvRows(page);
  assert.deepEqual(rows.map(({ content }) => content), lines);
  assert.deepEqual(rows.map(({ line }) => line), lines.map((_, index) => index + 1));
  const added = rows.filter(({ result }) => result === "added").map(({ content }) => content);
  assert.deepEqual(rows.filter(({ result }) => result !== "added").map(({ content, result }) => [content, result]),
    lines.flatMap((content, index) =>
      index > 0 && content === lines[0] ? [[content, "Asset already exists in organization"]]
        : content.startsWith("no asset") ? [[content, "Invalid asset format"]] : []));
  const changes = await allowed(server, "https://crash-");
  assert.deepEqual(changes.sort(), added.sort(), "each asset has changed once");
  await close(page);
});

test("what the page says before sending is what the server says after, for 10,000 lines", async () => {
  const lines = await goldenLines(10_000);
  const page = await open(browser, server, "#/allowlist?tab=add");
  await choose(page, lines);
  await figures(page, "ready");
  const before = await csvRows(page);
  const answers = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/organization/assets") && !response.request().postDataJSON().dryRun) {
      answers.push(response.json());
    }
  });
  await add(page);
  await page.getByRole("dialog").getByRole("button", { name: /all [\d,]+$/ }).click(); // some are whole hosts
  await figures(page, "done");
  const results = (await Promise.all(answers)).flatMap((answer) => answer.results);
  const checked = [];
  for (let start = 0; start < lines.length; start += 1000) {
    const { status, body } = await server.call("key", "POST", "/asset/check/batch",
      { contents: lines.slice(start, start + 1000) });
    assert.equal(status, 200);
    checked.push(...body.results);
  }
  const line = (content, { type = "", canonical = "" }, refusal = "") => ({ content, type, canonical, refusal });
  const said = before.map((row) => line(row.content, row, row.result));
  // Only the server knows what earlier requests have added.
  const seen = new Set();
  const answered = results.map(({ content, error }, index) => {
    const asset = `${checked[index].type} ${checked[index].canonical}`;
    const known = error === "Asset already exists in organization" && said[index].refusal === "" && seen.has(asset);
    seen.add(asset);
    // A check also answers for links that are not assets.
    const classified = error === "Invalid asset format" ? {} : checked[index];
    return line(content, classified, known ? "" : error);
  });
  assert.equal(answered.length, 10_000);
  assert.deepEqual(said.filter((row, index) => JSON.stringify(row) !== JSON.stringify(answered[index])), []);
  const kinds = new Set(said.map(({ type }) => type));
  assert.ok(kinds.size > 10 && kinds.has(""), `lines of many types, and refused ones: ${[...kinds]}`);
  await close(page);
});

/**
 * Returns lines of the golden tables of the classifier in several spellings, and hosts of the
 * block list whose file CONSOLE_BLOCK_LIST names, if it does.
 */
async function goldenLines(count) {
  const golden = path.join(process.env.CONSOLE_ROOT, "classify/testdata/golden");
  const contents = [];
  for (const name of (await readdir(golden)).sort()) {
    const table = await readFile(path.join(golden, name), "utf8");
    contents.push(...table.trimEnd().split("\n").map((row) => JSON.parse(row).content));
  }
  const known = process.env.CONSOLE_BLOCK_LIST;
  const hosts = known ? JSON.parse(await readFile(known, "utf8")).blacklist.slice(0, 3000) : [];
  const spellings = [
    (content) => content, (content) => `https://${content}/a?b=1`, (content) => ` ${content.toUpperCase()}\t`,
    (content) => `www.${content}`, (content) => `@${content}`,
  ];
  const lines = [...hosts, ...spellings.flatMap((spell) => contents.map(spell))];
  // What a line of a text can hold.
  const oneLine = (line) => line.trim() !== "" && !/[\0\r\n\ud800-\udfff]/.test(line) && !line.startsWith("\ufeff");
  return lines.filter(oneLine).slice(0, count);
}

const refusals = {
  "a file of 100 MB": [100, /^These are 100 MB\. .* Split the list/],
  "a text of a million lines": ["https://a.example\n", /^These are 1,000,000 lines\. .* Split the list/],
};
for (const [why, [content, message]] of Object.entries(refusals)) {
  test(`refused with advice, and the page goes on: ${why}`, async () => {
    const page = await open(browser, server, "#/allowlist?tab=add");
    // The page makes the text itself, so that only the console's work counts.
    await page.evaluate((made) => {
      globalThis.reads = 0;
      for (const name of ["text", "arrayBuffer", "stream"]) {
        const real = Blob.prototype[name];
        Blob.prototype[name] = function (...args) { globalThis.reads++; return real.apply(this, args); };
      }
      const transfer = new DataTransfer();
      if (typeof made === "number") {
        transfer.items.add(new File([new Uint8Array(made << 20).fill(97)], "large.txt", { type: "text/plain" }));
        const drop = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.querySelector(".drop").dispatchEvent(drop);
      } else {
        transfer.setData("text/plain", made.repeat(1_000_000));
        const paste = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
        document.querySelector("main textarea").dispatchEvent(paste);
      }
    }, content);
    const notice = page.getByRole("alert").filter({ hasText: "The console takes" });
    await notice.waitFor();
    assert.match(await notice.innerText(), message);
    assert.equal(await page.evaluate(() => globalThis.reads), 0, "not read on the main thread");
    assert.equal(await page.locator(".rows .row").count(), 0);
    await page.locator("main textarea").fill("https://acme.example.com");
    await figures(page, "ready");
    assert.equal(await notice.count(), 0);
    await close(page);
  });
}

test("refused with advice: binary files", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  for (const file of ["\u007fELF\u0002\u0001\u0001\u0000", "\u00ff\u00fea\u0000b\u0000"]) {
    await choose(page, Buffer.from(file, "latin1"), "binary");
    await page.getByRole("alert").filter({ hasText: "not a text file in UTF-8" }).waitFor();
    await page.locator("main textarea").fill("https://acme.example.com");
    await figures(page, "ready");
  }
  await close(page);
});

test("a reload in the middle asks first, and the same lines again are refused as existing", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const lines = list("reload", 3000);
  let batches = 0;
  let store;
  const stored = new Promise((resolve) => { store = resolve; });
  await routeAdds(page, (route) => {
    batches++;
    return batches === 2 ? store(route.fetch()) : route.continue(); // the reply to the second never arrives
  });
  await paste(page, lines.join("\n"));
  await figures(page, "ready");
  await add(page);
  await page.locator(".state", { hasText: "Sent 1,000 of 3,000" }).waitFor();
  assert.equal((await stored).status(), 200);
  page.removeAllListeners("dialog");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload())); // as the user's button does, with the dialog
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await Promise.all([page.waitForEvent("load"), dialog.accept()]);
  await paste(page, lines.join("\n"));
  await figures(page, "ready");
  await add(page);
  const { added, "refused by the server": existing } = await figures(page, "done");
  assert.deepEqual([added, existing], [1000, 2000]);
  assert.deepEqual((await csvRows(page)).map(({ result }) => result),
    lines.map((_, index) => (index < 2000 ? "Asset already exists in organization" : "added")));
  assert.equal((await allowed(server, "https://reload-")).length, 3000);
  await close(page);
});

test("lines have their numbers in the text, also after a pause, and blank ones are not sent", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const lines = list("numbered", 1500);
  lines[1200] = "no asset";
  const sent = new Set();
  let hold = true;
  await routeAdds(page, (route) => {
    route.request().postDataJSON().assets.forEach(({ content }) => sent.add(content));
    return hold && sent.size > 1000 ? undefined : route.continue(); // the second reply never arrives
  });
  await choose(page, Buffer.from(`\n${lines.join("\r\n \r\n")}`));
  assert.deepEqual(await figures(page, "ready"), { lines: 1500, recognized: 1499, "refused here": 1 });
  assert.deepEqual((await csvRows(page)).find(({ result }) => result === "Invalid asset format")?.line, 2402);
  await add(page);
  await page.locator(".state", { hasText: "Sent 1,000 of 1,500" }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator("[data-state=paused]").waitFor();
  hold = false;
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Allowlist" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await figures(page, "done");
  assert.deepEqual([...sent], lines);
  const rows = await csvRows(page);
  assert.deepEqual(rows.map(({ line, content }) => [line, content]),
    lines.map((content, index) => [2 * index + 2, content]));
  assert.match(await page.locator(".rows .row").nth(1).innerText(), /^4\s+https:\/\/numbered-1\./);
  await close(page);
});

test("the field has blank lines again after another view, so that the numbers stay", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const field = page.getByLabel("Contents, one a line");
  const content = "\nhttps://blank.example.com\n\n\nno asset";
  await field.fill(content);
  await figures(page, "ready");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Allowlist" }).click();
  assert.match(await page.locator(".rows .row", { hasText: "Invalid asset format" }).innerText(), /^5\s+no asset/);
  assert.equal(await field.inputValue(), content);
  await close(page);
});

test("what was typed is still there after a reload, until it is sent or cleared", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const field = page.getByLabel("Contents, one a line");
  await field.fill("https://typed.example.com\nco.uk\nhxxps://a[.]example[.]com");
  await page.getByText("For all lines").click();
  await page.getByLabel("Name").fill("Ours");
  await page.getByLabel("Name").blur();
  await figures(page, "ready");
  const rows = page.locator(".rows .row");
  await rows.nth(1).getByText(/^Invalid asset format: .*public suffix/).waitFor();
  await rows.nth(2).getByText(/Did you mean https:\/\/a\.example\.com\?$/).waitFor();
  page.removeAllListeners("dialog"); // nothing asks
  await page.reload();
  await figures(page, "ready");
  assert.match(await field.inputValue(), /^https:\/\/typed.example.com\nco\.uk\n/);
  await add(page);
  await figures(page, "done");
  await page.reload();
  assert.equal(await field.inputValue(), "");
  const other = await open(browser, server, "#/allowlist?tab=entries"); // with 50,000 others
  await other.getByLabel("Begins with").fill("https://typed.");
  await other.locator("tbody tr").filter({ hasText: "https://typed.example.com" }).getByText("Ours").waitFor();
  await close(other);
  await field.fill("https://cleared.example.com");
  await figures(page, "ready");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.reload();
  assert.equal(await field.inputValue(), "");
  await close(page);
});

test("a list that is too long to be kept is not lost without a question", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  await paste(page, list("long", 600).join("\n"));
  await figures(page, "ready");
  page.removeAllListeners("dialog");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await Promise.all([page.waitForEvent("load"), dialog.accept()]);
  await close(page);
});

test("two tabs with the same lines add each line once", async () => {
  const lines = list("tabs", 5000);
  const tab = () => open(browser, server, "#/allowlist?tab=add");
  const pages = await Promise.all([tab(), tab()]);
  await Promise.all(pages.map(async (page) => {
    await choose(page, lines);
    await figures(page, "ready");
  }));
  await Promise.all(pages.map(add));
  const [one, two] = await Promise.all(pages.map((page) => figures(page, "done")));
  assert.equal(one.added + two.added, 5000);
  assert.equal(one["refused by the server"], two.added);
  const rows = await Promise.all(pages.map(csvRows));
  assert.ok(lines.every((_, index) => rows.filter((tab) => tab[index].result === "added").length === 1),
    "each line in one tab");
  assert.equal((await allowed(server, "https://tabs-")).length, 5000);
  await Promise.all(pages.map(close));
});

test("a server that fails is asked again until the user pauses", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const keys = [];
  await routeAdds(page, (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    return keys.length > 2 ? undefined : route.fulfill({ // the third waits
      status: 500, contentType: "application/json",
      body: '{"error":{"code":"INTERNAL_SERVER_ERROR","message":"Internal server error"}}',
    });
  });
  await page.locator("main textarea").fill("https://fails.example.com");
  await figures(page, "ready");
  await add(page);
  const waits = "The server fails (500). 1 lines wait; the next attempt is in 2 s.";
  await page.locator(".state", { hasText: waits }).waitFor();
  assert.ok(keys.length >= 2);
  assert.equal(new Set(keys).size, 1, "each attempt has the same key");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator("[data-state=paused]").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Resume" }).click();
  assert.equal((await figures(page, "done")).added, 1);
  await close(page);
});

test("what a list has added is taken back, once and only that, though the server fails", async () => {
  const kept = "https://back-kept.example.com";
  const blocked = "https://back-blocked.example.com/login";
  await server.call("key", "POST", "/organization/assets", { assets: [{ content: kept }] });
  await server.call("operatorKey", "POST", "/asset/setStatus", { content: blocked, status: "BLOCKED" });
  const lines = list("back", 1500);
  [lines[3], lines[1200]] = [kept, blocked];
  const page = await open(browser, server, "#/allowlist?tab=add");
  await choose(page, lines);
  await figures(page, "ready");
  await add(page);
  await page.getByRole("dialog").getByRole("button", { name: /^Unblock 1, add all/ }).click();
  assert.equal((await figures(page, "done")).added, 1499);
  const keys = [];
  await page.route("**/organization/assets/remove", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length === 2) { // the server removes, but its answer is lost
      await route.fetch();
      await route.abort();
      return;
    }
    await route.continue();
  });
  await page.getByRole("button", { name: "Take back …" }).click();
  const question = page.getByRole("dialog", { name: "Take back 1,499 additions?" });
  await accessible(page);
  await question.getByRole("button", { name: "Take back 1,499" }).click();
  assert.equal((await figures(page, "takenBack")).added, 0);
  await page.getByText("Taken back: 1,499 of 1,499.").first().waitFor();
  assert.equal(new Set(keys).size, 2, "a key for each batch");
  assert.equal(keys.length, 3);
  for (const [content, status] of [[kept, "ALLOWED"], [lines[4], "UNKNOWN"], [blocked, "BLOCKED"]]) {
    const { body } = await server.call("operatorKey", "GET", `/asset/explain?${new URLSearchParams({ content })}`);
    assert.equal(body.asset.status, status, content);
  }
  const rows = await csvRows(page);
  assert.equal(rows.filter(({ result }) => result === "taken back").length, 1499);
  await close(page);
});

test("an addition is taken back only with the key of its organization", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  await page.locator("main textarea").fill("https://own.example.com");
  await figures(page, "ready");
  await add(page);
  const back = page.getByRole("button", { name: "Take back …" });
  await back.waitFor();
  await useKey(page, await createKey(server, "key"));
  await page.getByRole("link", { name: "Allowlist" }).click();
  assert.equal((await figures(page, "done")).added, 1);
  assert.equal(await back.count(), 0);
  await useKey(page, server.keys.key);
  await page.getByRole("link", { name: "Allowlist" }).click();
  await back.waitFor();
  await close(page);
});

test("a dry run that fails adds nothing when it is tried again", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  await page.route(assetsAPI, (route) => route.fulfill({ status: 503, contentType: "application/json", body: "{}" }),
    { times: 1 });
  await page.locator("main textarea").fill("https://dry.example.com");
  await figures(page, "ready");
  await page.getByRole("button", { name: "Ask the server first" }).click();
  await page.getByText("The server answered 503").waitFor();
  await page.getByRole("button", { name: "Ask the server first" }).click();
  await page.getByText("Planned. Nothing has been added yet.").first().waitFor();
  assert.deepEqual(await allowed(server, "https://dry."), []);
  await close(page);
});

test("another key in the middle stops the run, and the user decides", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  const sent = [];
  let hold = true;
  await routeAdds(page, async (route) => {
    sent.push(route.request().headers()["x-session-key"]);
    if (sent.length > 1 && hold) {
      return; // its reply never arrives
    }
    await route.continue();
  });
  await choose(page, list("swap", 3000));
  await figures(page, "ready");
  await add(page);
  await page.locator(".state", { hasText: "Sent 1,000 of 3,000" }).waitFor();
  await useKey(page, await createKey(server, "key"));
  await page.getByRole("link", { name: "Allowlist" }).click();
  await page.getByText("The key of your organization was changed in Settings.").waitFor();
  assert.equal((await figures(page, "stopped")).added, 1000);
  await page.getByRole("button", { name: "Go on with the new key" }).waitFor();
  hold = false;
  // With the earlier key again, the run is only paused.
  await useKey(page, server.keys.key);
  await page.getByRole("link", { name: "Allowlist" }).click();
  await page.locator("[data-state=paused]").waitFor();
  assert.deepEqual(new Set(sent), new Set([fingerprint(server.keys.key)]), "nothing was sent with the other key");
  await page.getByRole("button", { name: "Resume" }).click();
  assert.equal((await figures(page, "done")).added, 3000);
  await close(page);
});

test("another key forgets what a dry run has said", async () => {
  const page = await open(browser, server, "#/allowlist?tab=add");
  await page.locator("main textarea").fill("https://plan.example.com");
  await figures(page, "ready");
  await page.getByRole("button", { name: "Ask the server first" }).click();
  await page.getByText("Planned. Nothing has been added yet.").first().waitFor();
  await useKey(page, await createKey(server, "key"));
  await page.getByRole("link", { name: "Allowlist" }).click();
  assert.deepEqual(await figures(page, "ready"), { lines: 1, recognized: 1, "refused here": 0 });
  await close(page);
});

async function useKey(page, key) {
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Key of your organization").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Signed in.").waitFor();
}
