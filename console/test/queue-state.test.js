// What a queue is after what operators and others do, and what is read ahead, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  asked, decided, dropped, followed, missed, opened, paged, replaced, start, target, unfolded, upcoming,
} from "./web/queue-state.js";

const records = (...ids) => ids.map((id) => ({ id, text: "x" }));
const page = (...ids) => ({ items: records(...ids), nextCursor: null });
const before = (cursor, ...ids) => ({ ...page(...ids), nextCursor: cursor });
const oldest = (a, b) => a.id - b.id;
const newest = (a, b) => b.id - a.id;
const idsOf = ({ items }) => items.map(({ id }) => id);

/** What happens to a queue, by its name. A read that is asked for has its reply later, or none. */
const steps = {
  ask: (queue) => asked(queue),
  ask_again: (queue) => asked(queue, { quietly: true }),
  page: (queue, reply, moment = queue.moment, cursor = null) => paged(queue, reply, cursor, moment),
  next: (queue, reply, cursor) => paged(queue, reply, cursor, queue.moment),
  miss: (queue, moment = queue.moment) => missed(queue, { cursor: null, error: "away" }, moment),
  follow: (queue, reply, moment = queue.moment, order = oldest) => followed(queue, reply, moment, order),
  unfold: (queue, order) => unfolded(queue, order),
  open: (queue, id) => opened(queue, String(id)),
  decide: (queue, ...ids) => decided(queue, ids),
  replace: (queue, id, text) => replaced(queue, { id, text }),
  drop: (queue) => dropped(queue),
};

/** Returns a queue after some steps, from one with the records 1 to 3. */
const after = (...all) => all.reduce((queue, [name, ...values]) => steps[name](queue, ...values),
  paged(asked(start("")), page(1, 2, 3), null, 1));

const cases = [
  { reason: "a first page is the list", after: [], items: [1, 2, 3] },
  {
    reason: "the next page is appended once", after: [
      ["ask"], ["page", before("after 2", 1, 2)], ["ask"], ["next", page(2, 3, 4), "after 2"],
      ["next", page(2, 3, 4), "after 2"],
    ], items: [1, 2, 3, 4],
  },
  {
    reason: "a page after another end of the list is not appended",
    after: [["ask"], ["page", before("after 2", 1, 2)], ["ask"], ["next", page(9), "after 8"]], items: [1, 2],
  },
  {
    reason: "a first page that comes after a later one is dropped",
    after: [["ask"], ["ask"], ["page", page(1, 2, 3, 4), 3], ["page", page(1), 2]], items: [1, 2, 3, 4],
  },
  {
    reason: "a page that is followed by another one does not end the reading of that",
    after: [["ask"], ["ask"], ["page", page(1), 2]], items: [1], reading: 3,
  },
  { reason: "a failure of an earlier page is not shown", after: [["ask"], ["ask"], ["miss", 2]], reading: 3 },
  { reason: "a failure of the present page is shown", after: [["ask"], ["miss"]], failed: true, items: [1, 2, 3] },
  { reason: "another attempt takes the failure away", after: [["ask"], ["miss"], ["ask"]], reading: 3 },
  { reason: "what is read again quietly is not said to be read", after: [["ask_again"]], reading: 0 },
  {
    reason: "the record after the decided one has its place", after: [["open", 2], ["decide", 2]], items: [1, 3],
    position: 1, upcoming: 3,
  },
  {
    reason: "after the last record comes the first", after: [["open", 3], ["decide", 3]], items: [1, 2], position: 2,
    upcoming: 1,
  },
  {
    reason: "several are decided at once", after: [["open", 2], ["decide", 2, 1]], items: [3], position: 0, upcoming: 3,
  },
  { reason: "nothing comes after all", after: [["open", 1], ["decide", 1, 2, 3]], items: [], upcoming: undefined },
  {
    reason: "a record that was decided while another one is open does not move that",
    after: [["open", 3], ["decide", 1]], items: [2, 3], position: 1,
  },
  {
    reason: "a page that was asked for before a decision does not bring the record back",
    after: [["ask"], ["open", 1], ["decide", 1], ["page", page(1, 2, 3), 2]], items: [2, 3],
  },
  {
    reason: "neither does the list that is read again",
    after: [["ask_again"], ["decide", 1], ["follow", page(1, 2, 3), 2]], items: [2, 3],
  },
  {
    reason: "one that was asked for later does, as somebody has undone it",
    after: [["decide", 1], ["ask"], ["page", page(1, 2, 3)]], items: [1, 2, 3],
  },
  {
    reason: "a page that was asked for before a change has the record as it was changed",
    after: [["ask"], ["replace", 2, "mine"], ["page", page(1, 2, 3), 2]], items: [1, 2, 3], text: "mine",
  },
  {
    reason: "what others have decided stays until it is dropped", after: [["ask_again"], ["follow", page(1, 3)]],
    items: [1, 2, 3], gone: [2],
  },
  {
    reason: "it is dropped but for the open one", after: [["open", 2], ["ask_again"], ["follow", page(3)], ["drop"]],
    items: [2, 3], gone: [2], position: 0,
  },
  {
    reason: "a decision drops it too", after: [["open", 2], ["ask_again"], ["follow", page(2, 3)], ["decide", 2]],
    items: [3], gone: [], position: 0, upcoming: 3,
  },
  {
    reason: "one that others have decided is not what follows",
    after: [["open", 1], ["ask_again"], ["follow", page(1, 3)]], items: [1, 2, 3], gone: [2], upcoming: 3,
  },
  {
    reason: "what is new at the end is appended", after: [["ask_again"], ["follow", page(1, 2, 3, 4)]],
    items: [1, 2, 3, 4],
  },
  {
    reason: "what is new above waits, and is not what follows",
    after: [["open", 1], ["ask_again"], ["follow", page(0, 1, 2, 3)]], items: [1, 2, 3], fresh: [0], upcoming: 2,
  },
  {
    reason: "it is listed when the operator wants it",
    after: [["open", 2], ["ask_again"], ["follow", page(0, 1, 2, 3)], ["unfold", oldest]], items: [0, 1, 2, 3],
    position: 2,
  },
  {
    reason: "a decision meanwhile does not come back with it",
    after: [["ask_again"], ["follow", page(0, 1, 2, 3)], ["decide", 2], ["unfold", oldest]], items: [0, 1, 3],
  },
  {
    reason: "what is new is listed at once where nothing else is", after: [["decide", 1, 2, 3], ["ask_again"],
      ["follow", page(5, 4), 99, newest]], items: [5, 4],
  },
];

