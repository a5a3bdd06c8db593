// Starts the built server and Chromium for the tests, and checks pages with axe.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, mkdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { chromium } from "playwright-core";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env.CONSOLE_SCREENSHOTS;
/** What a slow machine needs at most. A wait ends as soon as its condition holds. In milliseconds. */
export const patience = 120_000;

/** A server on a database of its own, which can be stopped and started again. */
export class Server {
  /** With an origin, pages of it may call the APIs. With four eyes, some acts take two operators. */
  static async start({ origin, fourEyes = false } = {}) {
    const server = new Server();
    server.flags = [...origin ? ["-allow-origin", origin] : [], ...fourEyes ? ["-four-eyes"] : []];
    if (process.env.CONSOLE_PAGE) { // a build for each server takes a second
      server.flags.push("-page", process.env.CONSOLE_PAGE);
    }
    server.dir = await mkdtemp(path.join(tmpdir(), "console-test-"));
    server.port = await freePort();
    await server.run();
    server.keys = { ...server.printed };
    return server;
  }

  get address() {
    return `http://127.0.0.1:${this.port}`;
  }

  async run() {
    this.process = spawn(process.env.APGUARD_PROGRAM,
      ["console", "-addr", `127.0.0.1:${this.port}`, "-db", path.join(this.dir, "console.db"), ...this.flags],
      { cwd: process.env.CONSOLE_ROOT, stdio: ["ignore", "pipe", "inherit"] });
    this.guard = guard(this.process);
    this.printed = {};
    for await (const line of createInterface({ input: this.process.stdout })) {
      this.printed.key ??= /Acme: (apg_\w+)/.exec(line)?.[1];
      this.printed.operatorKey ??= /operator: +(apg_\w+)/.exec(line)?.[1];
      if (line.includes("/#/overview?")) {
        this.printed.link = line.trim();
        return;
      }
    }
    this.guard.stdin.end("done\n");
    throw new Error("the server has ended");
  }

  /** Ends the process as a crash does. */
  async kill() {
    this.guard.stdin.end("done\n");
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }

  async stop() {
    await this.kill();
    await rm(this.dir, { recursive: true });
  }

  /** Calls an API as another client. */
  async call(which, method, path, body) {
    const base = which === "key" ? "/api/v2" : "/operator";
    const response = await fetch(this.address + base + path, {
      method, headers: { "X-API-Key": this.keys[which], "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }
}

/**
 * Ends a process when this one has ended in any way, which closes the guard's input. A line on the
 * input ends the guard alone.
 */
export function guard({ pid }) {
  return spawn("sh", ["-c", 'read -r _ || kill -KILL "$1"', "guard", String(pid)],
    { stdio: ["pipe", "ignore", "ignore"] });
}

/** A web server that knows only files, with the page as the build command writes it. */
export class StaticServer {
  static async start() {
    const files = new StaticServer();
    files.dir = await mkdtemp(path.join(tmpdir(), "console-site-"));
    files.server = createHttpServer(async (request, response) => {
      const { pathname } = new URL(request.url, "http://localhost");
      const name = pathname === "/" ? "/index.html" : path.posix.normalize(pathname);
      const content = await readFile(path.join(files.dir, name)).catch(() => undefined);
      const types = {
        ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
        ".svg": "image/svg+xml",
      };
      response.writeHead(content ? 200 : 404,
        { "Content-Type": types[path.extname(name)] ?? "application/json" }).end(content);
    }).listen(0, "127.0.0.1");
    await once(files.server, "listening");
    files.address = `http://127.0.0.1:${files.server.address().port}`;
    return files;
  }

  /** Builds the page for the APIs of a server. */
  async build({ address }) {
    await promisify(execFile)(process.env.APGUARD_PROGRAM,
      ["console", "build", "-o", this.dir, "-api", `${address}/api/v2`, "-operator-api", `${address}/operator`],
      { cwd: process.env.CONSOLE_ROOT });
  }

  async stop() {
    this.server.close();
    this.server.closeAllConnections();
    await rm(this.dir, { recursive: true });
  }
}

/** The port that is tried next. Test files run side by side, each in a process of its own. */
let nextPort = 20_000 + (process.pid % 100) * 100;

/**
 * Finds a port that no other test file finds meanwhile, below those that the system gives to clients: it is
 * still free after a restart of the server.
 */
export async function freePort() {
  for (;;) {
    const port = nextPort++;
    const server = createServer().listen(port, "127.0.0.1");
    const free = await once(server, "listening").then(() => true, () => false);
    if (free) {
      server.close();
      await once(server, "close");
      return port;
    }
  }
}

export function launch() {
  return chromium.launch({
    timeout: patience, executablePath: process.env.CONSOLE_CHROMIUM ?? "/usr/bin/chromium",
    handleSIGTERM: false, // it ends the tests, and the browser with them
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

/** Starts a server and a browser for all tests of a file, after which they are stopped. */
export async function shared() {
  const server = await Server.start();
  after(() => server.stop());
  const browser = await launch();
  after(() => browser.close());
  return { server, browser };
}

/** Opens an empty page that collects its errors as faults. */
export async function newPage(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    // A refused request is shown by the page; Chromium logs it too.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      page.faults.push(message.text());
    }
  });
  return page;
}

/**
 * Opens a page with the keys of the server. The page has a list of what must not happen: errors,
 * requests to other hosts, dialogs of hostile scripts.
 */
export async function open(browser, server, hash = "#/check",
  { keys = server.keys, width = 1280, theme = "light", page: address = server.address } = {}) {
  const viewport = { width, height: 900 };
  const context = await browser.newContext({ viewport, colorScheme: theme, serviceWorkers: "block" });
  const page = await newPage(context);
  page.on("dialog", (dialog) => { page.faults.push(`dialog ${dialog.message()}`); void dialog.dismiss(); });
  page.on("request", (request) => {
    if (![server.address, address].some((known) => request.url().startsWith(`${known}/`))
      && !request.url().startsWith("blob:")) {
      page.faults.push(`request to ${request.url()}`);
    }
  });
  const [view, query = ""] = hash.split("?");
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(keys)) {
    if (name !== "link" && value) {
      params.set(name, value);
    }
  }
  await page.goto(`${address}/${view}?${params}`);
  await page.waitForSelector("h1");
  return page;
}

/** Closes a page after nothing went wrong on it. */
export async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** Shows or hides the tab of a page, which follows what others do only while it is seen. */
export function see(page, seen) {
  return page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: !value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, seen);
}

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Asserts that axe finds nothing, by all standards or by some rules. */
export async function accessible(page, runOnly = standards) {
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(axeSource); // not through the page's policy: the driver evaluates it
  }
  const { violations } = await page.evaluate((only) => globalThis.axe.run(document, { runOnly: only }), runOnly);
  const found = violations.map(({ id, nodes }) =>
    ({ id, nodes: nodes.map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary]) }));
  assert.deepEqual(found, []);
}

/** Asserts that axe finds nothing in either theme. They differ only in colors. */
export async function check(page, name) {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await accessible(page);
  await shot(page, `${name}-light`);
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible(page, ["color-contrast"]);
  await shot(page, `${name}-dark`);
}

/** Writes a screenshot if a directory is given. */
export async function shot(page, name) {
  if (shots) {
    await mkdir(shots, { recursive: true });
    await page.screenshot({ path: path.join(shots, `${name}.png`) });
  }
}
