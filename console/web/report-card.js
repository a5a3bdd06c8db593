// @ts-check
// A report with its proposals, and the reviews of them.
import { ApiError, operatorGet, operatorPost } from "./api.js";
import { rules } from "./workers.js";
import { words } from "./dispute-actions.js";
import { announce, fill, h } from "./dom.js";
import { effectOf, isUnconfirmed, protectionChip, wideIssues } from "./effect.js";
import { askInPlace } from "./in-place.js";
import { plural } from "./numbers.js";
import { approve } from "./report-actions.js";
import { age, badge, field, show, stayAllowed, time, waited } from "./parts.js";
import { nameOf, organizationName } from "./people.js";
import { assetLink } from "./references.js";
import { assetText, safeText } from "./safe-text.js";
import { keepDecision, once, otherActMade } from "./store.js";

/** @import { Effect } from "./effect.js" */
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

/** How many proposals say at once that their asset is protected: each asks the server. */
const mostChips = 20;

const reviewStatuses = [
  { status: "APPROVE", label: "Approve", shortcut: "a" },
  { status: "REJECT", label: "Reject", shortcut: "r" },
  { status: "SKIP", label: "Skip", shortcut: "s" },
  { status: "ESCALATE", label: "Escalate" },
];

/** How many proposals are in sight at once when all are approved. */
const shownProposals = 20;

/** @type {Record<string, string>} */
export const reviewed = { APPROVE: "Approved", REJECT: "Rejected", SKIP: "Skipped", ESCALATE: "Escalated" };

