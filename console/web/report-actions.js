// @ts-check
// What operators do with several proposals of a report, one request after the other.
import { ApiError, operatorPost } from "./api.js";
import { stayAllowed } from "./parts.js";
import { rules } from "./workers.js";

/** @import { Proposal, Report } from "./report-state.js" */

/**
 * Approves proposals. What is refused stops no other one. It returns issues, or the report as it is then with the
 * reviews that were stored, or without it if all wait for a second operator, and what else to say. It fails if nothing
 * was stored or waits.
 *
 * @param {Proposal[]} proposals
 * @param {{ comment: string, confirmed: (id: number) => boolean }} answers
 * @returns {Promise<{ issues: string[] }
 *   | { issues?: undefined, report: Report | undefined, reviews: number[], remarks: string[] }>}
 */
export async function approve(proposals, { comment, confirmed }) {
  /** @type {Report | undefined} */
  let report;
  const reviews = [];
  const remarks = [];
  let waiting = 0;
  /** @type {unknown} */
  let refusal;
  for (const { id, reviewId, asset: { content } } of proposals) {
    const body = /** @type {const} */ ({
      proposalId: id, reviewStatus: "APPROVE", comment, confirmProtected: confirmed(id), ifReview: reviewId,
    });
    const validity = await rules.validate("/report/review", { body });
    if (!validity.valid) {
      return { issues: validity.issues.length > 0 ? validity.issues : [validity.message] };
    }
    try {
      const answer = await operatorPost("/report/review", body);
      report = answer;
      reviews.push(answer.proposals.find((one) => one.id === id)?.reviewId ?? 0);
      if (answer.exceptions.length > 0 || answer.moreExceptions) {
        remarks.push(`${content}:${stayAllowed(answer)}`);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      if (error.waits) {
        waiting++;
        remarks.push(`${content} waits for a second operator.`);
        continue;
      }
      refusal ??= error;
      remarks.push(`Not ${content}: ${error.issues[0] ?? error.message}.`);
      if (error.temporary || error.aboutKey) {
        break;
      }
    }
  }
  if (!report && waiting === 0) {
    throw refusal;
  }
  return { report, reviews, remarks };
}

/**
 * Withdraws reviews, the last one first, unless somebody has reviewed the proposal since. Returns what was done.
 *
 * @param {number[]} reviews
 */
export async function takeReviewsBack(reviews) {
  let kept = 0;
  for (const reviewId of reviews.toReversed()) {
    try {
      await operatorPost("/report/withdraw", { reviewId, reason: "Undone", ifReview: reviewId });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) {
        throw error;
      }
      kept++;
    }
  }
  const done = reviews.length - kept;
  return [
    done > 0 && (done === 1 ? "Review withdrawn." : `${done} reviews withdrawn.`),
    kept > 0 && `Not undone: somebody has reviewed ${kept === 1 ? "a proposal" : `${kept} proposals`} since.`,
  ].filter(Boolean).join(" ");
}
