// @ts-check
// Which contents of a list nobody blocks without a confirmation. A dry run says so of all at once.
import { deferred, tryStatuses } from "./api.js";

/** What is asked at once. */
const mostItems = 1000;

/** More contents are not remembered. */
const mostKnown = 5000;

/** @type {Map<string, Promise<boolean>>} */
const known = new Map();

/** Those that are asked next. @type {Map<string, (isProtected: boolean) => void>} */
let next = new Map();

/**
 * Returns whether a content is protected. Nothing else waits for that.
 *
 * @param {string} content
 */
export function isProtected(content) {
  let answer = known.get(content);
  if (answer === undefined) {
    if (known.size >= mostKnown) {
      known.clear();
    }
    answer = new Promise((resolve) => {
      if (next.size === 0) {
        queueMicrotask(askNext);
      }
      next.set(content, resolve);
    });
    known.set(content, answer);
  }
  return answer;
}

function askNext() {
  const all = [...next];
  next = new Map();
  for (let from = 0; from < all.length; from += mostItems) {
    void askAbout(all.slice(from, from + mostItems));
  }
}

/** @param {[content: string, resolve: (isProtected: boolean) => void][]} some */
async function askAbout(some) {
  try {
    const { results } = await tryStatuses(some.map(([content]) => ({ content, status: "BLOCKED" })), deferred());
    // Of contents that are recognized, it refuses those that are protected.
    some.forEach(([, resolve], index) => resolve("error" in (results[index] ?? {})));
  } catch {
    for (const [content, resolve] of some) { // the form of the decision says it, too
      known.delete(content);
      resolve(false);
    }
  }
}
