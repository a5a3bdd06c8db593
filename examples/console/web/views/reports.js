// @ts-check
import { ApiError, operatorGet, operatorPost } from "../api.js";
import { rules } from "../core.js";
import { ask } from "../dialog.js";
import { announce, h } from "../dom.js";
import { badge, field, filterForm, select, show, stayAllowed, suffixConfirmation, time } from "../parts.js";
import { organizationName } from "../organizations.js";
import { queue } from "../queue.js";
import { assetText, safeText } from "../safe-text.js";

/** @import { View } from "../parts.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["Report"]} Report */
/** @typedef {Report["proposals"][number]} Proposal */

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function reportsView(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const filters = filterForm("reports", [
    field("Status",
      select("status", value("status"),
        [["", "All"], ["TODO", "To do"], ["IN_PROGRESS", "In progress"], ["CLOSED", "Closed"]])),
    field("Search", h("input", { name: "searchQuery", value: value("searchQuery"), spellcheck: "false" })),
    field("Reporter", h("input", { name: "reporterQuery", value: value("reporterQuery"), spellcheck: "false" })),
  ]);
  const { element, shortcuts } = queue({
    view: "reports", params, filters,
    load: async (cursor) => {
      const query = /** @type {any} */ ({
        status: value("status"), searchQuery: value("searchQuery"), reporterQuery: value("reporterQuery"), cursor,
      });
      const { reports, nextCursor } = await operatorGet("/report/list", query, signal);
      return { items: reports, nextCursor };
    },
    item: (report) => [
      h("span", { class: "line" }, badge(report.status), time(report.createdAt)), safeText(report.title),
      h("span", { class: "muted" }, `${report.proposals.length} proposal${report.proposals.length === 1 ? "" : "s"}`),
    ],
    detail: async (id, _place, refresh) => {
      const report = await operatorGet("/report/get", { id }, signal);
      return detail(report, await organizationName(report.organizationId), refresh, signal);
    },
  });
  return { title: "Reports", element, shortcuts };
}

let notice = "";

/**
 * @param {Report} report
 * @param {string} organization
 * @param {() => void} refresh
 * @param {AbortSignal} signal
 */
function detail(report, organization, refresh, signal) {
  const said = notice;
  notice = "";
  const reporter = report.reporter;
  return h("article", { class: "card stack" },
    said !== "" && h("p", { class: "notice info", role: "status" }, said),
    h("h2", {}, `Report #${report.id} `, badge(report.status)),
    h("p", { class: "title" }, safeText(report.title)),
    report.description !== "" && safeText(report.description, { lines: true, clip: 4000, tag: "p" }),
    h("dl", { class: "facts" },
      h("div", {}, h("dt", {}, "Organization"), h("dd", {}, safeText(organization))),
      h("div", {},
        h("dt", {}, "From"),
        h("dd", { class: "line" },
          reporter === null ? "unknown" : safeText(reporter.fullName ?? `user ${reporter.id}`),
          reporter?.automation && h("span", { class: "chip" }, "automation"))),
      h("div", {}, h("dt", {}, "Filed"), h("dd", {}, time(report.createdAt), " UTC"))),
    report.status !== "CLOSED"
      && h("div", { class: "actions" },
        h("button", { type: "button", "aria-keyshortcuts": "e", onclick: () => escalate(report, refresh) },
          "Escalate what is undecided")),
    h("h3", {}, "Proposals"),
    h("ul", { class: "plain stack" }, report.proposals.map((proposal) => proposed(proposal, refresh, signal))));
}

const reviewStatuses = [
  { status: "APPROVE", label: "Approve", shortcut: "a" },
  { status: "REJECT", label: "Reject", shortcut: "r" },
  { status: "SKIP", label: "Skip" },
  { status: "ESCALATE", label: "Escalate" },
];

/**
 * @param {Proposal} proposal
 * @param {() => void} refresh
 * @param {AbortSignal} signal
 */
