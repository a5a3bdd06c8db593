// A proxy names the person who uses the page: nobody enters a key, and the rights are those of a key in the store.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { fingerprint } from "./admin.js";
import { check, close, freePort, guard, launch, open } from "./harness.js";

const dir = await mkdtemp(path.join(tmpdir(), "console-test-"));
const db = path.join(dir, "desk.db");
const run = async (...args) => (await promisify(execFile)(process.env.APGUARD_PROGRAM, args,
  { cwd: process.env.CONSOLE_ROOT })).stdout.trim();
const button = (place, name) => place.getByRole("button", { name, exact: true });

/** Creates a user with a key to sign in with, and returns the user's ID and the key. */
async function person(name, email) {
  const { id } = JSON.parse(await run("users", "create", "-db", db, "-name", name, "-email", email));
  return { id: String(id), key: await createKey(String(id)) };
}

/** Creates a key with which a user signs in, and returns it. */
function createKey(user) {
  return run("keys", "create", "-db", db, "-name", "sign-in", "-user", user, "-scopes", "operator:read");
}

/** Starts a server that trusts a proxy on this machine, and returns the address of its console. */
async function serve() {
  const page = process.env.CONSOLE_PAGE ?? path.join(dir, "page");
  if (!process.env.CONSOLE_PAGE) {
    await run("console", "build", "-o", page);
  }
  const server = spawn(process.env.APGUARD_PROGRAM, ["serve", "-db", db, "-addr", "127.0.0.1:0",
    "-operator", `127.0.0.1:${await freePort()}`, "-console", page, "-trust-proxy", "127.0.0.1",
    "-sign-in-header", "X-Forwarded-Email"], { stdio: ["ignore", "pipe", "ignore"] });
  const watched = guard(server);
  after(async () => {
    watched.stdin.end("done\n");
    server.kill("SIGKILL");
    await once(server, "exit");
    await rm(dir, { recursive: true });
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const [, address] = /console on (\S+)/.exec(line) ?? [];
    if (address) {
      return address;
    }
  }
  throw new Error("the server has ended");
}

/** The person whom the proxy names. */
let named = "";

/** Starts a proxy in front of an address, and returns its own. */
async function proxy(address) {
  const server = createServer((request, response) => {
    const { "x-forwarded-email": _, ...headers } = request.headers;
    const sent = forward(address + request.url, {
      method: request.method, headers: named === "" ? headers : { ...headers, "X-Forwarded-Email": named },
    }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    response.on("close", () => sent.destroy());
    request.pipe(sent);
  }).listen(await freePort(), "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

const server = { address: await proxy(await serve()), keys: {} };
const { id: olga, key } = await person("Olga", "olga@acme.example");
await person("Ben", "ben@acme.example");
const browser = await launch();
after(() => browser.close());
const who = (page, text) => page.locator(".who").getByText(text).waitFor();

test("whom the proxy names is signed in until they sign out, and with a click again", async () => {
  named = "olga@acme.example";
  const page = await open(browser, server, "#/disputes");
  await who(page, "Olga operator");
  await page.getByText("You are not signed in.").waitFor({ state: "hidden" });
  const tab = await page.context().newPage();
  await tab.goto(`${server.address}/#/settings`);
  await who(tab, "Olga operator");
  await button(tab, "Sign out").click();
  for (const one of [page, tab]) {
    await one.getByText("You are not signed in.").waitFor();
  }
  await page.reload();
  await page.getByText("You are not signed in.").waitFor(); // a reload signs nobody in who has signed out
  await check(tab, "sign-in-header");
  await button(tab, "Sign in as olga@acme.example").click();
  await Promise.all([who(page, "Olga operator"), who(tab, "Olga operator")]);
  await close(page);
});

test("another person in the same browser is not the one before, and a stranger is told why", async () => {
  named = "olga@acme.example";
  const page = await open(browser, server, "#/disputes");
  await who(page, "Olga operator");
  named = "ben@acme.example";
  await page.reload();
  await who(page, "Ben operator");
  named = "eve@acme.example";
  await page.reload();
  await page.getByText("Not exactly one active user has your e-mail address").waitFor();
  await page.getByText("You are not signed in.").waitFor();
  named = "";
  await page.reload();
  await page.getByText("You are not signed in.").waitFor();
  assert.equal(await page.getByText("without a key").count(), 0, "the proxy names nobody");
  await close(page);
});

test("revoking the key ends the session, and with another one it goes on", async () => {
  named = "olga@acme.example";
  const page = await open(browser, server, "#/disputes");
  await who(page, "Olga operator");
  await run("keys", "revoke", "-db", db, fingerprint(key));
  const refusal = page.getByText("The server no longer accepts your operator key.");
  await refusal.waitFor();
  await createKey(olga);
  await page.reload();
  await page.getByRole("link", { name: /^Disputes \d/ }).waitFor();
  await refusal.waitFor({ state: "hidden" });
  await close(page);
});
