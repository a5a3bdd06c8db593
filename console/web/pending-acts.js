// @ts-check
// The acts that wait for a second operator, as far as they are known. They are read again after the queues have
// changed, and now and then while somebody sees the page.
import { allPages, operatorGet } from "./api.js";
import { onQueueChange, onQuiet } from "./live.js";
import { currentKeys } from "./session.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Act"]} Act */
/** @typedef {components["schemas"]["ActState"]} State */

/** The acts of a page. */
const limit = 100;

/** More acts are not read. Those that wait end after a day. */
export const most = 500;

/** While nothing else is news, they are read at most this often. In milliseconds. */
const betweenReads = 10_000;

/** @type {Act[] | undefined} */
let known;
/** The number of the last read, and of the last one whose answer is known: an older answer is dropped. */
let asked = 0;
let answered = 0;
/** When the last read began, in milliseconds. */
let askedAt = 0;
const changed = new EventTarget();

/** Follows what waits from now on, with the operator's key that the page has, if there is one. */
export function followActs() {
  const { signal } = new AbortController();
  const read = () => void readActs().catch(() => {}); // the next news leads to another read
  onQueueChange("reports", read, signal);
  onQuiet(() => Date.now() - askedAt < betweenReads || read(), signal);
}

/** Reads what waits. */
export async function readActs() {
  const mine = ++asked;
  askedAt = Date.now();
  const { items } = currentKeys().operatorKey === "" ? { items: [] } : await actsOf("PENDING");
  if (mine < answered) {
    return;
  }
  answered = mine;
  const before = JSON.stringify(actsNow());
  known = items;
  if (JSON.stringify(items) !== before) {
    changed.dispatchEvent(new Event("change"));
  }
}

/** Reads what waits, unless that is known. A page that cannot read it knows of nothing. */
export async function knowActs() {
  if (known === undefined) {
    await readActs().catch(() => {});
  }
}

/** Returns what waits, the oldest first. */
export function actsNow() {
  return known ?? [];
}

/**
 * Returns what waits of the reviews of proposals.
 *
 * @param {{ id: number }[]} proposals
 */
export function actsOn(proposals) {
  const ids = new Set(proposals.map(({ id }) => id));
  return actsNow().filter(({ review }) => review !== null && ids.has(review.proposalId));
}

/**
 * Calls a function after actsNow returns others.
 *
 * @param {() => void} listener
 * @param {AbortSignal} [signal]
 */
export function onActs(listener, signal) {
  changed.addEventListener("change", listener, signal ? { signal } : {});
}

/**
 * Reads the acts of a state, the oldest first.
 *
 * @param {State} state
 * @param {AbortSignal} [signal]
 */
export function actsOf(state, signal) {
  return allPages(async (/** @type {number | null} */ cursor) => {
    const page = await operatorGet("/pending/list", { state, limit, ...(cursor === null ? {} : { cursor }) }, signal);
    return { items: page.acts, nextCursor: page.nextCursor };
  }, most);
}
