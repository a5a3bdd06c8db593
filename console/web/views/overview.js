// @ts-check
// What waits for a decision, what has happened, and what does not work.
import { acts, actsKnown } from "../acts.js";
import { changelogStream, get, operatorGet } from "../api.js";
import { readEntries } from "../changelog-stream.js";
import { fill, h } from "../dom.js";
import { figureCards } from "../figures.js";
import { onQueueChange } from "../live.js";
import { grouped } from "../numbers.js";
import { age, badge, empty, failing, failure, isAbort, show, total } from "../parts.js";
import { onActs } from "../pending-acts.js";
import { basisLines } from "../reasons.js";
import { assetLink } from "../references.js";
import { rowText, safeText } from "../safe-text.js";
import { actingKey, currentKeys } from "../session.js";
import { pause } from "../tasks.js";
import { undoList } from "../undo-list.js";

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
  const { key, operatorKey } = currentKeys();
  if (key === "" && operatorKey === "") {
    return { title: "Overview", element: empty("What waits for you is here once you have signed in",
      "Check already says what a content is. It needs no server for that.",
      h("p", {}, h("a", { class: "button", href: "#/check" }, "Check a content"))) };
  }
  const figures = figureCards(signal);
  const recent = h("div", { class: "stack" });
  const said = h("div", { role: "status" });
  const again = () => {
    if (currentKeys()[actingKey("key", "/asset/")] !== "") {
      void show(recent, () => changes(signal), { keep: true });
    }
  };
  onActs(again, signal);
  const say = (/** @type {string} */ text) => fill(said, h("p", { class: "notice info" }, text));
  const element = h("div", { class: "stack" },
    operatorKey !== "" && undoList({
      kind: "asset", signal,
      undone: (text) => {
        say(text);
        again();
      },
    }),
    said,
    h("div", { class: "stack" },
      h("div", { class: "cards" },
        followed("disputes", signal, "Undecided disputes", () => disputes(signal)),
        followed("reports", signal, "Undecided reports", () => reports(signal)),
        waitingPanel(signal, say),
        panel("Due for review", "operatorKey", () => due(signal))),
      h("div", { class: "cards" },
        panel("Changes of the last day", "key", () => changes(signal), recent),
        panel("Blocks and accepted disputes", "operatorKey", figures.blocks),
        panel("Time to a decision", "operatorKey", figures.times)),
      h("div", { class: "cards" },
        panel("Lists", "operatorKey", figures.lists),
        panel("Webhooks", "operatorKey", () => webhooks(signal)),
        panel("Feed", "key", () => feed(signal)))));
  return { title: "Overview", element };
}

/**
 * Returns a panel of operators that is loaded again after what waits has changed.
 *
 * @param {"disputes" | "reports"} name
 * @param {AbortSignal} signal
 * @param {string} title
 * @param {() => Promise<Node | Node[]>} load
 */
function followed(name, signal, title, load) {
  const place = h("div", { class: "stack" });
  onQueueChange(name, ({ first }) => first || void show(place, load, { keep: true }), signal);
  return panel(title, "operatorKey", load, place);
}

/**
 * Returns the panel of what waits for a second operator. It stays as it is while somebody answers.
 *
 * @param {AbortSignal} signal
 * @param {(text: string) => void} say
 */
function waitingPanel(signal, say) {
  const place = h("div", { class: "stack" });
  const again = (/** @type {string} */ text) => {
    say(text);
    fill(place, actsKnown(signal, again));
  };
  onActs(() => place.querySelector("form") ?? fill(place, actsKnown(signal, again)), signal);
  return panel("Waits for a second operator", "operatorKey", () => acts(signal, again), place);
}

/**
 * @param {string} title
 * @param {KeyName} key what it needs
 * @param {() => Promise<Node | Node[]>} load
 * @param {HTMLElement} [place]
 */
function panel(title, key, load, place = h("div", { class: "stack" })) {
  if (currentKeys()[actingKey(key, "/asset/")] === "") { // what needs no operator is about assets
    fill(place, h("p", { class: "muted" },
      key === "key" ? "This needs the key of your organization." : "This needs an operator key."));
  } else {
    void show(place, load);
  }
  return h("section", { class: "card stack", "aria-label": title }, h("h2", {}, title), place);
}

/** @param {AbortSignal} signal */
async function disputes(signal) {
  const [{ open, underReview }, { disputes: oldest }] = await Promise.all([
    operatorGet("/dispute/backlog", undefined, signal),
    operatorGet("/dispute/list", { states: ["OPEN", "UNDER_REVIEW"], oldestFirst: true, limit: named }, signal),
  ]);
  return undecided("dispute", open + underReview, oldest.map(({ id, createdAt, content }) =>
    ({ id, createdAt, about: rowText(content), address: `#/disputes?id=${id}` })));
}