for (const { reason, after: happened, ...want } of cases) {
  test(reason, () => {
    const queue = after(...happened);
    assert.deepEqual(idsOf(queue), want.items ?? [1, 2, 3]);
    assert.deepEqual([...queue.gone], want.gone ?? []);
    assert.deepEqual(queue.fresh.map(({ id }) => id), want.fresh ?? []);
    assert.equal(queue.reading, want.reading ?? 0);
    assert.equal(queue.failed !== null, want.failed ?? false);
    assert.equal(queue.items.some(({ text }) => text === "mine"), want.text === "mine");
    if ("position" in want) {
      assert.equal(queue.position, want.position);
    }
    if ("upcoming" in want) {
      assert.equal(upcoming(queue)?.id, want.upcoming);
    }
  });
}

test("a step leads to the neighbor, and after the record has left, to the one in its place", () => {
  const queue = after(["open", 2]);
  assert.deepEqual([-1, 1].map((step) => target(queue, step)), [0, 2]);
  const left = after(["open", 2], ["ask"], ["page", page(1, 3)]);
  assert.deepEqual([-1, 1].map((step) => target(left, step)), [0, 1]);
});

test("no transition changes the queue that it is given", () => {
  const queue = after(["open", 2], ["ask_again"], ["follow", page(0, 1, 3)]);
  const kept = structuredClone(queue);
  for (const step of [["ask"], ["page", page(9), 9], ["follow", page(4), 9], ["unfold", newest], ["drop"],
    ["decide", 1, 2], ["replace", 3, "mine"], ["open", 3], ["miss"]]) {
    steps[step[0]](queue, ...step.slice(1));
  }
  assert.deepEqual(queue, kept);
});

test("a record that has not changed is the same object after its page was read again", () => {
  const queue = after();
  const again = paged(asked(queue), { items: [...records(1, 2), { id: 3, text: "y" }], nextCursor: null }, null, 2);
  assert.deepEqual(again.items.map((one, index) => one === queue.items[index]), [true, true, false]);
});