function proposed(proposal, refresh, signal) {
  const past = h("div", {});
  const showPast = (/** @type {Event} */ { currentTarget }) =>
    currentTarget instanceof HTMLDetailsElement && currentTarget.open
      && show(past, () => reviews(proposal.id, signal));
  const { reviewId, reviewStatus } = proposal;
  const named = proposal.asset.content.slice(0, 60);
  return h("li", { class: "proposal stack" },
    h("p", { class: "line" },
      assetText(proposal.asset.content), badge("TYPE", proposal.asset.type), badge(proposal.asset.status)),
    h("p", {}, "Proposed: ", badge(proposal.proposedStatus), reviewStatus && [" reviewed: ", badge(reviewStatus)]),
    h("div", { class: "actions" },
      reviewStatuses.map(({ status, label, shortcut }) => {
        const onclick = () => review(proposal, status, label, refresh);
        const names = { "aria-label": `${label} ${named}`, "aria-keyshortcuts": shortcut };
        return h("button", { type: "button", ...names, onclick }, label);
      }),
      reviewId !== null && isDecision(reviewStatus)
        && h("button", {
          type: "button", "aria-label": `Withdraw the review of ${named}`,
          onclick: () => withdraw(proposal, reviewId, refresh),
        }, "Withdraw the review")),
    reviewStatus && h("details", { ontoggle: showPast }, h("summary", {}, "All reviews"), past));
}

/**
 * Only a decision can be withdrawn.
 *
 * @param {string | null} reviewStatus
 */
function isDecision(reviewStatus) {
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
        one.reviewedBy !== null && `user ${one.reviewedBy}`,
        one.withdrawnAt !== null && h("span", { class: "chip" }, "withdrawn")),
    one.comment !== "" && safeText(one.comment, { lines: true, tag: "p" }))));
}

/**
 * @param {Proposal} proposal
 * @param {string} reviewStatus
 * @param {string} label
 * @param {() => void} refresh
 */
function review(proposal, reviewStatus, label, refresh) {
  ask({
    title: `${label} the proposal`,
    about: h("span", { class: "line" }, assetText(proposal.asset.content),
      reviewStatus === "APPROVE" ? "becomes" : "is proposed to become", badge(proposal.proposedStatus)),
    fields: [comment("Comment (optional)", "comment"), suffixConfirmation()], action: label,
    act: (form) => act("/report/review",
      {
        proposalId: proposal.id, reviewStatus, comment: String(form.get("comment")),
        confirmSuffix: form.has("confirmSuffix"), ifReview: proposal.reviewId,
      }, refresh, "Review stored.", proposal),
  });
}

/**
 * @param {Proposal} proposal
 * @param {number} reviewId
 * @param {() => void} refresh
 */
function withdraw(proposal, reviewId, refresh) {
  ask({
    title: "Withdraw the review", about: assetText(proposal.asset.content),
    fields: [comment("Reason (optional)", "reason")], action: "Withdraw",
    act: (form) => act("/report/withdraw",
      { reviewId, reason: String(form.get("reason")), ifReview: proposal.reviewId }, refresh, "Review withdrawn.",
      proposal),
  });
}

/**
 * @param {Report} report
 * @param {() => void} refresh
 */
function escalate(report, refresh) {
  ask({
    title: `Escalate report #${report.id}`, about: safeText(report.title),
    fields: [comment("Comment (optional)", "comment")], action: "Escalate",
    act: (form) => act("/report/escalate", { id: report.id, comment: String(form.get("comment")) }, refresh,
      "Report escalated."),
  });
}

/**
 * @param {string} label
 * @param {string} name
 */
function comment(label, name) {
  return field(label, h("textarea", { name, rows: 4, autofocus: true }));
}

/**
 * @param {"/report/review" | "/report/withdraw" | "/report/escalate"} path
 * @param {any} body
 * @param {() => void} refresh
 * @param {string} success
 * @param {Proposal} [proposal]
 * @returns {Promise<string[]>}
 */
async function act(path, body, refresh, success, proposal) {
  const validity = await rules.validate(path, { body });
  if (!validity.valid) {
    return validity.issues.length > 0 ? validity.issues : [validity.message];
  }
  try {
    const answer = await operatorPost(path, body);
    notice = success + ("exceptions" in answer ? stayAllowed(answer) : "");
  } catch (error) {
    if (error instanceof ApiError && error.issues.some((issue) => issue.startsWith("confirmSuffix"))) {
      return error.issues;
    }
    if (!(error instanceof ApiError) || error.status !== 409) {
      throw error;
    }
    notice = `Somebody was faster: ${error.message}. ${proposal ? await nowReviewed(proposal) : ""}`
      + "The report was read again.";
  }
  announce(notice);
  refresh();
  return [];
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
  return `The review is now ${last.reviewStatus}${last.reviewedBy === null ? "" : ` by user ${last.reviewedBy}`}. `;
}
