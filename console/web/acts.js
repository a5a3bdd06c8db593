// @ts-check
// What waits for a second operator, the answers to it, and what was answered about an asset.
import { allPages, operatorGet, operatorPost } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { effectOf, protectionWords } from "./effect.js";
import { askInPlace } from "./in-place.js";
import { statusMade } from "./kept-decisions.js";
import { grouped, plural } from "./numbers.js";
import { age, field, show, total } from "./parts.js";
import { isOwn, nameOf, ownUser } from "./people.js";
import { reasonName } from "./reasons.js";
import { assetLink, referenceText } from "./references.js";
import { assetText, safeText } from "./safe-text.js";
import { keepDecision } from "./store.js";

/** @import { Effect } from "./effect.js" */
/** @import { Mark } from "./asset-undo.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Act"]} Act */
/** @typedef {components["schemas"]["ActState"]} State */

/**
 * An answer to an act, and how it is asked for.
 *
 * @typedef {object} Answer
 * @property {"approve" | "reject"} path
 * @property {string} label that of its button
 * @property {string} title that of its question
 * @property {string} said what the page says after it
 * @property {string} effect what its question says before the effect of a block
 */

const most = 20;

/** More acts are not searched for an asset. Those that wait end after a day. */
const searched = 500;

/** How many assets of an act have their effect shown, and can be undone from the list of decisions. */
const shownAssets = 5;

/** How many decided acts of an asset are named. */
const shownDecided = 5;

/** @type {Answer} */
const approval = {
  path: "approve", label: "Approve", title: "Approve the request", said: "approved",
  effect: "It is blocked for everyone, at once.",
};
/** @type {Answer} */
const rejection = {
  path: "reject", label: "Reject", title: "Reject the request", said: "rejected",
  effect: "Nothing changes. A block would do this:",
};
/** @type {Answer} */
const withdrawal = {
  ...rejection, label: "Withdraw the request", title: "Withdraw the request", said: "withdrawn",
};

/**
 * Returns the acts that wait, with their buttons.
 *
 * @param {AbortSignal} signal
 * @param {{ about?: string, done?: () => void }} [options] the canonical form of the only asset that they are about,
 *   and what is called after a decision, in place of reading them again
 */
export async function acts(signal, { about, done } = {}) {
  const place = h("div", { class: "stack" });
  const again = done ?? (() => void show(place, () => acts(signal), { keep: true }));
  const [{ items, more }] = await Promise.all([
    about === undefined ? read("PENDING", most, 0, signal) : readAbout(about, "PENDING", signal),
    ownUser().catch(() => null), // a name then lacks "(you)", and the server refuses an own approval
  ]);
  fill(place,
    about === undefined && items.length > 0 && total(items.length, more && "+"),
    items.length === 0 && h("p", { class: "muted" }, "Nothing waits for a second operator."),
    about !== undefined && more && partial(),
    items.map((act) => item(act, signal, again)));
  return place;
}

/**
 * Returns the last acts about an asset that were approved or rejected.
 *
 * @param {AbortSignal} signal
 * @param {string} about the canonical form
 */
export async function decidedActs(signal, about) {
  const pages = await Promise.all([
    readAbout(about, "APPROVED", signal), readAbout(about, "REJECTED", signal), ownUser().catch(() => null),
  ]);
  const [approved, rejected] = pages;
  const last = [...approved.items, ...rejected.items]
    .toSorted((a, b) => (b.decidedAt ?? "").localeCompare(a.decidedAt ?? "")).slice(0, shownDecided);
  return h("div", { class: "stack" },
    (approved.more || rejected.more) && partial(),
    last.length > 0 && h("ul", { class: "plain spaced", "aria-label": "Decided before" }, last.map(decidedItem)));
}

/**
 * @param {State} state
 * @param {number} limit of a page
 * @param {number} enough
 * @param {AbortSignal} signal
 */
function read(state, limit, enough, signal) {
  return allPages(async (/** @type {number | null} */ cursor) => {
    const page = await operatorGet("/pending/list", { state, limit, ...(cursor === null ? {} : { cursor }) }, signal);
    return { items: page.acts, nextCursor: page.nextCursor };
  }, enough);
}

/**
 * @param {string} about
 * @param {State} state
 * @param {AbortSignal} signal
 */
async function readAbout(about, state, signal) {
  const { items, more } = await read(state, 100, searched, signal);
  return { items: items.filter(({ assets }) => assets.some(({ content }) => content === about)), more };
}

function partial() {
  return h("p", { class: "hint" }, `Only the oldest ${grouped(searched)} were searched.`);
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
 * @param {Act} act
 * @param {AbortSignal} signal
 * @param {() => void} again shows the acts that are left
 */
function item(act, signal, again) {
  const place = h("div", { class: "actions" });
  const button = (/** @type {Answer} */ answer, look = "") => h("button",
    { type: "button", class: `small ${look}`, onclick: () => ask(act, answer, place, again) }, answer.label);
  fill(place, isOwn(act.actor.id) ? button(withdrawal) : [button(approval, "primary"), button(rejection)]);
  return h("section", { class: "stack", "aria-label": `Act #${act.id}` },
    ...what(act),
    why(act),
    act.review !== null && origin(act, act.review, signal),
    h("p", { class: "muted" }, "Asked for by ", safeText(nameOf(act.actor)), ", ", age(act.createdAt)),
    place);
}

/**
 * Says what an act would do.
 *
 * @param {Act} act
 */
function what({ kind, assets, list }) {
  if (list !== null) {
    const counts = kind === "SYNC_LIST"
      ? `${grouped(list.added)} added, ${grouped(list.withdrawn)} withdrawn, ${grouped(list.kept)} kept`
      : `${grouped(list.withdrawn)} withdrawn`;
    const act = kind === "SYNC_LIST" ? "Sync the list " : "Remove the list ";
    return [h("p", {}, act, safeText(list.name), `: ${counts}`)];
  }
  return assets.map(({ content, protection }) => h("p", { class: "line" }, "Block", assetText(content),
    h("span", { class: "chip warn protection" }, protectionWords(content, protection)), assetLink(content)));
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
function origin({ assets }, { proposalId, comment }, signal) {
  const report = h("span", {});
  operatorGet("/report/list", { content: assets[0]?.content ?? "", limit: most }, signal).then(({ reports }) => {
    const found = reports.find(({ proposals }) => proposals.some(({ id }) => id === proposalId));
    fill(report, found && [" of ", referenceText(`report/${found.id}`)]);
  }, () => {}); // the number of the proposal is shown
  return h("div", { class: "stack tight" },
    h("p", {}, `From a review of proposal #${proposalId}`, report),
    comment !== "" && safeText(comment, { lines: true, tag: "p" }));
}

/**
 * @param {Act} act
 * @param {Answer} answer
 * @param {HTMLElement} place
 * @param {() => void} again
 */
function ask(act, answer, place, again) {
  const effects = act.assets.slice(0, shownAssets).map(({ content }) => ({ content, ...effectOf(content, "BLOCKED") }));
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
      await (answer === approval ? approve(act, body) : operatorPost("/pending/reject", body));
      announce(`Act #${act.id}: ${answer.said}.`);
      again();
      return [];
    },
  });
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
 * Approves an act, and keeps it for an undo. A review is withdrawn at its report.
 *
 * @param {Act} act
 * @param {{ id: number, comment: string | null }} body
 */
async function approve(act, body) {
  const assets = act.kind === "BLOCK_PROTECTED" && act.review === null && act.assets.length <= shownAssets
    ? act.assets : [];
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
