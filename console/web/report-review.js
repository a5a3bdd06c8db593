// @ts-check
// Reviews of a report: what is asked before them, and what the page says and shows after them.
import { ApiError, operatorGet, operatorPost } from "./api.js";
import { words } from "./dispute-actions.js";
import { announce, fill, h } from "./dom.js";
import { effectOf, unconfirmedIssues } from "./effect.js";
import { askInPlace } from "./in-place.js";
import { badge, field, stayAllowed } from "./parts.js";
import { actsOn, readActs } from "./pending-acts.js";
import { nameOf } from "./people.js";
import { isDecision, nextProposal, reviewed } from "./report-state.js";
import { assetText } from "./safe-text.js";
import { keepDecision, once, otherActMade } from "./store.js";
import { rules } from "./workers.js";

/** @import { Effect } from "./effect.js" */
/** @import { Desk } from "./queue.js" */
/** @import { Act, Proposal, Report } from "./report-state.js" */

/**
 * @typedef {object} Context
 * @property {Report} report
 * @property {Act[]} waiting the reviews of it that wait for a second operator
 * @property {Desk<Report>} desk
 * @property {boolean} movesOn whether the next report follows when all proposals are decided
 * @property {() => void} count counts the tabs again
 * @property {AbortSignal} signal
 */

/**
 * @param {Context} context
 * @param {Proposal} proposal
 * @param {string} reviewStatus
 * @param {string} label
 * @param {HTMLElement} place
 */
export function review(context, proposal, reviewStatus, label, place) {
  const effect = reviewStatus === "APPROVE"
    ? effectOf(proposal.asset.content, proposal.proposedStatus) : undefined;
  const isNeeded = () => effect !== undefined && isProtectedBlock(effect);
  askInPlace(place, {
    title: `${label} the proposal`,
    fields: [
      ...effect
        ? [h("p", { class: "line" }, assetText(proposal.asset.content), "becomes", badge(proposal.proposedStatus),
          effect.saying("for everyone, at once.", "for everyone, after a second operator has agreed.")),
        effect.place, effect.confirmation]
        : [h("p", {}, "The asset keeps its status.")],
      approvalComment(effect ? [effect] : [], isNeeded),
    ],
    action: effect ? effect.saying(label, "Ask a second operator") : label,
    about: String(proposal.id),
    act: async (form) => {
      const confirmProtected = form.has("confirmProtected");
      const missing = [
        ...effect ? await unconfirmedIssues(effect) : [], ...reasonIssues(form, isNeeded()),
      ];
      return missing.length > 0 ? missing : act(context, "/report/review", {
        proposalId: proposal.id, reviewStatus, comment: String(form.get("comment")),
        confirmProtected, ifReview: proposal.reviewId,
      }, effect ? `${proposal.asset.content} is now ${words(proposal.proposedStatus)}.`
        : `${reviewed[reviewStatus]}: ${proposal.asset.content}.`, proposal);
    },
  });
}

/**
 * @param {Context} context
 * @param {Proposal} proposal
 * @param {number} reviewId
 * @param {HTMLElement} place
 */
export function withdraw(context, proposal, reviewId, place) {
  askInPlace(place, {
    title: "Withdraw the review", action: "Withdraw", about: String(proposal.id),
    fields: [comment("Reason (optional)", "reason")],
    act: (form) => act(context, "/report/withdraw",
      { reviewId, reason: String(form.get("reason")), ifReview: proposal.reviewId },
      `The review of ${proposal.asset.content} is withdrawn.`, proposal),
  });
}

/**
 * @param {Context} context
 * @param {HTMLElement} place
 */
export function escalate(context, place) {
  const { report } = context;
  askInPlace(place, {
    title: `Escalate report #${report.id}`, fields: [comment("Comment (optional)", "comment")], action: "Escalate",
    act: (form) => act(context, "/report/escalate", { id: report.id, comment: String(form.get("comment")) },
      "Escalated."),
  });
}

/**
 * Returns the issue of a form that blocks a protected asset without a word, or none.
 *
 * @param {FormData} form
 * @param {boolean} isNeeded whether it blocks such an asset
 */
export function reasonIssues(form, isNeeded) {
  return isNeeded && String(form.get("comment")).trim() === ""
    ? ["comment: is needed, because the asset is protected"] : [];
}

/**
 * Returns whether an effect is that of a block of a protected asset.
 *
 * @param {Effect} effect
 */
export function isProtectedBlock({ confirmation }) {
  return !confirmation.hidden && confirmation.querySelector("input")?.name === "confirmProtected";
}

/**
 * Returns the field of a comment, whose label says when it is needed.
 *
 * @param {Effect[]} effects
 * @param {() => boolean} isNeeded
 */
