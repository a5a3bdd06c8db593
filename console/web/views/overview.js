// @ts-check
// What waits for a decision, what has happened, and what does not work.
import { acts } from "../acts.js";
import { changelogStream, get, operatorGet } from "../api.js";
import { basisLines } from "../basis.js";
import { readEntries } from "../changelog-stream.js";
import { fill, h } from "../dom.js";
import { figureCards } from "../figures.js";
import { grouped } from "../numbers.js";
import { age, badge, failure, isAbort, show } from "../parts.js";
import { checkLink, rowText, safeText } from "../safe-text.js";
import { currentKeys } from "../session.js";
import { pause } from "../tasks.js";

/** @import { View } from "../parts.js" */
/** @import { KeyName } from "../session.js" */
/** @import { Entry } from "../changelog-stream.js" */

/** How many records a panel names. */
const named = 5;
/** The most records that are counted. */
const counted = 100;
const countedChanges = 5000;
const day = 24 * 60 * 60 * 1000;

/** The seconds for which a request waits for changes, and the pause after one that found none. */
const wait = 30;
const betweenWaits = 1000;

/**
 * @param {URLSearchParams} _params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function overviewView(_params, signal) {
  const figures = figureCards(signal);
  const element = h("div", { class: "overview" },
    panel("Undecided disputes", "operatorKey", () => disputes(signal)),
    panel("Undecided reports", "operatorKey", () => reports(signal)),
    panel("Due for review", "operatorKey", () => due(signal)),
    panel("Waits for a second operator", "operatorKey", () => acts(signal)),
    panel("Changes of the last day", "key", () => changes(signal)),
    panel("Blocks and accepted disputes", "operatorKey", figures.blocks),
    panel("Time to a decision", "operatorKey", figures.times),
    panel("Lists", "operatorKey", figures.lists),
    panel("Webhooks", "operatorKey", () => webhooks(signal)),
    panel("Feed", "key", () => feed(signal)));
  return { title: "Overview", element };
}

/**
 * @param {string} title
 * @param {KeyName} key what it needs
 * @param {() => Promise<Node | Node[]>} load
 */
function panel(title, key, load) {
  const place = h("div", { class: "stack" });
  if (currentKeys()[key] === "") {
    fill(place, h("p", { class: "muted" },
      key === "key" ? "This needs the key of your organization." : "This needs an operator key."));
  } else {
    void show(place, load);
  }
  return h("section", { class: "card stack", "aria-label": title }, h("h2", {}, title), place);
}

/** @param {AbortSignal} signal */
async function disputes(signal) {
  const { disputes: found, nextCursor } = await operatorGet("/dispute/list",
    { states: ["OPEN", "UNDER_REVIEW"], oldestFirst: true, limit: counted }, signal);
  return undecided("dispute", found.map(({ id, createdAt, content }) => ({ id, createdAt, about: rowText(content) })),
    nextCursor !== null);
}

/** @param {AbortSignal} signal */
async function reports(signal) {
  const pages = await Promise.all(/** @type {const} */ (["TODO", "IN_PROGRESS"])
    .map((status) => operatorGet("/report/list", { status, limit: counted }, signal)));
  const found = pages.flatMap((page) => page.reports).sort((a, b) => a.id - b.id);
  return undecided("report",
    found.map(({ id, createdAt, title }) => ({ id, createdAt, about: safeText(title, { clip: 80 }) })),
    pages.some(({ nextCursor }) => nextCursor !== null));
}

/**
 * @param {"dispute" | "report"} kind
 * @param {{ id: number, createdAt: string, about: Node }[]} records the oldest first
 * @param {boolean} more whether there are more
 */
function undecided(kind, records, more) {
  const [oldest] = records;
  if (!oldest) {
    return [h("p", { class: "answer" }, h("strong", {}, "0")), h("p", { class: "muted" }, `No ${kind} waits.`)];
  }
  const address = (/** @type {number} */ id) => `#/${kind}s?id=${id}`;
  return [
    h("p", { class: "answer" }, h("strong", {}, grouped(records.length), more && "+"),
      more ? " and more wait" : [" the oldest from ", age(oldest.createdAt)]),
    h("p", {}, h("a", { class: "button primary", href: address(oldest.id) }, `Decide the oldest ${kind}`)),
    rows(records.slice(0, named).map(({ id, createdAt, about }) =>
      [h("a", { href: address(id) }, `#${id}`), about, age(createdAt)])),
  ];
}

/** @param {AbortSignal} signal */
async function due(signal) {
  const { assets, nextCursor } = await operatorGet("/asset/due", { limit: counted }, signal);
  return [
    h("p", { class: "answer" }, h("strong", {}, grouped(assets.length), nextCursor !== null && "+")),
    assets.length === 0 && h("p", { class: "muted" }, "No decision is due for review."),
    rows(assets.slice(0, named).map(({ content, decision }) =>
      [badge(decision.status), rowText(content), checkLink(content), age(decision.reviewAt ?? decision.since)])),
  ].filter((part) => part instanceof Node);
}

