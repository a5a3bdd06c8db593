// @ts-check
// What waits for a second operator, the answers to it, and what was answered about an asset.
import { ApiError, deferred, operatorGet, operatorPost } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { effectOf, protectionWords } from "./effect.js";
import { askInPlace } from "./in-place.js";
import { statusMade } from "./kept-decisions.js";
import { grouped, plural } from "./numbers.js";
import { age, field, total } from "./parts.js";
import { actsAbout, actsNow, actsOf, most, readActs } from "./pending-acts.js";
import { isOwn, nameOf, ownUser } from "./people.js";
import { reasonName } from "./reasons.js";
import { assetLink, referenceText } from "./references.js";
import { assetText, safeText } from "./safe-text.js";
import { keepDecision, once, otherActMade } from "./store.js";

/** @import { Effect } from "./effect.js" */
/** @import { Mark } from "./asset-undo.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Act"]} Act */

/**
 * An answer to an act, and how it is asked for.
 *
 * @typedef {object} Answer
 * @property {"approve" | "reject"} path
 * @property {string} label that of its button
 * @property {string} [shortcut] the key for it where others have keys, too
 * @property {string} title that of its question
 * @property {string} said what the page says of the request after it
 * @property {string} effect what its question says before the effect of a block
 */

/** How many acts are shown. */
const shown = 20;

/** How many reports about an asset are searched for the one of a review. */
const searchedReports = 100;

/** How many assets of an act have their effect shown, and can be undone from the list of decisions. */
const shownAssets = 5;

/** How many decided acts of an asset are named. */
const shownDecided = 5;

/** @type {Answer} */
const approval = {
  path: "approve", label: "Approve", shortcut: "a", title: "Approve the request", said: "approved",
  effect: "It is blocked for everyone, at once.",
};
/** @type {Answer} */
const rejection = {
  path: "reject", label: "Reject", shortcut: "r", title: "Reject the request", said: "rejected",
  effect: "Nothing changes. A block would do this:",
};
/** @type {Answer} */
const withdrawal = {
  ...rejection, shortcut: "", label: "Withdraw the request", title: "Withdraw the request", said: "withdrawn",
};

/**
 * Shows again what an answer has changed, and says what was done.
 *
 * @callback Again
 * @param {string} text
 * @returns {Promise<void> | void}
 */

/**
 * Reads the acts that wait, and returns them with their buttons.
 *
 * @param {AbortSignal} signal
 * @param {Again} again is called after an answer
 * @param {string} [about] the canonical form of the only asset that they are about
 */
export async function acts(signal, again, about) {
  await Promise.all([
    readActs(), ownUser().catch(() => null), // a name then lacks "(you)", and the server refuses an own approval
  ]);
  return actsKnown(signal, again, about);
}

/**
 * Returns the acts that are known to wait, with their buttons.
 *
 * @param {AbortSignal} signal
 * @param {Again} again is called after an answer
 * @param {string} [about] the canonical form of the only asset that they are about
 */
export function actsKnown(signal, again, about) {
  const all = actsNow();
  const items = about === undefined ? all.slice(0, shown) : actsAbout(about);
  return h("div", { class: "stack" },
    about === undefined && items.length > 0 && total(all.length, all.length >= most && "+"),
    items.length === 0 && h("p", { class: "muted" }, "Nothing waits for a second operator."),
    about !== undefined && all.length >= most && partial(),
    items.map((act) => actItem(act, signal, again)));
}

/**
 * Returns the last acts about an asset that were approved or rejected.
 *
 * @param {AbortSignal} signal
 * @param {string} about the canonical form
 */
export async function decidedActs(signal, about) {
  const pages = await Promise.all([
    actsOf("APPROVED", signal), actsOf("REJECTED", signal), ownUser().catch(() => null),
  ]);
  const [approved, rejected] = pages;
  const last = actsAbout(about, [...approved.items, ...rejected.items])
    .toSorted((a, b) => (b.decidedAt ?? "").localeCompare(a.decidedAt ?? "")).slice(0, shownDecided);
  return h("div", { class: "stack" },
    (approved.more || rejected.more) && partial(),
    last.length > 0 && h("ul", { class: "plain spaced", "aria-label": "Decided before" }, last.map(decidedItem)));
}

function partial() {
  return h("p", { class: "hint" }, `Only the oldest ${grouped(most)} were searched.`);
}

