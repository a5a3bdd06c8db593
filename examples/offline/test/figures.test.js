// What 1,000,000 hashes take in Chromium: memory, the time to decode them, and the time of a check. Times are
// printed and not asserted.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { after, test } from "node:test";

import { launch } from "./harness.js";

const blocked = 900_000;
const allowed = 100_000;
const parameter = 44;
const document = JSON.parse(readFileSync(`${process.env.CONSOLE_ROOT}/httpapi/openapi.json`, "utf8"));
const rulesVersion = String(document.info["x-rules-version"]);

/** Returns sorted random hashes, each as 8 bytes. */
function randomHashes(count) {
  const drawn = new BigUint64Array(count);
  for (let i = 0, state = BigInt(count); i < count; i++) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    drawn[i] = state;
  }
  const sorted = Buffer.alloc(count * 8);
  drawn.sort().forEach((hash, i) => sorted.writeBigUInt64BE(hash, i * 8));
  return sorted;
}

/** Appends bits, the lowest one first. */
class BitWriter {
  bytes = [];
  pending = 0n;
  used = 0n;

  write(value, count) {
    this.pending |= value << this.used;
    for (this.used += count; this.used >= 8n; this.used -= 8n) {
      this.bytes.push(Number(this.pending & 0xffn));
      this.pending >>= 8n;
    }
  }

  end() {
    return Buffer.from(this.bytes.concat(Number(this.pending)));
  }
}

function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 128n) {
      return Buffer.from([...bytes, Number(rest)]);
    }
    bytes.push(Number(rest & 127n) | 128);
  }
}

const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint((field << 3) | 2), varint(value.length), Buffer.from(value)]);

/** Returns a whole list of a response. */
function list(name, hashes) {
  const bits = new BitWriter();
  for (let at = 8; at < hashes.length; at += 8) {
    const delta = hashes.readBigUInt64BE(at) - hashes.readBigUInt64BE(at - 8);
    const quotient = delta >> BigInt(parameter);
    bits.write((1n << quotient) - 1n, quotient + 1n);
    bits.write(BigInt.asUintN(parameter, delta), BigInt(parameter));
  }
  const additions = Buffer.concat([number(1, hashes.readBigUInt64BE(0)), number(2, parameter),
    number(3, hashes.length / 8 - 1), bytes(4, bits.end())]);
  const checksum = createHash("sha256").update(hashes).digest();
  return bytes(1, Buffer.concat([bytes(1, name), bytes(7, checksum), bytes(9, additions)]));
}

const site = spawn(process.env.OFFLINE_PROGRAM, ["-addr", "127.0.0.1:0"],
  { cwd: process.env.CONSOLE_ROOT, stdio: ["ignore", "pipe", "inherit"] });
after(() => site.kill());
const { value: line } = await createInterface({ input: site.stdout })[Symbol.asyncIterator]().next();
const address = line.replace("page on ", "");
const browser = await launch();
after(() => browser.close());

test("1,000,000 hashes", async (t) => {
  const data = Buffer.concat([list("blocked", randomHashes(blocked)), list("allowed", randomHashes(allowed))]);
  t.diagnostic(`${data.length} bytes`);
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.route("**/asset/hashes", (route) => route.fulfill({
    body: data, headers: { "Age": "0", "Content-Type": "application/x-protobuf", "Access-Control-Allow-Origin": "*",
      "Rules-Version": rulesVersion, "Access-Control-Expose-Headers": "Age, Rules-Version" },
  }));
  await page.goto(address + "rules.d.ts"); // a page without programs, of the same origin
  const session = await context.newCDPSession(page);
  const used = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  };
  await page.evaluate(async () => {
    await import("./wasm_exec.js");
    const { loadRules } = await import("./rules.js");
    const { HashList } = await import("./hashlist.js");
    const rules = await loadRules(new URL("rules.wasm", location));
    globalThis.list = new HashList(rules, { base: location.origin, maxAge: 3_600_000 });
    globalThis.urls = (from) => Array.from({ length: 10_000 },
      (_, i) => `https://www.shop${from + i}.example.com/products/item-${i}?ref=${i}`);
  });
  const before = await used();
  await page.evaluate(async () => {
    globalThis.response = new Uint8Array(await (await fetch(`${location.origin}/asset/hashes`)).arrayBuffer());
  });
  const took = await worked(page, () => globalThis.list.update(globalThis.response, new Date()));
  assert.deepEqual(await page.evaluate(() => [globalThis.list.state().blocked, globalThis.list.state().allowed]),
    [blocked, allowed]);
  await page.evaluate(() => { globalThis.response = undefined; });
  const held = await used() - before;
  t.diagnostic(`decoded in ${Math.round(took / 1000)} ms in the longest task`);
  t.diagnostic(`the lists take ${Math.round(held / 1000)} kB`);
  assert.ok(held > 8_000_000, "the lists count");
  assert.ok(held < 10_000_000);
  const runs = [];
  for (let run = 0; run < 6; run++) {
    runs.push(await worked(page, (from) => {
      for (const content of globalThis.urls(from)) {
        globalThis.list.check(content);
      }
    }, run * 10_000) / 10_000);
  }
  t.diagnostic(`a check takes ${runs.map((time) => time.toFixed(1)).join(", ")} us of the thread in runs of 10,000`);
});

/**
 * Calls a function on a page, and returns for how many microseconds the main thread has worked in the task. It
 * does not count that other programs had the processor.
 */
async function worked(page, act, argument) {
  await browser.startTracing(page, { categories: ["-*", "toplevel"] });
  await page.evaluate(act, argument);
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const tasks = traceEvents.filter(({ name }) => name.endsWith("::RunTask"));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur));
}
