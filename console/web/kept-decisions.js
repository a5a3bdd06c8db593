// @ts-check
// The last decisions of a user, kept in the browser for a reload and for other tabs: IDs, states and times, without a
// text that somebody has written.
import { words } from "./dispute-actions.js";
import { plural } from "./numbers.js";

/** @import { Decision } from "./dispute-actions.js" */
/** @import { Made } from "./store.js" */

export const item = "apguard-decisions";

/** For how long decisions are kept, in milliseconds. */
const longest = 7 * 24 * 60 * 60 * 1000;

/** A reference that the server has made. Others are texts. */
const ownReference = /^(report|dispute)\/\d+$/;

/**
 * Returns whether a decision can be kept. What operators held with a note or with a reference of their own cannot: an
 * undo without that text would change it.
 *
 * @param {Made} made
 */
export function keepable(made) {
  return made.kind === "report" || made.decisions.every(({ held }) =>
    held === null || held.note === null && (held.reference === null || ownReference.test(held.reference)));
}

/**
 * Keeps the decisions of a user in place of those that were kept.
 *
 * @param {number} user
 * @param {Made[]} all the newest first
 */
export function keep(user, all) {
  localStorage.setItem(item, JSON.stringify({ user, made: all.filter(keepable).map(bare) }));
}

/** Forgets the decisions of any user. */
export function forgetKept() {
  localStorage.removeItem(item);
}

/**
 * Returns the decisions that are kept of a user, the newest first.
 *
 * @param {number} user
 * @returns {Made[]}
 */
export function keptOf(user) {
  try {
    const kept = JSON.parse(localStorage.getItem(item) ?? "null");
    return kept.user !== user ? [] : kept.made.map(withText)
      .filter((/** @type {Made} */ { at }) => at > Date.now() - longest);
  } catch {
    return []; // nothing is kept, or not by this version of the page
  }
}

/** @param {Made} made */
function bare(made) {
  const { kind, id, at } = made;
  return kind === "report" ? { kind, id, at, reviews: made.reviews }
    : { kind, id, at, decisions: made.decisions.map(bareDecision) };
}

/**
 * @param {Decision} decision
 * @returns {Decision}
 */
function bareDecision({ dispute: { id, state }, to, held, after }) {
  if (held === null) {
    return { dispute: { id, state }, to, held, after };
  }
  const { status, reason, reference, expiresAt, reviewAt } = held;
  return { dispute: { id, state }, to, held: { status, reason, note: null, reference, expiresAt, reviewAt }, after };
}

/**
 * @param {Made} made
 * @returns {Made}
 */
function withText(made) {
  const text = made.kind === "report" ? `Report #${made.id}: ${plural(made.reviews.length, "review")} stored.`
    : decidedText(made.decisions);
  return { ...made, text, about: "" };
}

/**
 * Returns decisions of disputes in words.
 *
 * @param {Decision[]} decisions all alike
 */
export function decidedText(decisions) {
  const ids = decisions.map(({ dispute }) => `#${dispute.id}`);
  const { to = "", after = "" } = decisions[0] ?? {};
  return `${ids.length > 1 ? "Disputes" : "Dispute"} ${ids.join(", ")}: ${words(to)}.`
    + (to === "ACCEPTED" ? ` The asset is now ${words(after)}.` : "");
}
