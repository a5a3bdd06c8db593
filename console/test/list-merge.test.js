// What a list that is read again has changed, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { merged } from "./web/list-merge.js";

const records = (...ids) => ids.map((id) => ({ id, text: "x" }));
const oldest = (a, b) => a.id - b.id;
const newest = (a, b) => b.id - a.id;

const cases = [
  { reason: "nothing has changed", before: [1, 2], first: [1, 2], order: oldest, items: [1, 2] },
  { reason: "one has left", before: [1, 2, 3], first: [1, 3], order: oldest, items: [1, 2, 3], gone: [2] },
  { reason: "the last one has left", before: [1, 2], first: [1], order: oldest, items: [1, 2], gone: [2] },
  { reason: "all have left", before: [1, 2], first: [], order: oldest, items: [1, 2], gone: [1, 2] },
  { reason: "one is new at the end", before: [1], first: [1, 2], order: oldest, items: [1, 2], fresh: [2] },
  {
    reason: "one is new above", before: [2, 1], first: [3, 2, 1], order: newest, items: [3, 2, 1], fresh: [3],
    atEnd: false,
  },
  {
    reason: "one came back in between", before: [1, 3], first: [1, 2, 3], order: oldest, items: [1, 2, 3], fresh: [2],
    atEnd: false,
  },
  {
    reason: "one left, and the page has the first of the next one", before: [1, 2, 3], following: "after 3",
    first: [1, 3, 4], next: "after 4", order: oldest, items: [1, 2, 3, 4], gone: [2], fresh: [4], cursor: "after 4",
  },
  {
    reason: "two pages were read", before: [1, 2, 3, 4], following: "after 4", first: [2, 3], next: "after 3",
    order: oldest, items: [1, 2, 3, 4], gone: [1], cursor: "after 4",
  },
  {
    reason: "the whole list was read in two pages, so the last one is where the new ones are", before: [1, 2, 3, 4],
    first: [1, 2], next: "after 2", again: "after 2", order: oldest, items: [1, 2, 3, 4], cursor: "after 2",
  },
  {
    reason: "a new one pushes the last one to the next page", before: [3, 2], following: "after 2", first: [4, 3],
    next: "after 3", order: newest, items: [4, 3, 2], fresh: [4], atEnd: false, cursor: "after 2",
  },
  {
    reason: "a filter leaves nothing of the first page, and later pages stay", before: [5, 7], following: "after 8",
    first: [], next: "after 4", lastRead: 4, order: oldest, items: [5, 7], cursor: "after 8",
  },
  {
    reason: "one has left behind the last that a filter leaves of the first page", before: [1, 3, 7], following: null,
    first: [1], next: "after 4", lastRead: 4, order: oldest, items: [1, 3, 7], gone: [3], cursor: "after 4",
  },
];

for (const { reason, before, following = null, first, next = null, lastRead, again = null, order, ...want } of cases) {
  test(reason, () => {
    const got = merged({ items: records(...before), following },
      { items: records(...first), following: next, lastRead: lastRead && records(lastRead)[0] }, order, again);
    assert.deepEqual(got.items.map(({ id }) => id), want.items);
    assert.deepEqual([...got.gone], want.gone ?? []);
    assert.deepEqual(got.fresh.map(({ id }) => id), want.fresh ?? []);
    assert.equal(got.atEnd, want.atEnd ?? true);
    assert.equal(got.following, want.cursor ?? null);
  });
}

test("a record that has not changed is the same object, and another one is not", () => {
  const before = records(1, 2);
  const { items } = merged({ items: before, following: null },
    { items: [...records(1), { id: 2, text: "y" }], following: null }, oldest, null);
  assert.equal(items[0], before[0]);
  assert.equal(items[1].text, "y");
});