/** @param {Node[][]} items */
function rows(items) {
  return h("ul", { class: "plain latest", hidden: items.length === 0 }, items.map((item) => h("li", {}, item)));
}

/** @param {AbortSignal} signal */
async function changes(signal) {
  const since = new Date(Date.now() - day).toISOString();
  const startDate = since.slice(0, 10);
  const reading = new AbortController();
  /** @type {Entry[]} */
  let found = [];
  let more = false;
  const stop = AbortSignal.any([signal, reading.signal]);
  const endDate = new Date().toISOString().slice(0, 10);
  try {
    await readEntries(await changelogStream({ startDate, endDate }, stop), (part) => {
      const late = part.filter(({ updatedAt }) => updatedAt >= since);
      found = [...found, ...late].slice(0, countedChanges);
      more = found.length === countedChanges;
      if (more || late.length < part.length) {
        reading.abort();
      }
    });
  } catch (error) {
    if (!isAbort(error) || signal.aborted) {
      throw error;
    }
  }
  const to = (/** @type {string} */ status) => found.filter(({ toStatus }) => toStatus === status).length;
  return [
    h("p", { class: "answer" }, h("strong", {}, grouped(found.length), more && "+")),
    h("p", { class: "line" }, ["BLOCKED", "ALLOWED", "UNKNOWN"].map((status) =>
      h("span", { class: "line" }, badge(status, `to ${status.toLowerCase()}`), grouped(to(status))))),
    rows(found.slice(0, named).map(({ content, toStatus, updatedAt }) =>
      [badge(toStatus), rowText(content), checkLink(content), age(updatedAt)])),
    h("p", {}, h("a", { href: `#/changelog?${new URLSearchParams({ startDate, endDate })}` }, "Open the changelog")),
  ];
}

/** @param {AbortSignal} signal */
async function webhooks(signal) {
  const { webhooks: all, nextCursor } = await operatorGet("/webhook/list", { limit: counted }, signal);
  const failing = all.filter(({ state, failures }) => state === "DISABLED" || state === "ACTIVE" && failures > 0);
  const paused = all.filter(({ state }) => state === "PAUSED").length;
  const total = `of ${grouped(all.length)}${nextCursor === null ? "" : "+"}`;
  return [
    h("p", { class: "answer" }, h("strong", { class: failing.length > 0 ? "bad" : "" }, grouped(failing.length)),
      ` ${total} fail${failing.length === 1 ? "s" : ""}`, paused > 0 && `, ${grouped(paused)} paused`),
    failing.length > 0 ? rows(failing.slice(0, named).map(({ id, url, state, failingSince }) => [
      h("a", { href: `#/webhooks?id=${id}` }, `#${id}`),
      h("span", {}, badge("DISABLED", state === "DISABLED" ? "disabled" : "failing"), " ", rowText(url)),
      failingSince === null ? h("span", {}) : age(failingSince),
    ]))
      : h("p", { class: "muted" }, all.length === 0 ? "No other program is told of changes." : "No webhook fails."),
  ];
}

/**
 * Follows the feed while the view is open, and says how long a change takes to arrive.
 *
 * @param {AbortSignal} signal
 */
async function feed(signal) {
  const { cursor } = await get("/asset/feed", { cursor: "end" }, signal);
  const place = h("div", { class: "stack", role: "status" }, h("p", {}, "The feed answers."),
    h("p", { class: "muted" }, "Nothing has changed since this page was opened."));
  follow(cursor, signal, place).catch((error) => isAbort(error) || fill(place, failure(error)));
  return place;
}

/**
 * @param {string} cursor
 * @param {AbortSignal} signal
 * @param {HTMLElement} place
 */
async function follow(cursor, signal, place) {
  let count = 0;
  for (let at = cursor; !signal.aborted;) {
    const page = await get("/asset/feed", { cursor: at, wait }, signal);
    const last = page.changes.at(-1);
    at = page.cursor;
    if (!last) {
      await pause(betweenWaits, signal);
      continue;
    }
    count += page.changes.length;
    const took = Math.max(0, Date.now() - Date.parse(last.updatedAt));
    fill(place,
      h("p", { class: "answer" }, h("strong", {}, grouped(count)), " new since this page was opened"),
      h("p", {}, `The last change took ${took < 1000 ? "less than a second" : `${grouped(Math.round(took / 1000))} s`}`
        + " to arrive."),
      rows([[badge(last.toStatus), rowText(last.content), checkLink(last.content), age(last.updatedAt)]]),
      basisLines(last));
  }
}
