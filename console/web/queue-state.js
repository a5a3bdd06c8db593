// @ts-check
// What a queue is, as data. A function for each thing that happens returns the queue after it, and changes none.
import { merged, unlessSame } from "./list-merge.js";

/** @typedef {string | number | null} Cursor */

/**
 * Reads and edits are counted, so that a reply is known to be older than what has happened since it was asked for.
 *
 * @template {{ id: number | string }} T
 * @typedef {object} Queue
 * @property {T[]} items those that are listed
 * @property {Cursor} following the cursor of the next page
 * @property {Cursor} last the cursor of the page that was read last
 * @property {Set<T["id"]>} gone the listed ones that others have taken off the list
 * @property {T[]} fresh those that are new above others, which wait until the operator wants to see them
 * @property {string} selected the ID of the open record, or nothing
 * @property {number} position where that is in the list, or was before it left it
 * @property {boolean} done whether the operator has decided the last one
 * @property {number} moment the count of reads and edits
 * @property {number} readAt the moment of the read that the list begins with, 0 before there is one
 * @property {number} reading the moment of the page that is being read, or 0
 * @property {{ cursor: Cursor, error: unknown } | null} failed the page that could not be read
 * @property {Map<T["id"], { moment: number, record: T | null }>} edits the records as the operator has changed them,
 *   null for one that is decided
 */

/**
 * @param {string} selected
 * @returns {Queue<any>}
 */
export function start(selected) {
  return {
    items: [], following: null, last: null, gone: new Set(), fresh: [], selected, position: 0, done: false,
    moment: 0, readAt: 0, reading: 0, failed: null, edits: new Map(),
  };
}

/**
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {T} record
 */
export function isSelected({ selected }, { id }) {
  return String(id) === selected;
}

/**
 * Returns the queue while a page of it is read, which operators see unless that happens quietly.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {{ quietly?: boolean }} [options]
 * @returns {Queue<T>}
 */
export function asked(queue, { quietly = false } = {}) {
  const moment = queue.moment + 1;
  return quietly ? { ...queue, moment } : { ...queue, moment, reading: moment, failed: null };
}

/**
 * Returns the queue with a page that was asked for at a moment. A first page replaces the list, unless one that was
 * asked for later has done so. Any other page is appended, unless the list ends elsewhere now.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {{ items: T[], nextCursor: Cursor }} page
 * @param {Cursor} cursor
 * @param {number} moment
 * @returns {Queue<T>}
 */
export function paged(queue, page, cursor, moment) {
  const now = { ...queue, reading: queue.reading === moment ? 0 : queue.reading };
  if (cursor === null ? moment < queue.readAt : cursor !== queue.following) {
    return now;
  }
  const known = new Map(queue.items.map((record) => [record.id, record]));
  const read = { following: page.nextCursor, last: cursor };
  const items = edited(queue, page.items, moment);
  return cursor === null
    ? placed({
      ...now, ...read, readAt: moment, gone: new Set(), fresh: [],
      items: items.map((record) => unlessSame(known.get(record.id), record)),
    })
    : placed({ ...now, ...read, items: [...queue.items, ...items.filter(({ id }) => !known.has(id))] });
}

/**
 * Returns the queue after a page could not be read.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {{ cursor: Cursor, error: unknown }} failed
 * @param {number} moment
 * @returns {Queue<T>}
 */
export function missed(queue, failed, moment) {
  return queue.reading === moment ? { ...queue, reading: 0, failed } : queue;
}

/**
 * Returns the queue with its first page as it is after others have changed it. Listed records do not move: those that
 * are new above others wait, and those that have left stay until they are dropped.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {{ items: T[], nextCursor: Cursor, lastRead?: T | undefined }} first
 * @param {number} moment
 * @param {(a: T, b: T) => number} order
 * @returns {Queue<T>}
 */
export function followed(queue, first, moment, order) {
  if (moment < queue.readAt) {
    return queue;
  }
  const read = { items: edited(queue, first.items, moment), following: first.nextCursor, lastRead: first.lastRead };
  const { items, following, gone, fresh, atEnd } = merged(queue, read, order, queue.last);
  const waits = !atEnd && queue.items.some(({ id }) => !queue.gone.has(id));
  const waiting = new Set(waits ? fresh : []);
  return placed({
    ...queue, readAt: moment, following, gone, fresh: [...waiting], items: items.filter((one) => !waiting.has(one)),
  });
}

/**
 * Returns the queue with the records that wait in their places.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {(a: T, b: T) => number} order
 * @returns {Queue<T>}
 */
export function unfolded(queue, order) {
  return placed({ ...queue, items: [...queue.items, ...queue.fresh].sort(order), fresh: [] });
}

/**
 * Returns the queue without the records that others have taken off the list, except the open one.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @returns {Queue<T>}
 */
export function dropped(queue) {
  const items = queue.items.filter((one) => !queue.gone.has(one.id) || isSelected(queue, one));
  return placed({ ...queue, items, gone: new Set([...queue.gone].filter((id) => String(id) === queue.selected)) });
}

/**
 * Returns the queue with a record as it is now.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {T} record
 * @returns {Queue<T>}
 */
export function replaced(queue, record) {
  const moment = queue.moment + 1;
  return {
    ...queue, moment, edits: new Map(queue.edits).set(record.id, { moment, record }),
    items: queue.items.map((one) => one.id === record.id ? record : one),
  };
}

/**
 * Returns the queue without records that the operator has decided, and without those that others have.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {T["id"][]} ids
 * @returns {Queue<T>}
 */
export function decided(queue, ids) {
  const moment = queue.moment + 1;
  const stays = (/** @type {T} */ { id }) => !ids.includes(id) && !queue.gone.has(id);
  const edits = new Map(queue.edits);
  ids.forEach((id) => edits.set(id, { moment, record: null }));
  return placed({
    ...queue, moment, edits, gone: new Set(), items: queue.items.filter(stays),
    position: queue.items.slice(0, queue.position).filter(stays).length,
  });
}

/**
 * Returns the queue with another record open, or none, perhaps because the last one is decided.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {string} selected
 * @param {{ done?: boolean }} [options]
 * @returns {Queue<T>}
 */
export function opened(queue, selected, { done = false } = {}) {
  return placed({ ...queue, selected, done });
}

/**
 * Returns where a step leads in the list, or beyond it. The next record has the place of one that has left the list.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {number} step
 */
export function target(queue, step) {
  const here = queue.items.some((one) => isSelected(queue, one));
  return queue.position + (here || step < 0 ? step : 0);
}

/**
 * Returns the record that follows when the open one is decided, if any is listed.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @returns {T | undefined}
 */
export function upcoming(queue) {
  const { items, position } = decided(queue, queue.items.filter((one) => isSelected(queue, one)).map(({ id }) => id));
  return items[position] ?? items[0];
}

/**
 * Returns what was read at a moment as the operator has changed it since.
 *
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @param {T[]} items
 * @param {number} moment
 * @returns {T[]}
 */
function edited({ edits }, items, moment) {
  return items.flatMap((one) => {
    const edit = edits.get(one.id);
    return edit === undefined || edit.moment < moment ? [one] : edit.record ?? [];
  });
}

/**
 * @template {{ id: number | string }} T
 * @param {Queue<T>} queue
 * @returns {Queue<T>}
 */
function placed(queue) {
  const index = queue.items.findIndex((one) => isSelected(queue, one));
  return { ...queue, position: index < 0 ? queue.position : index };
}
