// @ts-check
// What the page knows beyond its views: the decisions that were made in it and can be taken back, and what it writes.

import { draftsBelongTo } from "./drafts.js";
import { forgetKept, item, keep, keptOf } from "./kept-decisions.js";

/** @import { Act } from "./asset-undo.js" */
/** @import { Decision } from "./dispute-actions.js" */

/**
 * A decision about a report, a dispute or an asset, as several requests may have made it: in words, the name of the
 * asset or the title of the report, and when it was made, in milliseconds.
 *
 * @typedef {{ id: number, text: string, about: string, at: number } & ({ kind: "report", reviews: number[] }
 *   | { kind: "dispute", decisions: Decision[] } | { kind: "asset", acts: Act[] })} Made
 */

/** More decisions are not kept. */
const most = 20;

/** The newest first. @type {Made[]} */
let made = [];
const changed = new EventTarget();
/** The ID of the user who made them, 0 for a key without one. @type {number | undefined} */
let owner;

/**
 * Says who uses the page now. Another user has made none of the decisions.
 *
 * @param {number} user
 */
export function usedBy(user) {
  draftsBelongTo(user);
  if (owner === user) {
    return;
  }
  const own = owner === undefined ? made : [];
  owner = user;
  set([...own, ...user === 0 ? [] : keptOf(user)]);
}

export function decisionsMade() {
  return made;
}

/** @param {Made} decision */
export function keepDecision(decision) {
  set([decision, ...made]);
}

/** When something was done last that is no decision, in milliseconds. */
let otherActAt = 0;

/** Notes that something was done that cannot be undone, so that a key does not undo what was before it. */
export function otherActMade() {
  otherActAt = Date.now();
}

/** @param {number} at when a decision was made */
export function isLastAct(at) {
  return at >= otherActAt;
}

/**
 * Forgets a decision that was taken back.
 *
 * @param {Made} decision
 */
export function forgetDecision(decision) {
  set(made.filter((one) => one !== decision));
}

/** Forgets all decisions, in all tabs. */
export function forgetDecisions() {
  made = [];
  forgetKept();
  changed.dispatchEvent(new Event("change"));
}

/** @param {Made[]} decisions the newest first */
function set(decisions) {
  made = decisions.slice(0, most);
  if (owner) {
    keep(owner, made);
  }
  changed.dispatchEvent(new Event("change"));
}

/** Follows what another tab has decided, taken back or forgotten. */
addEventListener("storage", ({ key }) => {
  if (!owner || key !== item) {
    return;
  }
  const known = (/** @type {Made} */ kept) =>
    made.find(({ kind, id, at }) => kind === kept.kind && id === kept.id && at === kept.at) ?? kept;
  made = keptOf(owner).map(known);
  changed.dispatchEvent(new Event("change"));
});

/**
 * @param {() => void} listener
 * @param {AbortSignal} signal
 */
export function onDecisionsChange(listener, signal) {
  changed.addEventListener("change", listener, { signal });
}

/** The names of what is being written. @type {Set<string>} */
const sending = new Set();

/** Returns whether something is being written. */
export function isWriting() {
  return sending.size > 0;
}

/** The records that a write has changed since they were read. @type {WeakSet<object>} */
const outdated = new WeakSet();

/**
 * Runs a write, unless the same thing is being written, or has been since the record was read: the page then still
 * shows what was, and the operator has answered that already. It returns the issues of the write, or none.
 *
 * @param {string} name of what is written
 * @param {object} record as it was read
 * @param {() => Promise<string[]>} write
 * @returns {Promise<string[]>}
 */
export async function once(name, record, write) {
  if (sending.has(name) || outdated.has(record)) {
    return [];
  }
  sending.add(name);
  try {
    const issues = await write();
    if (issues.length === 0) {
      outdated.add(record);
    }
    return issues;
  } finally {
    sending.delete(name);
  }
}
