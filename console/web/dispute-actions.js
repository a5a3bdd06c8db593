// @ts-check
// What operators do with disputes: transitions, decisions of several at once, and taking them back.
import { ApiError, operatorGet, operatorPost } from "./api.js";
import { undoActs } from "./asset-undo.js";
import { rules } from "./workers.js";
import { nameOf } from "./people.js";

/** @import { components } from "./operator-types.js" */
/** @import { Mark } from "./asset-undo.js" */
/** @typedef {components["schemas"]["Dispute"]} Dispute */
/** @typedef {Dispute["state"]} State */
/** @typedef {components["schemas"]["AssetStatus"]} Status */
/** @typedef {"startReview" | "release" | "withdraw" | "reopen" | "resolve" | "addNote"} Act */

/**
 * What an action led to: the dispute as it is now, issues of the request, or what somebody else did first.
 *
 * @typedef {{ dispute: Dispute, issues?: undefined, faster?: string }
 *   | { dispute?: undefined, issues: string[] }} Result
 */

/**
 * What is needed to take a decision back.
 *
 * @typedef {object} Decision
 * @property {Pick<Dispute, "id" | "state">} dispute as it was before
 * @property {State} to
 * @property {Mark | null} held what the operators held on the asset
 * @property {Status} after the status of the asset itself
 */

/** @param {State} state */
export function isUndecided(state) {
  return state === "OPEN" || state === "UNDER_REVIEW";
}

/**
 * Returns a name of the API as words.
 *
 * @param {string} name
 */
export function words(name) {
  return name.toLowerCase().replaceAll("_", " ");
}

/**
 * Sends an action after the rules have accepted it. If somebody was faster, it reads the dispute again.
 *
 * @param {Act} act
 * @param {any} body
 * @returns {Promise<Result>}
 */
export async function send(act, body) {
  const path = /** @type {const} */ (`/dispute/${act}`);
  const validity = await rules.validate(path, { body });
  if (!validity.valid) {
    return { issues: validity.issues.length > 0 ? validity.issues : [validity.message] };
  }
  try {
    return { dispute: await operatorPost(path, body) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) {
      throw error;
    }
    const dispute = await operatorGet("/dispute/get", { id: body.id });
    const last = dispute.notes.findLast((note) => note.state !== null);
    const by = last && last.author !== null ? ` by ${nameOf(last.author)}` : "";
    return { dispute, faster: `The dispute is now ${words(dispute.state)}${by}.` };
  }
}

/**
 * Gives the asset of an accepted dispute what the operators held on it. Returns why it does not, or an empty text.
 *
 * @param {Decision} decision
 * @param {string} content
 */
async function holdAgain({ dispute: { id }, held, after }, content) {
  const { decisions } = await operatorGet("/asset/explain", { content });
  const now = decisions.find(({ source }) => source.kind === "OPERATOR");
  if (now?.since === held?.since) {
    return ""; // they held the same before, or do so again
  }
  const reference = `dispute/${id}`;
  if (now?.status !== after || now.reference !== reference) {
    return "somebody has changed the asset meanwhile";
  }
  const { status, since } = now;
  const refused = await undoActs([{ content, decision: { status, since }, previous: held }], reference);
  return refused.join("; ");
}

/**
 * Takes decisions back: operators hold again on the asset what they held, and the disputes have the state that they
 * had. If somebody has changed one of them meanwhile, nothing is done. Returns what was not done, or an empty text.
 *
 * @param {Decision[]} decisions all about one asset
 */
export async function undo(decisions) {
  const read = await Promise.all(decisions.map(({ dispute: { id } }) => operatorGet("/dispute/get", { id })));
  const changed = read.filter(({ state }, index) => state !== decisions[index]?.to);
  if (changed.length > 0) {
    return notUndone(changed.map(({ id }) => `#${id}`));
  }
  const accepted = decisions.find(({ to }) => to === "ACCEPTED");
  const [first] = read;
  if (accepted && first) {
    const refused = await holdAgain(accepted, first.content);
    if (refused !== "") {
      return `Not undone: ${refused}.`;
    }
  }
  const kept = [];
  for (const { dispute: { id, state } } of decisions) {
    const reopened = await send("reopen", { id, reason: "Undone" });
    const result = state === "UNDER_REVIEW" && reopened.dispute && !reopened.faster
      ? await send("startReview", { id })
      : reopened;
    if (result.issues || result.faster) {
      kept.push(`#${id}`);
    }
  }
  return kept.length > 0 ? notUndone(kept) : "";
}

/** @param {string[]} ids */
function notUndone(ids) {
  return `Not undone: ${ids.join(", ")} changed meanwhile.`;
}
