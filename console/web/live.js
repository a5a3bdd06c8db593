// @ts-check
// Follows what waits for operators while somebody sees the page: one request of the tab waits for news.
import { ApiError, operatorGet } from "./api.js";
import { isAbort } from "./parts.js";
import { currentKeys, onSessionChange, refusedKeys } from "./session.js";
import { pause } from "./tasks.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Queues"]} Queues */

/** After this time without a hand on the page, nothing is asked for: a session must end some time. In milliseconds. */
const unattendedAfter = 60 * 60_000;
/** How long a request waits for news, in seconds. */
const wait = 25;
/** What is between requests that had no news, or failed, which doubles with each other failure. In milliseconds. */
const quiet = 1000;
const longest = 60_000;

/** What is known, or undefined while nobody is signed in. @type {Queues | undefined} */
let known;
/** The time of the first of the requests that have not reached the server, if they were two at least. */
let away = "";
const events = new EventTarget();
/** Ends the request that waits. */
let leaving = new AbortController();
/** The key that is followed with, or nothing. */
let following = "";

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
  look();
}

/** @param {AbortSignal} signal */
async function follow(signal) {
  let failedAt = "";
  for (let failures = 0; !signal.aborted;) {
    try {
      const missed = failures > 0 || away !== ""; // then the answer itself is news
      const query = { version: known?.version ?? "", wait: missed ? 0 : wait };
      const found = await operatorGet("/queues", query, signal);
      if (missed) {
        connect("");
      }
      failures = 0;
      if (found.version === known?.version) {
        events.dispatchEvent(new Event("quiet"));
        await pause(quiet, signal);
      } else {
        know(found);
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

/** @param {Queues | undefined} found */
function know(found) {
  const before = known;
  known = found;
  for (const name of /** @type {const} */ (["disputes", "reports"])) {
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