/** @param {Act} act */
function decidedItem({ state, actor, decidedBy, decidedAt, comment }) {
  const withdrawn = state === "REJECTED" && decidedBy?.id === actor.id;
  return h("li", {},
    h("p", {}, "Asked for by ", safeText(nameOf(actor)),
      withdrawn ? ", withdrawn" : [`, ${state.toLowerCase()} by `, decidedBy !== null && safeText(nameOf(decidedBy))],
      " ", decidedAt !== null && age(decidedAt)),
    comment && safeText(comment, { lines: true, tag: "p" }));
}

/**
 * Returns an act with its buttons.
 *
 * @param {Act} act
 * @param {AbortSignal} signal
 * @param {Again} again is called after an answer
 */
export function actItem(act, signal, again) {
  const place = h("div", { class: "actions" });
  fill(place, answers(act, place, again));
  return h("section", { class: "stack", "aria-label": `Request #${act.id}` },
    ...what(act, signal),
    why(act),
    act.review !== null && origin(act, act.review, signal),
    h("p", { class: "muted" }, "Asked for by ", safeText(nameOf(act.actor)), ", ", age(act.createdAt)),
    place);
}

/**
 * Returns the buttons that answer an act: who has asked for it can only withdraw it.
 *
 * @param {Act} act
 * @param {HTMLElement} place where the question is asked
 * @param {Again} again is called after an answer
 */
export function answers(act, place, again) {
  const named = act.assets[0]?.content.slice(0, 60) ?? act.list?.name ?? "";
  const button = (/** @type {Answer} */ answer, look = "") => h("button", {
    type: "button", class: `small ${look}`, "aria-label": `${answer.label}: ${named}`,
    "data-key": `act ${act.id} ${answer.label}`, "data-shortcut": answer.shortcut || null,
    onclick: () => ask(act, answer, place, again),
  }, answer.label, answer.shortcut && h("kbd", { "aria-hidden": "true", hidden: true }, answer.shortcut));
  return isOwn(act.actor.id) ? [button(withdrawal)] : [button(approval, "primary"), button(rejection)];
}

/**
 * Says what an act would do, and of what has happened otherwise meanwhile.
 *
 * @param {Act} act
 * @param {AbortSignal} signal
 */
function what({ kind, assets, list }, signal) {
  if (list !== null) {
    const counts = kind === "SYNC_LIST"
      ? `${grouped(list.added)} added, ${grouped(list.withdrawn)} withdrawn, ${grouped(list.kept)} kept`
      : `${grouped(list.withdrawn)} withdrawn`;
    const act = kind === "SYNC_LIST" ? "Sync the list " : "Remove the list ";
    return [h("p", {}, act, safeText(list.name), `: ${counts}`)];
  }
  return assets.map(({ content, protection, fromStatus }, index) => h("p", { class: "line" }, "Block",
    assetText(content), h("span", { class: "chip warn protection" }, protectionWords(content, protection)),
    index === 0 && fromStatus !== "BLOCKED" && blockedSince(content, signal), assetLink(content)));
}

/**
 * Returns a chip that says that an asset of an act is blocked by now. It is hidden until that is known.
 *
 * @param {string} content
 * @param {AbortSignal} signal
 */
function blockedSince(content, signal) {
  const chip = h("span", { class: "chip", hidden: true }, "blocked meanwhile");
  operatorGet("/asset/explain", { content }, deferred(signal)).then(({ asset }) => {
    chip.hidden = asset.status !== "BLOCKED";
  }, () => {}); // an approval then says it
  return chip;
}

/**
 * Says which reason, note and record an act gives.
 *
 * @param {Act} act
 */
function why({ reason, note, reference }) {
  return (reason !== null || note !== null || reference !== null) && h("p", { class: "line" },
    reason !== null && reasonName(reason), note !== null && safeText(note),
    reference !== null && referenceText(reference));
}

/**
 * Says which review an act comes from. The report follows when it is read.
 *
 * @param {Act} act
 * @param {NonNullable<Act["review"]>} review
 * @param {AbortSignal} signal
 */
function origin(act, { proposalId, comment }, signal) {
  const report = h("span", {});
  reportOf(act, signal).then((found) => {
    fill(report, found && [" of ", referenceText(`report/${found.id}`)]);
  }, () => {}); // the number of the proposal is shown
  return h("div", { class: "stack tight" },
    h("p", {}, `From a review of proposal #${proposalId}`, report),
    comment !== "" && safeText(comment, { lines: true, tag: "p" }));
}

/**
 * Returns the report that has the proposal of an act, if it is found.
 *
 * @param {Act} act
 * @param {AbortSignal} [signal]
 */
async function reportOf({ assets, review }, signal) {
  const content = assets[0]?.content ?? "";
  const { reports } = await operatorGet("/report/list", { content, limit: searchedReports }, signal);
  return reports.find(({ proposals }) => proposals.some(({ id }) => id === review?.proposalId));
}

