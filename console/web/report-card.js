// @ts-check
// A report with its proposals, and the reviews of them.
import { ApiError, operatorGet, operatorPost } from "./api.js";
import { rules } from "./workers.js";
import { announce, fill, h } from "./dom.js";
import { effectOf } from "./effect.js";
import { askInPlace, runFrom } from "./in-place.js";
import { badge, failure, field, show, stayAllowed, time, waited } from "./parts.js";
import { nameOf, organizationName } from "./people.js";
import { assetText, checkLink, safeText } from "./safe-text.js";

/** @import { Desk } from "./queue.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Report"]} Report */
/** @typedef {Report["proposals"][number]} Proposal */

/**
 * @typedef {object} Context
 * @property {Report} report
 * @property {Desk<Report>} desk
 * @property {boolean} movesOn whether the next report follows when all proposals are decided
 * @property {() => void} count counts the tabs again
 * @property {AbortSignal} signal
 */

const reviewStatuses = [
  { status: "APPROVE", label: "Approve", shortcut: "a" },
  { status: "REJECT", label: "Reject", shortcut: "r" },
  { status: "SKIP", label: "Skip" },
  { status: "ESCALATE", label: "Escalate" },
];

/** @type {Record<string, string>} */
const reviewed = { APPROVE: "Approved", REJECT: "Rejected", SKIP: "Skipped", ESCALATE: "Escalated" };

/** @param {Context} context */
export function reportCard(context) {
  const { report } = context;
  const { reporter } = report;
  const place = h("div", { class: "actions" });
  const escalateAll = () => escalate(context, place);
  fill(place, report.status !== "CLOSED"
    && h("button", { type: "button", "aria-keyshortcuts": "e", onclick: escalateAll },
      "Escalate what is undecided", h("kbd", { "aria-hidden": "true" }, "e")));
  return h("article", { class: "card stack" },
    h("h2", { class: "line" }, `Report #${report.id} `, badge(report.status),
      h("span", { class: "muted waits" }, "filed ", waited(report.createdAt), " ago")),
    h("p", { class: "title" }, safeText(report.title)),
    report.description !== "" && safeText(report.description, { lines: true, clip: 600, tag: "p" }),
    h("p", { class: "muted line" },
      reporter === null ? "somebody unknown" : safeText(reporter.fullName ?? `user ${reporter.id}`),
      reporter?.automation && h("span", { class: "chip" }, "automation"),
      "of", safeText(organizationName(report.organization)), time(report.createdAt)),
    h("h3", {}, "Proposals"),
    h("ul", { class: "plain stack" }, report.proposals.map((proposal) => proposed(context, proposal))),
    place);
}

/**
 * @param {Context} context
 * @param {Proposal} proposal
 */
function proposed(context, proposal) {
  const { reviewStatus, asset, proposedStatus } = proposal;
  const past = h("div", {});
  const showPast = (/** @type {Event} */ { currentTarget }) =>
    currentTarget instanceof HTMLDetailsElement && currentTarget.open
      && show(past, () => reviews(proposal.id, context.signal));
  const place = h("div", { class: "actions" });
  fill(place, isDecision(reviewStatus) ? decidedButtons(context, proposal, place) : buttons(context, proposal, place));
  return h("li", { class: "proposal stack" },
    h("p", { class: "line" }, assetText(asset.content), badge("TYPE", asset.type), checkLink(asset.content)),
    h("p", { class: "line" }, "It is", badge(asset.status),
      asset.status === proposedStatus ? "as proposed." : ["and is proposed to become", badge(proposedStatus)].flat()),
    reviewStatus !== null && h("p", { class: "line outcome" },
      badge(reviewStatus, reviewed[reviewStatus]),
      proposal.reviewedBy !== null && `by ${nameOf(proposal.reviewedBy)}`,
      proposal.reviewedAt !== null && time(proposal.reviewedAt)),
    place,
    reviewStatus !== null && h("details", { ontoggle: showPast }, h("summary", {}, "All reviews"), past));
}

/**
 * @param {Context} context
 * @param {Proposal} proposal
 * @param {HTMLElement} place
 */
function buttons(context, proposal, place) {
  const named = proposal.asset.content.slice(0, 60);
  return reviewStatuses.map(({ status, label, shortcut }) =>
    h("button", {
      type: "button", "aria-label": `${label} ${named}`, "aria-keyshortcuts": shortcut,
      onclick: () => review(context, proposal, status, label, place),
    }, label, shortcut && h("kbd", { "aria-hidden": "true" }, shortcut)));
}

/**
 * Returns what can be done with a decision: take it back, or make another one.
 *
 * @param {Context} context
 * @param {Proposal} proposal
 * @param {HTMLElement} place
 */
function decidedButtons(context, proposal, place) {
  const named = proposal.asset.content.slice(0, 60);
  const { reviewId } = proposal;
  const withdrawal = reviewId !== null && h("button", {
    type: "button", "aria-label": `Withdraw the review of ${named}`,
    onclick: () => withdraw(context, proposal, reviewId, place),
  }, "Withdraw the review");
  const again = () => {
    fill(place, buttons(context, proposal, place), withdrawal);
    place.querySelector("button")?.focus({ preventScroll: true });
  };
  return [
    withdrawal,
    h("button", { type: "button", "aria-label": `Review ${named} again`, onclick: again }, "Review again"),
  ];
}

