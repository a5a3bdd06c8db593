// @ts-check
// What the proposals of a report are at: which are decided, which wait, and which comes next.

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Report"]} Report */
/** @typedef {Report["proposals"][number]} Proposal */
/** @typedef {components["schemas"]["Act"]} Act */

/** What a review did, by its status. @type {Record<string, string>} */
export const reviewed = { APPROVE: "Approved", REJECT: "Rejected", SKIP: "Skipped", ESCALATE: "Escalated" };

/**
 * Whether a review decides a proposal. Only such a review can be withdrawn.
 *
 * @param {string | null} reviewStatus
 */
export function isDecision(reviewStatus) {
  return reviewStatus === "APPROVE" || reviewStatus === "REJECT";
}

/**
 * Whether a review has blocked the asset of a proposal.
 *
 * @param {Pick<Proposal, "proposedStatus">} proposal
 * @param {{ reviewStatus: string | null }} review
 */
export function isBlock({ proposedStatus }, { reviewStatus }) {
  return reviewStatus === "APPROVE" && proposedStatus === "BLOCKED";
}

/**
 * Returns the proposal of a report that was escalated last and still is, if any.
 *
 * @param {Pick<Report, "proposals">} report
 */
export function escalated({ proposals }) {
  return proposals.filter(({ reviewStatus }) => reviewStatus === "ESCALATE")
    .toSorted((a, b) => (b.reviewId ?? 0) - (a.reviewId ?? 0))[0];
}

/**
 * Returns the first proposal without a review, and without one that waits for a second operator.
 *
 * @param {Report} report
 * @param {Act[]} waiting
 */
export function nextProposal({ proposals }, waiting) {
  return proposals.find((one) => one.reviewStatus === null && !actOn(waiting, one));
}

/**
 * Returns the review of a proposal that waits for a second operator, if there is one.
 *
 * @param {Act[]} waiting
 * @param {Proposal} proposal
 */
export function actOn(waiting, { id }) {
  return waiting.find(({ review }) => review?.proposalId === id);
}
