// The page in Chromium, with a server of another origin that is stopped and started again.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { freePort, launch, newPage } from "./harness.js";
import { ListServer, start, stop } from "./list-server.js";

const pagePort = await freePort();
const pageAddress = `http://127.0.0.1:${pagePort}`;
const server = await ListServer.start(pageAddress);
after(() => server.remove());
const startPage = () => start(process.env.OFFLINE_PROGRAM,
  ["-addr", `127.0.0.1:${pagePort}`, "-api", server.api], "page on ");
let site = await startPage();
after(() => stop(site));
const browser = await launch();
after(() => browser.close());

/** Opens the page in a context. It must not log errors other than those of requests. */
async function open(context) {
  const page = await newPage(context);
  await page.goto(pageAddress);
  return page;
}

/** Types a link and waits for what the page says about it. */
async function says(page, link, text) {
  await page.getByLabel("Link").fill(link);
  await page.locator("#verdict", { hasText: text }).waitFor();
}

/** Makes the page refresh its lists until they say this about a link. */
async function refreshedTo(page, link, text) {
  await page.getByLabel("Link").fill(link);
  await page.evaluate(async (wanted) => {
    for (const verdict = document.getElementById("verdict"); !verdict.value.startsWith(wanted);) {
      dispatchEvent(new Event("online"));
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
  }, text);
}

/** Waits until the page needs no network. */
const installed = (page) => page.evaluate(async () => {
  await navigator.serviceWorker.ready;
});

const links = ["https://login.bad.example.com/x", "https://good.example.com/", "https://new.example.com/", "no link"];

async function verdicts(page) {
  const said = [];
  for (const link of links) {
    await page.evaluate(() => { document.getElementById("verdict").value = "..."; });
    await page.getByLabel("Link").fill(link);
    await page.locator('#verdict:not(:text-is("..."))').waitFor();
    said.push(await page.locator("#verdict").textContent());
  }
  return said;
}

test("links are checked with the server, without it, and after it is back", async () => {
  await server.setStatus("bad.example.com", "BLOCKED");
  await server.setStatus("https://good.example.com/", "ALLOWED");
  const context = await browser.newContext();
  const page = await open(context);
  await refreshedTo(page, "https://login.bad.example.com/x", "BLOCKED by bad.example.com");
  await refreshedTo(page, "https://good.example.com/", "ALLOWED by https://good.example.com");
  const online = await verdicts(page);
  assert.deepEqual(online.map((text) => text.split(" by ")[0]),
    ["BLOCKED", "ALLOWED", "UNKNOWN", "Do not show: REFUSED"]);
  await installed(page);

  await server.stop();
  await stop(site);
  await assert.rejects(fetch(pageAddress));
  assert.deepEqual(await verdicts(page), online);
  await page.reload();
  await page.locator("#lists", { hasText: "NETWORK" }).waitFor();
  assert.deepEqual(await verdicts(page), online, "after the page was loaded again");
  await page.close();
  const again = await open(context);
  await again.locator("#lists", { hasText: "NETWORK" }).waitFor();
  assert.deepEqual(await verdicts(again), online, "in another tab");

  await server.run();
  site = await startPage();
  await server.setStatus("https://new.example.com/", "BLOCKED");
  await server.setStatus("bad.example.com", "UNKNOWN");
  await refreshedTo(again, "https://new.example.com/", "BLOCKED");
  await refreshedTo(again, "https://login.bad.example.com/x", "UNKNOWN");
  assert.deepEqual(again.faults, []);
  await context.close();
});

/** Changes the lists that the browser has stored. */
const damage = (page, how) => page.evaluate(async (change) => {
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await result(indexedDB.open("offline-example"));
  const held = await result(database.transaction("lists").objectStore("lists").get("held"));
  const lists = database.transaction("lists", "readwrite").objectStore("lists");
  if (change === "bit") {
    new Uint8Array(held.blocked)[3] ^= 4;
  } else if (change === "age") {
    held.asOf = Date.now() + 1;
  } else if (change === "swapped") {
    [held.blocked, held.allowed] = [held.allowed, held.blocked];
  } else if (change === "missing") {
    delete held.allowed;
  }
  await result(lists.put(held, "held"));
  database.close();
}, how);

test("damage in the storage is noticed", async () => {
  await server.setStatus("bad.example.com", "BLOCKED");
  for (const how of ["bit", "age", "swapped", "missing"]) {
    const context = await browser.newContext();
    const page = await open(context);
    await refreshedTo(page, "https://login.bad.example.com/x", "BLOCKED");
    await installed(page);
    await damage(page, how);
    await server.stop();
    await page.reload();
    await says(page, "https://login.bad.example.com/x", "Do not show: NO_LIST");
    await server.run();
    await refreshedTo(page, "https://login.bad.example.com/x", "BLOCKED");
    await context.close();
  }
});

test("a server that does not name the origin, or needs a key, gives no lists", async () => {
  const otherwise = {
    NETWORK: server.args.with(server.args.indexOf(pageAddress), "http://127.0.0.1:1"),
    UNAUTHENTICATED: server.args.filter((arg) => arg !== "-public-hashes"),
  };
  for (const [code, args] of Object.entries(otherwise)) {
    await server.stop();
    await server.run(args);
    const context = await browser.newContext();
    const page = await open(context);
    await page.locator("#lists", { hasText: `No lists. ${code}` }).waitFor();
    await says(page, "https://new.example.com/", "Do not show: NO_LIST");
    await context.close();
  }
});
