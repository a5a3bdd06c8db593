// @ts-check
// A report with its proposals, and the buttons that review them.
import { answers } from "./acts.js";
import { operatorGet } from "./api.js";
import { approvedBy } from "./asset-lines.js";
import { words } from "./dispute-actions.js";
import { fill, h } from "./dom.js";
import { protectionChip, requests } from "./effect.js";
import { age, badge, show, time, waited } from "./parts.js";
import { nameOf, organizationName } from "./people.js";
import { assetLink } from "./references.js";
import { approveAll } from "./report-approvals.js";
import { answered, escalate, review, withdraw } from "./report-review.js";
import { actOn, escalated, isBlock, isDecision, nextProposal, reviewed } from "./report-state.js";
import { assetText, safeText } from "./safe-text.js";

/** @import { Context } from "./report-review.js" */
/** @import { Proposal, Report } from "./report-state.js" */

/** How many proposals say at once that their asset is protected: each asks the server. */
const mostChips = 20;

const reviewStatuses = [
  { status: "APPROVE", label: "Approve", shortcut: "a" },
  { status: "REJECT", label: "Reject", shortcut: "r" },
  { status: "SKIP", label: "Skip", shortcut: "s" },
  { status: "ESCALATE", label: "Escalate" },
];

/** @param {Context} context */
export function reportCard(context) {
  const { report } = context;
  const { reporter } = report;
  const place = h("div", { class: "actions" });
  const undecided = report.proposals.filter((one) => !isDecision(one.reviewStatus) && !actOn(context.waiting, one));
  fill(place,
    undecided.length > 1 && h("button", {
      type: "button", "aria-keyshortcuts": "A", onclick: () => approveAll(context, undecided, place),
    }, `Approve all ${byStatus(undecided)}`, h("kbd", { "aria-hidden": "true" }, "⇧ a")),
    report.status !== "CLOSED" && h("button", {
      type: "button", "aria-keyshortcuts": "e", onclick: () => escalate(context, place),
    }, "Escalate what is undecided", h("kbd", { "aria-hidden": "true" }, "e")));
  const items = report.proposals.map((proposal) => proposed(context, proposal));
  const next = nextProposal(report, context.waiting) ?? undecided[0]
    ?? report.proposals.find((one) => actOn(context.waiting, one));
  select(next && items[report.proposals.indexOf(next)]);
  return h("article", { class: "card stack" },
    h("h2", { class: "line" }, `Report #${report.id} `, badge(report.status),
      h("span", { class: "muted waits" }, "filed ", waited(report.createdAt), " ago")),
    escalation(report, context.signal),
    h("p", { class: "title" }, safeText(report.title)),
    report.description !== "" && safeText(report.description, { lines: true, clip: 600, tag: "p" }),
    h("p", { class: "muted line" },
      reporter === null ? "somebody unknown" : safeText(reporter.fullName ?? `user ${reporter.id}`),
      reporter?.automation && h("span", { class: "chip" }, "automation"),
      "of", safeText(organizationName(report.organization)), time(report.createdAt)),
    h("h3", {}, "Proposals"),
    h("ul", { class: "plain stack" }, items),
    place);
}

/**
 * Says who has escalated a report, when, and with which comment.
 *
 * @param {Report} report
 * @param {AbortSignal} signal
 */
function escalation(report, signal) {
  const proposal = escalated(report);
  if (!proposal) {
    return "";
  }
  const { id, reviewId, reviewedBy, reviewedAt } = proposal;
  const why = h("div", {});
  void show(why, async () => {
    const { reviews: all } = await operatorGet("/report/reviews", { proposalId: id }, signal);
    const { comment: text = "" } = all.find((one) => one.id === reviewId) ?? {};
    return text === "" ? [] : safeText(text, { lines: true, clip: 600, tag: "p" });
  }, { meanwhile: h("span", {}) });
  return h("div", { class: "notice warn" },
    h("p", {}, h("strong", {}, "Escalated"), reviewedBy !== null && [" by ", safeText(nameOf(reviewedBy))],
      reviewedAt !== null && [" ", age(reviewedAt)]), why);
}

/**
 * Returns the number of proposals, with that of each status if they propose several.
 *
 * @param {Proposal[]} proposals
 */
