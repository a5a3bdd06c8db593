// The npm package of the rules in Chromium, in a page that Vite has built, and in one of its development server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { freePort, launch, newPage } from "./harness.js";
import { ListServer, start, stop } from "./list-server.js";

const dir = process.env.PACKAGE_PAGE;
const vite = path.join(dir, "node_modules", ".bin", "vite");
const link = "https://login.bad.example.com/x";
const contents = [link, "Bad.example.com", "no link"];
const classified = [
  { type: "URL", canonical: link },
  { type: "PAGE", canonical: "bad.example.com" },
  {
    refused: {
      reason: "FORBIDDEN_CHARACTER", character: "U+0020", offset: 2,
      message: "inner white space, control character or invisible direction mark",
    },
  },
];

const browser = await launch();
after(() => browser.close());

/** Opens the page. It must not log errors other than those of requests. */
async function open(context, address) {
  const page = await newPage(context);
  await page.goto(address);
  return page;
}

const verdict = (page, content) => page.evaluate((checked) => globalThis.parts.verdict(checked), content);

/** Makes the page refresh its lists until they say this about the link. */
const refreshedTo = (page, text) => page.evaluate(async ([checked, wanted]) => {
  while (await globalThis.parts.verdict(checked) !== wanted) {
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    await globalThis.parts.list.refresh();
  }
}, [link, text]);

for (const command of ["preview", "dev"]) {
  test(`vite ${command}`, async (t) => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const site = await start(vite, [command, dir, "--host", "127.0.0.1", "--port", port, "--strictPort"], "  \u279c");
    t.after(() => stop(site));
    const server = await ListServer.start(origin);
    t.after(() => server.remove());
    const context = await browser.newContext();
    const address = `${origin}/?api=${encodeURIComponent(server.api)}`;
    const page = await open(context, address);

    const here = await page.evaluate(async (texts) => (await globalThis.parts.here).classify(texts), contents);
    assert.deepEqual(here, classified);
    for (const worker of ["worker", "ownWorker"]) {
      const there = await page.evaluate(([name, texts]) => globalThis.parts[name].classify(texts), [worker, contents]);
      assert.deepEqual(there, classified, worker);
    }
    assert.equal(await verdict(page, link), "NO_LIST");
    await server.setStatus("bad.example.com", "BLOCKED");
    await refreshedTo(page, "BLOCKED by bad.example.com");
    assert.equal(await verdict(page, "https://example.com/"), "UNKNOWN");
    assert.equal(await verdict(page, "no link"), "REFUSED");

    await server.stop();
    const again = await open(context, address);
    assert.equal(await again.evaluate(() => globalThis.parts.list.load()), true, "the lists are stored");
    assert.equal(await verdict(again, link), "BLOCKED by bad.example.com", "without the server");
    assert.deepEqual([...page.faults, ...again.faults], []);
    await context.close();
  });
}

test("node", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["node.mjs", ...contents], { cwd: dir });
  assert.deepEqual(JSON.parse(stdout), classified);
});
