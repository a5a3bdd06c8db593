// @ts-check
// The acts that wait for a second operator, as far as they are known, and who was the second one. What waits is read
// again after the queues have changed, and now and then while somebody sees the page.
import { allPages, deferred, operatorGet } from "./api.js";
import { onQueueChange, onQuiet } from "./live.js";
import { currentKeys } from "./session.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Act"]} Act */
/** @typedef {components["schemas"]["ActState"]} State */
/** @typedef {components["schemas"]["NamedUser"]} User */

/** The acts of a page. */
const limit = 100;

/** More acts are not read. Those that wait end after a day. */
export const most = 500;

/** While nothing else is news, they are read at most this often. In milliseconds. */
const betweenReads = 10_000;

/** @type {Act[] | undefined} */
let known;
/** The first read, which all who need it wait for. @type {Promise<void> | undefined} */
let knowing;
/** The number of the last read, and of the last one whose answer is known: an older answer is dropped. */
let asked = 0;
let answered = 0;
/** When the last read began, in milliseconds. */
let askedAt = 0;
const changed = new EventTarget();

/** The acts that were approved, as they were read last. @type {Promise<Act[]>} */
let approved = Promise.resolve([]);
/** The read that those who ask in the same task share. @type {Promise<Act[]> | undefined} */
let begun;
/** The last times of the server that somebody has asked about, and up to which approvals are known. In milliseconds. */
let newest = 0;
let approvedUntil = 0;

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
    knowing ??= readActs().catch(() => {}).finally(() => { knowing = undefined; });
    await knowing;
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
 * Returns the acts about an asset.
 *
 * @param {string} content its canonical form
 * @param {Act[]} [all] those to choose from, or what waits
 */
export function actsAbout(content, all = actsNow()) {
  return all.filter(({ assets }) => assets.some((asset) => asset.content === content));
}

/**
 * Returns who was the second operator for a block of an asset, or null if it took one operator.
 *
 * @param {string} content the canonical form
 * @param {string} at when it was blocked
 * @returns {Promise<User | null>}
 */
export async function approverOf(content, at) {
  const moment = Date.parse(at);
  if (moment > approvedUntil) {
    newest = Math.max(newest, moment);
    begun ??= readApproved();
    approved = begun;
  }
  return actsAbout(content, await approved).find(({ decidedAt }) => decidedAt === at)?.decidedBy ?? null;
}

/** Reads the acts that were approved, as far as the newest time that is asked about in this task. */
function readApproved() {
  queueMicrotask(() => {
    begun = undefined;
    approvedUntil = newest;
  });
  const read = actsOf("APPROVED", deferred()).then(({ items }) => items, () => {
    approvedUntil = approved === read ? 0 : approvedUntil; // the next question leads to another read
    return [];
  });
  return read;
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