function byStatus(proposals) {
  const numbers = ["BLOCKED", "ALLOWED", "UNKNOWN"].flatMap((status) => {
    const { length } = proposals.filter(({ proposedStatus }) => proposedStatus === status);
    return length > 0 ? `${length} ${words(status)}` : [];
  });
  return `${proposals.length}${numbers.length > 1 ? `: ${numbers.join(", ")}` : ""}`;
}

/**
 * Makes a proposal the one that keys decide.
 *
 * @param {HTMLElement | undefined} item
 */
function select(item) {
  for (const one of item?.parentElement?.children ?? (item ? [item] : [])) {
    one.toggleAttribute("aria-current", false);
    for (const button of one.querySelectorAll("[data-shortcut]")) {
      button.removeAttribute("aria-keyshortcuts");
      button.querySelector("kbd")?.setAttribute("hidden", "");
    }
  }
  item?.setAttribute("aria-current", "true");
  for (const button of item?.querySelectorAll("[data-shortcut]") ?? []) {
    button.setAttribute("aria-keyshortcuts", button.getAttribute("data-shortcut") ?? "");
    button.querySelector("kbd")?.removeAttribute("hidden");
  }
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
      && show(past, () => reviews(proposal, context.signal));
  const place = h("div", { class: "actions" });
  const act = actOn(context.waiting, proposal);
  fill(place, act ? answers(act, place, (text) => answered(context, text))
    : isDecision(reviewStatus) ? decidedButtons(context, proposal, place) : buttons(context, proposal, place));
  const { id } = proposal;
  const onfocusin = (/** @type {Event} */ { currentTarget }) => select(/** @type {HTMLElement} */ (currentTarget));
  return h("li", { class: "proposal stack", "data-proposal": id, onfocusin },
    h("p", { class: "line" }, assetText(asset.content), badge("TYPE", asset.type),
      context.report.proposals.indexOf(proposal) < mostChips
        && protectionChip(asset.content, context.signal),
      assetLink(asset.content)),
    h("p", { class: "line" }, "It is", badge(asset.status),
      asset.status === proposedStatus ? "as proposed." : ["and is proposed to become", badge(proposedStatus)].flat()),
    reviewStatus !== null && h("p", { class: "line outcome" },
      badge(reviewStatus, reviewed[reviewStatus]),
      proposal.reviewedBy !== null
        && h("span", {}, `by ${nameOf(proposal.reviewedBy)}`, approval(proposal, proposal)),
      proposal.reviewedAt !== null && time(proposal.reviewedAt)),
    act && h("p", { class: "line outcome" }, badge("PENDING", "waits for a second operator"),
      "asked for by ", safeText(nameOf(act.actor)), " ", age(act.createdAt)),
    act?.review?.comment && safeText(act.review.comment, { lines: true, clip: 600, tag: "p" }),
    !isDecision(reviewStatus) && requests(asset.content, context.signal, ({ review: of }) => of?.proposalId !== id),
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
      type: "button", "aria-label": `${label} ${named}`, "data-shortcut": shortcut,
      onclick: () => review(context, proposal, status, label, place),
    }, label, shortcut && h("kbd", { "aria-hidden": "true", hidden: true }, shortcut)));
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
    select(place.closest("li") ?? undefined);
    place.querySelector("button")?.focus({ preventScroll: true });
  };
  return [
    withdrawal,
    h("button", { type: "button", "aria-label": `Review ${named} again`, onclick: again }, "Review again"),
  ];
}

/**
 * Names the second operator of a review that took two.
 *
 * @param {Proposal} proposal
 * @param {{ reviewStatus: string | null, reviewedAt: string | null }} review
 */
function approval(proposal, review) {
  const { reviewedAt } = review;
  return isBlock(proposal, review) && reviewedAt !== null && approvedBy(proposal.asset.content, reviewedAt);
}

/**
 * @param {Proposal} proposal
 * @param {AbortSignal} signal
 */
async function reviews(proposal, signal) {
  const { reviews: all } = await operatorGet("/report/reviews", { proposalId: proposal.id }, signal);
  return h("ol", { class: "timeline" },
    all.map((one) => h("li", {},
      h("span", { class: "line" },
        time(one.reviewedAt),
        badge(one.reviewStatus),
        one.reviewedBy !== null && h("span", {}, nameOf(one.reviewedBy), approval(proposal, one)),
        one.withdrawnAt !== null && h("span", { class: "chip" }, "withdrawn")),
      one.comment !== "" && safeText(one.comment, { lines: true, tag: "p" }))));
}