/**
 * @param {Act} act
 * @param {Answer} answer
 * @param {HTMLElement} place
 * @param {Again} again
 */
function ask(act, answer, place, again) {
  const effects = act.assets.slice(0, shownAssets)
    .map(({ content }) => ({ content, ...effectOf(content, "BLOCKED", { asked: true }) }));
  askInPlace(place, {
    title: answer.title, action: answer.label, about: String(act.id),
    fields: [
      ...blockLines(act, answer, effects),
      field("Comment (optional)", h("textarea", { name: "comment", rows: 2 })),
    ],
    act: async (form) => {
      if (answer === approval && effects.some((effect) => effect.place.dataset["shown"] === undefined)) {
        return ["Read first what the block would do. It is not shown yet."];
      }
      const body = { id: act.id ?? 0, comment: String(form.get("comment")).trim() || null };
      return once(`act ${act.id}`, act, () => send(act, answer, body, again));
    },
  });
}

/**
 * Sends an answer. Returns why it was refused, or nothing after it was taken or was too late.
 *
 * @param {Act} act
 * @param {Answer} answer
 * @param {{ id: number, comment: string | null }} body
 * @param {Again} again
 * @returns {Promise<string[]>}
 */
async function send(act, answer, body, again) {
  otherActMade();
  let text = `The request of ${nameOf(act.actor)} is ${answer.said}.`;
  try {
    await (answer === approval ? approve(act, body) : operatorPost("/pending/reject", body));
    await readActs().catch(() => {}); // it is answered
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) {
      throw error;
    }
    await readActs();
    if (actsNow().some(({ id }) => id === act.id)) {
      return act.list !== null ? [`${error.message}.`]
        : [`What it is about has changed since ${nameOf(act.actor)} asked, so the effect would be another one. `
          + "Reject the request. Who still wants it can ask again."];
    }
    text = "Not done: the request does not wait any more.";
  }
  announce(text);
  await again(text);
  return [];
}

/**
 * Returns what a question says of a block: nothing for an act on a list.
 *
 * @param {Act} act
 * @param {Answer} answer
 * @param {(Effect & { content: string })[]} effects those of the first assets
 */
function blockLines({ assets }, answer, effects) {
  const more = assets.length - effects.length;
  return effects.length === 0 ? [] : [
    h("p", {}, answer.effect),
    ...effects.flatMap(({ content, place }) =>
      assets.length > 1 ? [h("p", { class: "line" }, assetText(content)), place] : [place]),
    ...more > 0 ? [h("p", {}, `and ${plural(more, "other")}`)] : [],
  ];
}

/**
 * Approves an act, and keeps it for an undo.
 *
 * @param {Act} act
 * @param {{ id: number, comment: string | null }} body
 */
async function approve(act, body) {
  if (act.review !== null) {
    await operatorPost("/pending/approve", body);
    await keepReview(act).catch(() => {}); // the approval is done, only without an undo
    return;
  }
  const assets = act.kind === "BLOCK_PROTECTED" && act.assets.length <= shownAssets ? act.assets : [];
  const before = await Promise.all(assets.map(held));
  await operatorPost("/pending/approve", body);
  const after = await Promise.all(assets.map(held)).catch(() => []); // the approval is done, only without an undo
  after.forEach(({ id, content, decision }, index) => {
    if (id !== null) {
      keepDecision(statusMade(id, [{ content, decision, previous: before[index]?.decision ?? null }]));
    }
  });
}

/**
 * Keeps the review of an act that was approved for an undo.
 *
 * @param {Act} act
 */
async function keepReview(act) {
  const report = await reportOf(act);
  const reviewed = report?.proposals.find(({ id }) => id === act.review?.proposalId);
  if (report && reviewed?.reviewId && reviewed.reviewStatus === "APPROVE" && reviewed.reviewedBy?.id === act.actor.id) {
    keepDecision({
      kind: "report", id: report.id, text: `Report #${report.id}: ${reviewed.asset.content} is now blocked.`,
      about: report.title, at: Date.now(), reviews: [reviewed.reviewId],
    });
  }
}

/**
 * Returns what operators hold on an asset itself.
 *
 * @param {{ content: string }} asset
 * @returns {Promise<{ id: number | null, content: string, decision: Mark | null }>}
 */
async function held({ content }) {
  const { asset: { id }, decisions } = await operatorGet("/asset/explain", { content });
  const decision = id === null ? undefined : decisions.find(({ source }) => source.kind === "OPERATOR");
  return { id, content, decision: decision ?? null };
}
