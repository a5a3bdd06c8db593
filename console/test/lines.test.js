// How much of a long text or reply one task has, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { readEntries } from "./web/changelog-stream.js";
import {
  TextProblem, batchesOf, checkSize, maxBatchLength, maxBatchLines, maxBytes, maxLineLength, maxLines,
} from "./web/lines.js";

async function collect(parts) {
  const batches = [];
  for await (const batch of batchesOf(new Blob(parts))) {
    batches.push(batch);
  }
  return batches;
}

const contents = (batches) => batches.flatMap(({ lines }) => lines.map(({ content }) => content));

test("a batch has no more lines and characters than one task takes", async () => {
  const lines = Array.from({ length: 10_500 }, (_, index) => `https://line-${index}.example.com`);
  const many = await collect([lines.join("\n")]);
  assert.equal(many.length, 11);
  assert.ok(many.every((batch) => batch.lines.length <= maxBatchLines && batch.total === lines.length));
  assert.deepEqual(contents(many), lines);
  const long = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(maxLineLength, "x"));
  const few = await collect([long.join("\n")]);
  assert.ok(few.length > 1 && few.every((batch) => contents([batch]).join("").length <= maxBatchLength));
  assert.deepEqual(contents(few), long);
});

test("every line break ends a line, and blank lines are only counted", async () => {
  const text = "\ufeffone\r\ntwo\rthree\n\n \t\u00a0\nfour é😀\r\r\nfive\n";
  const lines = [[1, "one"], [2, "two"], [3, "three"], [6, "four é😀"], [8, "five"]]
    .map(([number, content]) => ({ number, content }));
  const bytes = new TextEncoder().encode(text);
  assert.deepEqual(await collect([bytes]), [{ lines, total: 5 }]);
  // A part of a stream can end within a line, a line break or a character.
  const cut = {
    stream: () => new ReadableStream({
      start: (controller) => {
        bytes.forEach((byte) => controller.enqueue(Uint8Array.of(byte)));
        controller.close();
      },
    }),
  };
  const { value } = await batchesOf(cut).next();
  assert.deepEqual(value.lines, lines);
  assert.deepEqual(await collect(["\n \n"]), []);
});

const problems = {
  "bytes that are not UTF-8": [[Uint8Array.of(0x68, 0xff, 0xfe)], /not a text file in UTF-8/],
  "a text that ends within a character": [[Uint8Array.of(0x68, 0xc3)], /not a text file in UTF-8/],
  "NUL, as programs and UTF-16 have it": [["PK\u0003\u0000"], /not a text file in UTF-8/],
  "more lines than the page keeps": [
    ["a\n".repeat(maxLines + 1)],
    /^These are 200,001 lines\. The console takes 20 MB and 200,000 lines at a time\. Split the list/,
  ],
  "a line that is no content": [["x\n", "y".repeat(maxLineLength + 1)], /more than 65,536 characters/],
};
for (const [why, [parts, message]] of Object.entries(problems)) {
  test(`refused before the first batch: ${why}`, async () => {
    await assert.rejects(collect(parts), (error) => error instanceof TextProblem && message.test(error.message));
  });
}

test("refused without being read: a file of too many bytes, and one that cannot be read", async () => {
  assert.throws(() => checkSize(100 << 20), { message: /^These are 100 MB\. The console takes 20 MB/ });
  checkSize(maxBytes);
  const folder = {
    stream: () => new ReadableStream({ pull: () => { throw new DOMException("gone", "NotFoundError"); } }),
  };
  await assert.rejects(batchesOf(folder).next(), TextProblem);
});

test("a changelog in one piece is read in many tasks", async () => {
  const entry = { fromStatus: "UNKNOWN", toStatus: "ALLOWED", updatedAt: "2026-11-22T00:00:00.000Z" };
  const changelog = Array.from({ length: 10_000 }, (_, index) => ({ ...entry, content: `{"}\\\n😀${index}` }));
  const body = new Blob([JSON.stringify({ changelog })]);
  let tasks = 0;
  let reading = true;
  const count = () => { tasks++; if (reading) setImmediate(count); };
  setImmediate(count);
  const parts = [];
  const seen = [];
  const whole = new ReadableStream({
    start: async (controller) => {
      controller.enqueue(new Uint8Array(await body.arrayBuffer()));
      controller.close();
    },
  });
  await readEntries(whole, (entries) => {
    parts.push(entries);
    seen.push(tasks);
  });
  reading = false;
  assert.deepEqual(parts.flat(), changelog);
  assert.ok(Math.max(...parts.map((part) => part.length)) <= 500, "entries of one task");
  assert.ok(new Set(seen).size > seen.length / 2, "the parts are in tasks of their own");
});

test("a changelog that ends early fails after its entries", async () => {
  const parts = [];
  const cut = new Blob(['{"changelog":[{"content":"a"},{"con']).stream();
  await assert.rejects(readEntries(cut, (entries) => parts.push(...entries)),
    /connection was lost/);
  assert.deepEqual(parts, [{ content: "a" }]);
});
