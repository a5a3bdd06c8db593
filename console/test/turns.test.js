// How the page's reads take turns and are sent again, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Turns, repeated } from "./web/turns.js";

const refusal = (status, retryAfter = 0) => Object.assign(new Error("refused"), { status, retryAfter });
const never = new AbortController().signal;

/** Returns pauses that end at once, and how long they would have been. */
function pauses() {
  const taken = [];
  return { taken, pause: async (milliseconds) => { taken.push(milliseconds); } };
}

/** Returns a read that ends when told, and says when it has begun. */
function held() {
  let end;
  let begin;
  const read = new Promise((resolve) => { end = resolve; });
  const begun = new Promise((resolve) => { begin = resolve; });
  return { begun, end, send: () => { begin(); return read; } };
}

test("a refused read is sent again after the time that the server asks for", async () => {
  const { taken, pause } = pauses();
  const replies = [refusal(429, 3), refusal(503), refusal(503, 1)];
  const send = async () => {
    const error = replies.shift();
    if (error) {
      throw error;
    }
    return "read";
  };
  assert.equal(await repeated(send, never, pause), "read");
  assert.deepEqual(taken, [3000, 1000, 2000]);
});

test("a read that is always refused fails after five times", async () => {
  const { taken, pause } = pauses();
  let times = 0;
  const send = async () => { times++; throw refusal(503); };
  await assert.rejects(repeated(send, never, pause), { status: 503 });
  assert.equal(times, 5);
  assert.deepEqual(taken, [500, 1000, 2000, 4000]);
});

test("other failures, and a server that asks for minutes, fail at once", async () => {
  const { taken, pause } = pauses();
  for (const error of [refusal(500), refusal(0), refusal(404), refusal(429, 60), new TypeError("no fetch")]) {
    await assert.rejects(repeated(async () => { throw error; }, never, pause), error);
  }
  assert.deepEqual(taken, []);
});

test("a pause ends when the view is left", async () => {
  const leaving = new AbortController();
  const work = repeated(async () => { setImmediate(() => leaving.abort()); throw refusal(429, 15); }, leaving.signal);
  await assert.rejects(work, { name: "AbortError" });
});

test("reads wait for their turn in the order in which they came", async () => {
  const turns = new Turns(2);
  const reads = Array.from({ length: 4 }, held);
  const begun = [];
  const all = reads.map(({ send }, index) => turns.run(() => { begun.push(index); return send(); }));
  await Promise.all([reads[0].begun, reads[1].begun]);
  assert.deepEqual(begun, [0, 1]);
  reads[1].end();
  await reads[2].begun;
  assert.deepEqual(begun, [0, 1, 2]);
  reads.forEach(({ end }) => end());
  await Promise.all(all);
  assert.deepEqual(begun, [0, 1, 2, 3]);
});

test("a read that is given up keeps its turn until the reply is there, and one that waits is not sent", async () => {
  const turns = new Turns(1);
  const leaving = new AbortController();
  const [first, second, third] = [held(), held(), held()];
  let sent = false;
  const left = [
    turns.run(first.send, leaving.signal),
    turns.run(() => { sent = true; return second.send(); }, leaving.signal),
  ];
  let begun = false;
  const next = turns.run(() => { begun = true; return third.send(); });
  await first.begun;
  leaving.abort();
  for (const read of left) {
    await assert.rejects(read, { name: "AbortError" });
  }
  assert.equal(begun, false, "the server is still at work");
  first.end();
  await third.begun;
  third.end();
  await next;
  assert.equal(sent, false);
});
