// @ts-check
// The last decisions of a user, kept in the browser for a reload and for other tabs: IDs, states and times, and the
// names of assets whose status was set, without a text that somebody has written.
import { withoutText } from "./asset-undo.js";
import { words } from "./dispute-actions.js";
import { plural } from "./numbers.js";

/** @import { Act } from "./asset-undo.js" */
/** @import { Decision } from "./dispute-actions.js" */
/** @import { Made } from "./store.js" */

export const item = "apguard-decisions";

/** For how long decisions are kept, in milliseconds. */
const longest = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps the decisions of a user in place of those that were kept.
 *
 * @param {number} user
 * @param {Made[]} all the newest first
 */
export function keep(user, all) {
  localStorage.setItem(item, JSON.stringify({ user, made: all.map(bare) }));
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
  switch (made.kind) {
    case "report":
      return { kind, id, at, reviews: made.reviews };
    case "dispute":
      return { kind, id, at, decisions: made.decisions.map(({ dispute, to, held, after }) =>
        ({ dispute: { id: dispute.id, state: dispute.state }, to, held: withoutText(held), after })) };
    case "asset":
      return { kind, id, at, acts: made.acts.map(({ content, decision, previous }) =>
        ({ content, decision: withoutText(decision), previous: withoutText(previous) })) };
  }
}

/**
 * @param {Made} made
 * @returns {Made}
 */
function withText(made) {
  switch (made.kind) {
    case "report":
      return { ...made, text: `Report #${made.id}: ${plural(made.reviews.length, "review")} stored.`, about: "" };
    case "dispute":
      return { ...made, text: decidedText(made.decisions), about: "" };
    case "asset":
      return { ...made, text: setText(made.acts), about: made.acts[0]?.content ?? "" };
  }
}

/**
 * Returns acts on assets in words.
 *
 * @param {Act[]} acts of the same kind
 */
export function setText([first, ...more]) {
  const what = first?.decision ? `Status set: ${words(first.decision.status)}` : "Decision withdrawn";
  return more.length > 0 ? `${what}, also for ${plural(more.length, "asset")} below.` : `${what}.`;
}

/**
 * Returns a decision that was made now.
 *
 * @param {number} id that of the first asset
 * @param {Act[]} acts on it, and what was done with it
 * @returns {Made}
 */
export function statusMade(id, acts) {
  return { kind: "asset", id, text: setText(acts), about: acts[0]?.content ?? "", at: Date.now(), acts };
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