/**
 * Whether a review decides a proposal. Only such a review can be withdrawn.
 *
 * @param {string | null} reviewStatus
 */
export function isDecision(reviewStatus) {
  return reviewStatus === "APPROVE" || reviewStatus === "REJECT";
}

/**
 * @param {number} proposalId
 * @param {AbortSignal} signal
 */
async function reviews(proposalId, signal) {
  const { reviews: all } = await operatorGet("/report/reviews", { proposalId }, signal);
  return h("ol", { class: "timeline" },
    all.map((one) => h("li", {},
      h("span", { class: "line" },
        time(one.reviewedAt),
        badge(one.reviewStatus),
        one.reviewedBy !== null && nameOf(one.reviewedBy),
        one.withdrawnAt !== null && h("span", { class: "chip" }, "withdrawn")),
      one.comment !== "" && safeText(one.comment, { lines: true, tag: "p" }))));
}

/**
 * @param {Context} context
 * @param {Proposal} proposal
 * @param {string} reviewStatus
 * @param {string} label
 * @param {HTMLElement} place
 */
function review(context, proposal, reviewStatus, label, place) {
  askInPlace(place, {
    title: `${label} the proposal`,
    fields: [
      ...reviewStatus === "APPROVE"
        ? [h("p", { class: "line" }, assetText(proposal.asset.content), "becomes", badge(proposal.proposedStatus),
          "for everyone, at once."), ...effectOf(proposal.asset.content, proposal.proposedStatus)]
        : [h("p", {}, "The asset keeps its status.")],
      comment("Comment (optional)", "comment"),
    ],
    action: label,
    act: (form) => act(context, "/report/review", {
      proposalId: proposal.id, reviewStatus, comment: String(form.get("comment")),
      confirmProtected: form.has("confirmProtected"), ifReview: proposal.reviewId,
    }, "Review stored.", proposal),
  });
}

/**
 * @param {Context} context
 * @param {Proposal} proposal
 * @param {number} reviewId
 * @param {HTMLElement} place
 */
function withdraw(context, proposal, reviewId, place) {
  askInPlace(place, {
    title: "Withdraw the review", fields: [comment("Reason (optional)", "reason")], action: "Withdraw",
    act: (form) => act(context, "/report/withdraw",
      { reviewId, reason: String(form.get("reason")), ifReview: proposal.reviewId }, "Review withdrawn.", proposal),
  });
}

/**
 * @param {Context} context
 * @param {HTMLElement} place
 */
function escalate(context, place) {
  const { report } = context;
  askInPlace(place, {
    title: `Escalate report #${report.id}`, fields: [comment("Comment (optional)", "comment")], action: "Escalate",
    act: (form) => act(context, "/report/escalate", { id: report.id, comment: String(form.get("comment")) },
      "Report escalated."),
  });
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
  try {
    const answer = await operatorPost(path, body);
    settle(context, answer, success + ("exceptions" in answer ? stayAllowed(answer) : ""),
      isDecision(body.reviewStatus) ? proposal : undefined);
  } catch (error) {
    if (error instanceof ApiError && error.issues.some((issue) => issue.startsWith("confirmProtected"))) {
      return error.issues;
    }
    if (!(error instanceof ApiError) || error.status !== 409) {
      throw error;
    }
    const text = `Somebody was faster: ${error.message}. ${proposal ? await nowReviewed(proposal) : ""}`
      + "Your action was not done.";
    announce(text);
    context.desk.tell(text);
    context.desk.update(await operatorGet("/report/get", { id: context.report.id }));
  }
  return [];
}

/**
 * Shows a report as an action has left it, and goes on to the next one if nothing of it is left to decide.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {string} text
 * @param {Proposal} [proposal] the one that was decided
 */
function settle({ desk, movesOn, count }, report, text, proposal) {
  const after = report.proposals.find(({ id }) => id === proposal?.id);
  announce(text);
  const reviewId = after?.reviewId ?? null;
  const undo = reviewId !== null
    ? [
      " ",
      h("span", { class: "actions" },
        undoButton((event) => void takeBack({ desk, count }, report.id, reviewId, event))),
    ]
    : [];
  desk.tell(text, ...undo);
  if (movesOn && report.status === "CLOSED") {
    desk.done([report.id]);
  } else {
    desk.update(report);
  }
  count();
}

/** @param {(event: Event) => void} onclick */
function undoButton(onclick) {
  return h("button", { type: "button", "aria-keyshortcuts": "z", onclick }, "Undo",
    h("kbd", { "aria-hidden": "true" }, "z"));
}

/**
 * @param {Pick<Context, "desk" | "count">} context
 * @param {number} id
 * @param {number} reviewId
 * @param {Event} event
 */
async function takeBack({ desk, count }, id, reviewId, event) {
  const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
  await runFrom(button, async () => {
    try {
      await operatorPost("/report/withdraw", { reviewId, reason: "Undone", ifReview: reviewId });
      announce("Review withdrawn.");
      desk.tell("Review withdrawn.");
      desk.open(id);
      count();
    } catch (error) {
      button.replaceWith(failure(error));
    }
  });
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
  return `The review is now ${last.reviewStatus}${by}${last.comment === "" ? "" : `: “${last.comment}”`}. `;
}
