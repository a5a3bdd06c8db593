// @ts-check
// Follows what waits for operators, and who else has the open record open, while somebody sees the page: one request
// of the tab waits for news.
import { ApiError, operatorGet } from "./api.js";
import { isAbort } from "./parts.js";
import { currentKeys, onSessionChange, refusedKeys } from "./session.js";
import { pause } from "./tasks.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Queues"]} Queues */

/** After this time without a hand on the page, nothing is asked for: a session must end some time. In milliseconds. */
const unattendedAfter = 60 * 60_000;
/** How long a request waits for news, in seconds. */
const wait = 10;
/**
 * What is between requests that had no news of the queues, or failed, which doubles with each other failure. In
 * milliseconds.
 */
const quiet = 1000;
const longest = 60_000;
const queues = /** @type {const} */ (["disputes", "reports"]);
/** A record that is left earlier is not asked about. In milliseconds. */
const glance = 300;

/** What is known, or undefined while nobody is signed in. @type {Queues | undefined} */
let known;
/** The time of the first of the requests that have not reached the server, if they were two at least. */
let away = "";
const events = new EventTarget();
/** Ends the request that waits. */
let leaving = new AbortController();
/** The key that is followed with, or nothing. */
let following = "";

/** The record that is open, such as "dispute/12", or nothing. */
let record = "";
/** The record that known has the viewers of. */
let viewed = "";

/** When somebody has used the page. */
let usedAt = Date.now();

/** Returns whether somebody sees the page, and has used it a while ago at most. */
export function isAttended() {
  return !document.hidden && Date.now() - usedAt < unattendedAfter;
}

/** Follows the queues from now on, with the operator's key that the page has, if there is one. */
export function followQueues() {
  const look = () => {
    if (away !== "" && (currentKeys().operatorKey === "" || refusedKeys().has("operatorKey"))) {
      connect(""); // a server that refuses a key is there, and without one it is not asked
    }
    const key = isAttended() && !refusedKeys().has("operatorKey") ? currentKeys().operatorKey : "";
    if (key === following) {
      return;
    }
    following = key;
    leaving.abort();
    leaving = new AbortController();
    if (currentKeys().operatorKey === "") {
      know(undefined);
    }
    if (key !== "") {
      void follow(leaving.signal);
    }
  };
  for (const use of ["visibilitychange", "keydown", "pointermove", "pointerdown"]) {
    document.addEventListener(use, () => {
      usedAt = Date.now();
      look();
    }, { capture: true, passive: true });
  }
  onSessionChange(look);
  let timer = 0;
  events.addEventListener("record", () => {
    clearTimeout(timer);
    timer = Number(setTimeout(() => {
      following = "";
      look();
    }, glance));
  });
  look();
}

/** @param {AbortSignal} signal */
async function follow(signal) {
  let failedAt = "";
  for (let failures = 0; !signal.aborted;) {
    try {
      const missed = failures > 0 || away !== ""; // then the answer itself is news
      const open = record;
      const query = { version: known?.version ?? "", wait: missed ? 0 : wait, open };
      const found = await operatorGet("/queues", query, signal);
      if (missed) {
        connect("");
      }
      failures = 0;
      const before = known;
      know(found, open);
      if (found.version === before?.version) {
        events.dispatchEvent(new Event("quiet"));
      }
      if (!queues.some((name) => found[name].version !== before?.[name].version)) {
        await pause(quiet, signal); // two servers that know other viewers do not keep the page busy
      }
    } catch (error) {
      if (isAbort(error)) {
        return;
      }
      if (error instanceof ApiError && error.aboutKey) {
        connect("");
        return;
      }
      failedAt = failures === 0 ? new Date().toISOString() : failedAt;
      if (failures > 0 && away === "" && error instanceof ApiError && error.away) {
        connect(failedAt);
      }
      await pause(Math.min(quiet * 2 ** failures++, longest), signal).catch(() => {});
    }
    if (!isAttended()) {
      following = "";
      return;
    }
  }
}

/** @param {string} since when the server was not reached first, or nothing if it is reached */
function connect(since) {
  away = since;
  events.dispatchEvent(new Event("connection"));
}

/** Returns since when the server is not reached, or nothing while it is. */
export function awaySince() {
  return away;
}

/**
 * Calls a function after the server was not reached twice, and after it is reached again.
 *
 * @param {() => void} listener
 * @param {AbortSignal} [signal]
 */
export function onConnection(listener, signal) {
  events.addEventListener("connection", listener, signal ? { signal } : {});
}

/**
 * @param {Queues | undefined} found
 * @param {string} [open] the record that was asked about
 */
function know(found, open = "") {
  const before = known;
  known = found;
  viewed = open;
  events.dispatchEvent(new Event("viewers"));
  for (const name of queues) {
    if (before?.[name].version !== found?.[name].version) {
      events.dispatchEvent(new CustomEvent(name, { detail: { first: before === undefined } }));
    }
  }
}

/** Returns what is known of the queues, if anything is. */
export function queuesNow() {
  return known;
}

/**
 * Tells others which record is open here.
 *
 * @param {"dispute" | "report"} kind
 * @param {string} id that of the address, which may be any text, or nothing if no record is open
 */
export function haveOpen(kind, id) {
  const open = /^[1-9]\d{0,14}$/.test(id) ? `${kind}/${id}` : "";
  if (open !== record) {
    record = open;
    events.dispatchEvent(new Event("viewers"));
    events.dispatchEvent(new Event("record"));
  }
}

/** Returns who else has the open record open. */
export function viewersNow() {
  return known && viewed === record ? known.viewers : [];
}

/**
 * Calls a function when viewersNow may return others.
 *
 * @param {() => void} listener
 * @param {AbortSignal} signal
 */
export function onViewers(listener, signal) {
  events.addEventListener("viewers", listener, { signal });
}

/**
 * Calls a function after disputes or reports have changed, and when it is known for the first time what waits.
 *
 * @param {"disputes" | "reports"} name
 * @param {(change: { first: boolean }) => void} listener
 * @param {AbortSignal} [signal]
 */
export function onQueueChange(name, listener, signal) {
  events.addEventListener(name, (event) => event instanceof CustomEvent && listener(event.detail),
    signal ? { signal } : {});
}

/**
 * Calls a function when nothing was new for a while. Some changes of a record are no news: a note on a dispute that
 * is open, or a review after which a report has the same status.
 *
 * @param {() => void} listener
 * @param {AbortSignal} signal
 */
export function onQuiet(listener, signal) {
  events.addEventListener("quiet", listener, { signal });
}