/** @param {AbortSignal} signal */
async function reports(signal) {
  const [{ todo, inProgress }, ...pages] = await Promise.all([
    operatorGet("/report/backlog", undefined, signal),
    ...(/** @type {const} */ (["TODO", "IN_PROGRESS"]).map((status) =>
      operatorGet("/report/list", { status, oldestFirst: true, limit: named }, signal))),
  ]);
  const oldest = pages.flatMap((page) => page.reports).sort((a, b) => a.id - b.id);
  return undecided("report", todo + inProgress, oldest.map(({ id, createdAt, title, status }) => ({
    id, createdAt, about: safeText(title, { clip: 80 }),
    address: `#/reports?${status === "TODO" ? "" : `status=${status}&`}id=${id}`,
  })));
}

/**
 * @param {"dispute" | "report"} kind
 * @param {number} count
 * @param {{ id: number, createdAt: string, about: Node, address: string }[]} records the oldest ones, and those first
 */
function undecided(kind, count, records) {
  const [oldest] = records;
  if (!oldest) {
    return h("p", { class: "muted" }, `No ${kind} waits.`);
  }
  return [
    total(count, " the oldest from ", age(oldest.createdAt)),
    h("p", {}, h("a", { class: "button primary", href: oldest.address }, `Decide the oldest ${kind}`)),
    rows(records.slice(0, named).map(({ id, createdAt, about, address }) =>
      [h("a", { href: address }, `#${id}`), about, age(createdAt)])),
  ];
}

/** @param {AbortSignal} signal */
async function due(signal) {
  const { assets, nextCursor } = await operatorGet("/asset/due", { limit: counted }, signal);
  return assets.length === 0 ? h("p", { class: "muted" }, "No decision is due for review.") : [
    total(assets.length, nextCursor !== null && "+"),
    rows(assets.slice(0, named).map(({ content, decision }) =>
      [badge(decision.status), rowText(content), assetLink(content), age(decision.reviewAt ?? decision.since)])),
  ];
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
    await changelogStream({ startDate, endDate }, stop, (stream) => readEntries(stream, (part) => {
      const late = part.filter(({ updatedAt }) => updatedAt >= since);
      found = [...found, ...late].slice(0, countedChanges);
      more = found.length === countedChanges;
      if (more || late.length < part.length) {
        reading.abort();
      }
    }));
  } catch (error) {
    if (!isAbort(error) || signal.aborted) {
      throw error;
    }
  }
  const to = (/** @type {string} */ status) => found.filter(({ toStatus }) => toStatus === status).length;
  const all = h("p", {},
    h("a", { href: `#/changelog?${new URLSearchParams({ startDate, endDate })}` }, "Open the changelog"));
  return found.length === 0 ? [h("p", { class: "muted" }, "Nothing has changed."), all] : [
    total(found.length, more && "+"),
    h("p", { class: "line" }, ["BLOCKED", "ALLOWED", "UNKNOWN"].map((status) =>
      h("span", { class: "line" }, badge(status, `to ${status.toLowerCase()}`), grouped(to(status))))),
    rows(found.slice(0, named).map(({ content, toStatus, updatedAt }) =>
      [badge(toStatus), rowText(content), assetLink(content), age(updatedAt)])),
    all,
  ];
}

/** @param {AbortSignal} signal */
async function webhooks(signal) {
  const { webhooks: all, nextCursor } = await operatorGet("/webhook/list", { limit: counted }, signal);
  const found = all.filter(({ state, failures }) => state === "DISABLED" || state === "ACTIVE" && failures > 0);
  const paused = all.filter(({ state }) => state === "PAUSED").length;
  const of = `of ${grouped(all.length)}${nextCursor === null ? "" : "+"}`;
  return all.length === 0 ? h("p", { class: "muted" }, "No other program is told of changes.") : [
    failing(found.length, ` ${of} fail${found.length === 1 ? "s" : ""}`, paused > 0 && `, ${grouped(paused)} paused`),
    rows(found.slice(0, named).map(({ id, url, state, failingSince }) => [
      h("a", { href: `#/webhooks?id=${id}` }, `#${id}`),
      h("span", {}, badge("DISABLED", state === "DISABLED" ? "disabled" : "failing"), " ", rowText(url)),
      failingSince === null ? h("span", {}) : age(failingSince),
    ])),
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
      h("p", { class: "total" }, h("strong", {}, grouped(count)), " new since this page was opened"),
      h("p", {}, `The last change took ${took < 1000 ? "less than a second" : `${grouped(Math.round(took / 1000))} s`}`
        + " to arrive."),
      rows([[badge(last.toStatus), rowText(last.content), assetLink(last.content), age(last.updatedAt)]]),
      basisLines(last));
  }
}