/** @param {Context} context */
export function reportCard(context) {
  const { report } = context;
  const { reporter } = report;
  const place = h("div", { class: "actions" });
  const undecided = report.proposals.filter(({ reviewStatus }) => !isDecision(reviewStatus));
  fill(place,
    undecided.length > 1 && h("button", {
      type: "button", "aria-keyshortcuts": "A", onclick: () => approveAll(context, undecided, place),
    }, `Approve all ${byStatus(undecided)}`, h("kbd", { "aria-hidden": "true" }, "⇧ a")),
    report.status !== "CLOSED" && h("button", {
      type: "button", "aria-keyshortcuts": "e", onclick: () => escalate(context, place),
    }, "Escalate what is undecided", h("kbd", { "aria-hidden": "true" }, "e")));
  const items = report.proposals.map((proposal) => proposed(context, proposal));
  select(items[report.proposals.indexOf(nextProposal(report) ?? undecided[0] ?? /** @type {any} */ (null))]);
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
 * Returns the proposal of a report that was escalated last and still is, if any.
 *
 * @param {Pick<Report, "proposals">} report
 */
export function escalated({ proposals }) {
  return proposals.filter(({ reviewStatus }) => reviewStatus === "ESCALATE")
    .toSorted((a, b) => (b.reviewId ?? 0) - (a.reviewId ?? 0))[0];
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
 * Returns the first proposal without a review.
 *
 * @param {Report} report
 */
function nextProposal({ proposals }) {
  return proposals.find(({ reviewStatus }) => reviewStatus === null);
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
      && show(past, () => reviews(proposal.id, context.signal));
  const place = h("div", { class: "actions" });
  fill(place, isDecision(reviewStatus) ? decidedButtons(context, proposal, place) : buttons(context, proposal, place));
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
  const effect = reviewStatus === "APPROVE"
    ? effectOf(proposal.asset.content, proposal.proposedStatus) : undefined;
  const confirmations = effect ? [effect.confirmation] : [];
  const isConfirmed = () => confirmations.some(isProtectedConfirmed);
  askInPlace(place, {
    title: `${label} the proposal`,
    fields: [
      ...effect
        ? [h("p", { class: "line" }, assetText(proposal.asset.content), "becomes", badge(proposal.proposedStatus),
          "for everyone, at once."), effect.place, effect.confirmation]
        : [h("p", {}, "The asset keeps its status.")],
      approvalComment(confirmations, isConfirmed),
    ],
    action: label,
    about: String(proposal.id),
    act: async (form) => {
      const confirmProtected = form.has("confirmProtected");
      const missing = effect && await wideIssues(effect) || reasonMissing(form, confirmProtected);
      return missing ?? act(context, "/report/review", {
        proposalId: proposal.id, reviewStatus, comment: String(form.get("comment")),
        confirmProtected, ifReview: proposal.reviewId,
      }, `Review stored.${effect ? ` ${proposal.asset.content} is now ${words(proposal.proposedStatus)}.` : ""}`,
      proposal);
    },
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
    title: "Withdraw the review", action: "Withdraw", about: String(proposal.id),
    fields: [comment("Reason (optional)", "reason")],
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
 * Asks once for the approval of several proposals, and shows the effect of each.
 *
 * @param {Context} context
 * @param {Proposal[]} proposals
 * @param {HTMLElement} place
 */
function approveAll(context, proposals, place) {
  /** @type {Map<number, Effect>} */
  const effects = new Map();
  /** @type {HTMLInputElement[]} */
  const boxes = [];
  const number = h("p", { role: "status" });
  const checked = () => boxes.filter((box) => box.checked).map(({ value }) => value);
  const countChecked = () => fill(number, `For everyone, at once: ${checked().length} of ${proposals.length}`);
  const items = proposals.map(({ id, asset, proposedStatus, reviewStatus }) => {
    const effect = effectOf(asset.content, proposedStatus);
    const box = h("input", {
      type: "checkbox", name: "approve", value: id, checked: reviewStatus !== "SKIP", onchange: countChecked,
    });
    boxes.push(box);
    effect.confirmation.querySelector("input")?.setAttribute("value", String(id));
    effect.confirmation.addEventListener("change", () => {
      box.checked = true;
      countChecked();
    });
    effect.warns().then((warns) => {
      box.checked &&= !warns;
      countChecked();
    });
    effects.set(id, effect);
    return h("li", { class: "line" },
      h("label", { class: "check" },
        box,
        h("span", { class: "line" }, assetText(asset.content),
          asset.status === proposedStatus ? "stays" : [badge(asset.status), "→"], badge(proposedStatus))),
      effect.place, effect.confirmation);
  });
  const list = (/** @type {HTMLElement[]} */ some) => h("ul", { class: "plain stack tight brief" }, some);
  const others = items.slice(shownProposals);
  const note = approvalComment(items, () => proposals.some(({ id }) =>
    checked().includes(String(id)) && isProtectedConfirmed(/** @type {Effect} */ (effects.get(id)).confirmation)));
  askInPlace(place, {
    title: `Approve the proposals of report #${context.report.id}`, action: "Approve all that are checked",
    fields: [number, list(items.slice(0, shownProposals)),
      ...others.length > 0 ? [h("details", {}, h("summary", {}, `and ${plural(others.length, "other")}`), list(others))]
        : [], note],
    act: async (form) => {
      await Promise.all([...effects.values()].map(({ warns }) => warns()));
      const chosen = proposals.filter(({ id }) => form.getAll("approve").includes(String(id)));
      const confirmed = (/** @type {number} */ id) => form.getAll("confirmProtected").includes(String(id));
      if (chosen.length === 0) {
        return ["No proposal is checked."];
      }
      if (chosen.length !== checked().length) {
        return ["What concerns many people is no longer checked. Look at it first."];
      }
      const unconfirmed = await Promise.all(chosen.map(({ id }) =>
        isUnconfirmed(/** @type {Effect} */ (effects.get(id)))));
      if (unconfirmed.includes(true)) {
        const asking = chosen[unconfirmed.indexOf(true)]?.id ?? 0;
        const box = effects.get(asking)?.confirmation.querySelector("input");
        box?.closest("details")?.setAttribute("open", "");
        box?.focus();
        return ["Confirm each asset that concerns many people, or leave it out."];
      }
      const missing = reasonMissing(form, chosen.some(({ id }) => confirmed(id)));
      return missing ?? once(`report ${context.report.id}`, context.report, async () => {
        const outcome = await approve(chosen, { comment: String(form.get("comment")), confirmed });
        if (outcome.issues) {
          return outcome.issues;
        }
        const { report = await reread(context), reviews, remarks } = outcome;
        const text = [`${reviews.length} of ${chosen.length} proposals approved.`, ...remarks].join(" ");
        settle(context, report, text, reviews);
        return [];
      });
    },
  });
}

/**
 * Returns the issue of a form that blocks a protected asset without a word, or null.
 *
 * @param {FormData} form
 * @param {boolean} confirmed whether it confirms such a block
 */
function reasonMissing(form, confirmed) {
  return confirmed && String(form.get("comment")).trim() === ""
    ? ["comment: is needed, because the asset is protected"] : null;
}

/**
 * Returns whether a confirmation is one of a protected asset, and given.
 *
 * @param {HTMLElement} confirmation
 */
function isProtectedConfirmed(confirmation) {
  const box = confirmation.querySelector("input");
  return !confirmation.hidden && box?.name === "confirmProtected" && box.checked;
}

/**
 * Returns the field of a comment, whose label says when it is needed.
 *
 * @param {HTMLElement[]} places where that changes
 * @param {() => boolean} isNeeded
 */
function approvalComment(places, isNeeded) {
  const element = comment("Comment (optional)", "comment");
  const label = /** @type {HTMLElement} */ (element.querySelector("label"));
  places.forEach((place) => place.addEventListener("change", () => {
    fill(label, isNeeded() ? "Comment (needed, because the asset is protected)" : "Comment (optional)");
  }));
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
      settle(context, await reread(context), `${error.message}.`, []);
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
function reread({ report: { id } }) {
  return operatorGet("/report/get", { id });
}

/**
 * Shows a report as an action has left it, and goes on to the next one if nothing of it is left to look at.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {string} text
 * @param {number[]} reviews the decisions that were made
 */
function settle({ desk, movesOn, count }, report, text, reviews) {
  if (reviews.length > 0) {
    announce(text);
    const { id, title: about } = report;
    keepDecision({ kind: "report", id, text: `Report #${id}: ${text}`, about, at: Date.now(), reviews });
  } else {
    otherActMade();
    desk.tell(text);
  }
  if (movesOn && report.status === "CLOSED") {
    desk.done([report.id]);
  } else if (movesOn && !nextProposal(report)) {
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
  return `The review is now ${last.reviewStatus}${by}${last.comment === "" ? "" : `: “${last.comment}”`}. `;
}