export function approvalComment(effects, isNeeded) {
  const element = comment("Comment (optional)", "comment");
  const label = /** @type {HTMLElement} */ (element.querySelector("label"));
  const draw = () =>
    fill(label, isNeeded() ? "Comment (needed, because the asset is protected)" : "Comment (optional)");
  queueMicrotask(() => element.closest("form")?.addEventListener("change", draw));
  effects.forEach(({ settled }) => void settled().then(draw));
  return element;
}

/**
 * @param {string} label
 * @param {string} name
 */
function comment(label, name) {
  return field(label, h("textarea", { name, rows: 2 }));
}

/**
 * @param {Context} context
 * @param {"/report/review" | "/report/withdraw" | "/report/escalate"} path
 * @param {any} body
 * @param {string} success
 * @param {Proposal} [proposal]
 * @returns {Promise<string[]>}
 */
async function act(context, path, body, success, proposal) {
  const validity = await rules.validate(path, { body });
  if (!validity.valid) {
    return validity.issues.length > 0 ? validity.issues : [validity.message];
  }
  return proposal
    ? once(`proposal ${proposal.id}`, proposal, () => write(context, path, body, success, proposal))
    : once(`report ${context.report.id}`, context.report, () => write(context, path, body, success));
}

/**
 * @param {Context} context
 * @param {"/report/review" | "/report/withdraw" | "/report/escalate"} path
 * @param {any} body
 * @param {string} success
 * @param {Proposal} [proposal]
 * @returns {Promise<string[]>}
 */
async function write(context, path, body, success, proposal) {
  try {
    const answer = await operatorPost(path, body);
    const reviewId = isDecision(body.reviewStatus) && answer.proposals.find(({ id }) => id === proposal?.id)?.reviewId;
    settle(context, answer, success + ("exceptions" in answer ? stayAllowed(answer) : ""), reviewId ? [reviewId] : []);
  } catch (error) {
    if (error instanceof ApiError && error.issues.some((issue) => issue.startsWith("confirmProtected"))) {
      return error.issues;
    }
    if (error instanceof ApiError && error.waits) {
      await readActs().catch(() => {}); // it is sent
      const report = await reread(context).catch(() => context.report);
      settle(context, report, `${proposal?.asset.content}: ${error.message}.`, []);
      return [];
    }
    if (!(error instanceof ApiError) || error.status !== 409) {
      throw error;
    }
    context.desk.warn(`Not done: ${error.message}. ${proposal ? await nowReviewed(proposal) : ""}`);
    context.desk.update(await reread(context));
  }
  return [];
}

/** @param {Context} context */
export function reread({ report: { id } }) {
  return operatorGet("/report/get", { id });
}

/**
 * Says what was done with a report, and shows it as that has left it.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {string} text
 * @param {number[]} reviews the decisions that were made
 */
export function settle(context, report, text, reviews) {
  const { id, title: about } = report;
  const named = `Report #${id}: ${text}`;
  if (reviews.length > 0) {
    announce(named);
    keepDecision({ kind: "report", id, text: named, about, at: Date.now(), reviews });
  } else {
    otherActMade();
    context.desk.tell(named);
  }
  goOn(context, report);
}

/**
 * Shows a report after a request for a second operator was answered in it.
 *
 * @param {Context} context
 * @param {string} text what to say
 */
export async function answered(context, text) {
  const report = await reread(context).catch(() => undefined); // the next change leads to another read
  context.desk.tell(`Report #${context.report.id}: ${text}`);
  if (report) {
    goOn(context, report);
  }
}

/**
 * Shows a report as it is now, and goes on to the next one if nothing of it is left to look at.
 *
 * @param {Context} context
 * @param {Report} report
 */
function goOn({ desk, movesOn, count }, report) {
  if (movesOn && report.status === "CLOSED") {
    desk.done([report.id]);
  } else if (movesOn && !nextProposal(report, actsOn(report.proposals))) {
    desk.skip(report);
  } else {
    desk.update(report);
  }
  count();
}

/**
 * Says which review is in effect now.
 *
 * @param {Proposal} proposal
 */
async function nowReviewed(proposal) {
  const { reviews: all } = await operatorGet("/report/reviews", { proposalId: proposal.id });
  const standing = all.filter((one) => one.withdrawnAt === null);
  const last = standing.findLast((one) => isDecision(one.reviewStatus)) ?? standing.at(-1);
  if (!last) {
    return "No review is in effect now. ";
  }
  const by = last.reviewedBy === null ? "" : ` by ${nameOf(last.reviewedBy)}`;
  const why = last.comment === "" ? "" : `: “${last.comment}”`;
  return `The review is now ${reviewed[last.reviewStatus]?.toLowerCase()}${by}${why}. `;
}
