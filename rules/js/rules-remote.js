// @ts-check
// The rules in a worker, for pages that classify many contents: the main thread stays free.
import { ruleNames } from "./rules.js";

/** @import { RemoteRules } from "./rules-remote.js" */

/**
 * Returns the rules of a worker that runs rules-worker.js. Calls wait until it has loaded them.
 * If the worker fails, every call is rejected.
 *
 * @param {Worker} worker
 * @returns {RemoteRules}
 */
export function remoteRules(worker) {
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (reason: Error) => void }>} */
  const waiting = new Map();
  /** @type {Error | undefined} */
  let failure;
  let last = 0;

  worker.addEventListener("message", ({ data: { id, answer, error } }) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) {
      call?.resolve(answer);
    } else {
      call?.reject(new TypeError(error));
    }
  });
  worker.addEventListener("error", (event) => {
    failure = new Error(`the rules failed: ${event.message}`);
    for (const call of waiting.values()) {
      call.reject(failure);
    }
    waiting.clear();
  });

  const send = (/** @type {string} */ rule) => (/** @type {unknown[]} */ ...args) =>
    new Promise((resolve, reject) => {
      if (failure) {
        reject(failure);
        return;
      }
      const id = ++last;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, rule, args });
    });
  return /** @type {any} */ (Object.fromEntries(ruleNames.map((rule) => [rule, send(rule)])));
}
