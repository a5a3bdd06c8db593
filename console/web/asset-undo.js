// @ts-check
// Taking back what operators have set on assets. The server knows the decision that stood before by its time, so that
// its note and its reference come back although the page may not have them.
import { postOnce } from "./api.js";
import { plural } from "./numbers.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["StatusSet"]} StatusSet */
/** @typedef {NonNullable<StatusSet["decision"]>} Decision */

/**
 * What operators hold on an asset since an act, and what they held before. Each is null for nothing.
 *
 * @typedef {object} Act
 * @property {string} content
 * @property {Mark | null} decision
 * @property {Mark | null} previous
 */

/** @typedef {Pick<Decision, "status" | "since"> & Partial<Decision>} Mark */

/**
 * Undoes acts, except those that operators have decided otherwise since. Returns those that are refused, in words.
 *
 * @param {Act[]} acts
 * @param {string | null} [reference] the record behind it
 */
export async function undoActs(acts, reference = null) {
  const { results } = await postOnce("/asset/undo", {
    items: acts.map(({ content, decision, previous }) =>
      ({ content, decision: decision && given(decision), previous: previous && given(previous) })),
    reference,
    confirmProtected: acts.some(({ previous }) => previous?.status === "BLOCKED"), // that was confirmed when it was set
  });
  return results.flatMap((result) => "error" in result
    ? [acts.length === 1 ? result.error : `${result.content}: ${result.error}`] : []);
}

/**
 * Undoes acts, and returns what was done.
 *
 * @param {Act[]} acts
 */
export async function takeActsBack(acts) {
  const refused = await undoActs(acts);
  const more = acts.length - 1;
  return refused.length > 0 ? `Not undone: ${refused.join("; ")}.`
    : `Undone: ${acts[0]?.content}${more > 0 ? `, and ${plural(more, "asset")} below` : ""}.`;
}

/**
 * Returns a decision as a request has it.
 *
 * @param {Mark} decision
 */
function given({ status, since, reason = null, note = null, reference = null, expiresAt = null, reviewAt = null }) {
  return { status, since, reason, note, reference, expiresAt, reviewAt };
}

/**
 * Returns a decision without a text that somebody has written.
 *
 * @param {Mark | null} decision
 */
export function withoutText(decision) {
  return decision && given({ ...decision, note: null, reference: null });
}
