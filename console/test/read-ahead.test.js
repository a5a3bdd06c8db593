// What is read before somebody opens it, and when, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ReadAhead } from "./web/read-ahead.js";
import { Turns } from "./web/turns.js";

const never = new AbortController().signal;

/** Returns a reader, what it was asked for, and a function that ends a read. */
function reader(turns = new Turns(3), signal = never) {
  const asked = [];
  const begun = [];
  const ends = new Map();
  const ahead = new ReadAhead((id, its) => {
    asked.push(id);
    return turns.run(() => new Promise((resolve, reject) => {
      begun.push(id);
      ends.set(id, { resolve, reject });
    }), its);
  }, turns, signal);
  const end = (id) => ends.get(id).resolve(`record ${id}`);
  return { ahead, asked, begun, end, fail: (id) => ends.get(id).reject(new Error("refused")) };
}

/** Lets what has been made possible happen. */
const settled = () => new Promise(setImmediate);

test("one record is read ahead once, and taken once", async () => {
  const { ahead, asked, end } = reader();
  const row = { id: 7 };
  ahead.want(row);
  ahead.want(row);
  await settled();
  end("7");
  assert.equal(ahead.take("8"), undefined);
  assert.equal(await ahead.take("7"), "record 7");
  assert.equal(ahead.take("7"), undefined);
  assert.deepEqual(asked, ["7"]);
});

test("another record, or a row that has changed, takes the place of what was read", async () => {
  const { ahead, asked, end } = reader();
  ahead.want({ id: 1 });
  ahead.want({ id: 2 });
  assert.equal(ahead.take("1"), undefined);
  ahead.want({ id: 2, state: "changed" });
  await settled();
  end("2");
  assert.equal(await ahead.take("2"), "record 2");
  assert.deepEqual(asked, ["1", "2", "2"]);
});

test("nothing is kept when nothing follows, and a failure disturbs nobody", async () => {
  const { ahead, fail } = reader();
  ahead.want({ id: 1 });
  ahead.want(undefined);
  assert.equal(ahead.take("1"), undefined);
  ahead.want({ id: 2 });
  await settled();
  fail("2");
  await settled();
  await assert.rejects(ahead.take("2"));
});

test("it leaves one turn to others, and comes after all that somebody waits for", async () => {
  const turns = new Turns(2);
  const { ahead, begun } = reader(turns);
  const ends = [];
  const busy = () => turns.run(() => new Promise((resolve) => { ends.push(resolve); }));
  const first = busy();
  await settled();
  ahead.want({ id: 1 });
  await settled();
  assert.deepEqual(begun, [], "one turn is free, and is kept free");
  const others = [busy(), busy()];
  await settled();
  ends.shift()();
  await first;
  await settled();
  assert.deepEqual(begun, [], "the others have waited since, and come first");
  ends.splice(0).forEach((end) => end());
  await Promise.all(others);
  await settled();
  assert.deepEqual(begun, ["1"]);
});

test("a record that somebody has opened waits like any other", async () => {
  const turns = new Turns(1);
  const { ahead, begun, end } = reader(turns);
  ahead.want({ id: 1 });
  await settled();
  assert.deepEqual(begun, [], "the only turn is kept free");
  const work = ahead.take("1");
  await settled();
  assert.deepEqual(begun, ["1"]);
  end("1");
  assert.equal(await work, "record 1");
});

test("what is dropped, or waits when the view is left, is not sent", async () => {
  const turns = new Turns(1);
  const leaving = new AbortController();
  const { ahead, asked, begun } = reader(turns, leaving.signal);
  ahead.want({ id: 1 });
  ahead.want({ id: 2 });
  const work = ahead.take("2");
  leaving.abort();
  await assert.rejects(work, { name: "AbortError" });
  ahead.want({ id: 3 });
  await settled();
  assert.deepEqual([asked, begun], [["1", "2", "3"], []]);
});
