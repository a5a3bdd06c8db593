// @ts-check
// The rules in a worker, for pages that classify many contents: the main thread stays free.
import { ruleNames } from "./rules.js";

/** @import { RemoteRules } from "./rules-remote.js" */

const startWorker = () => new Worker(new URL("./rules-worker.js", import.meta.url), { type: "module" });

/**
 * Returns the rules of a worker that runs rules-worker.js, by default of a new one. Calls wait until it has
 * loaded them. If the worker fails, every call is rejected.
 *
 * @param {Worker} [worker]
 * @returns {RemoteRules}
 */
export function remoteRules(worker = startWorker()) {
  return remoteCalls(worker, ruleNames, (message) => new TypeError(message));
}

/**
 * Returns functions of these names that call those of a worker. It answers each message
 * { id, call, args } with { id, answer } or { id, error }.
 *
 * @param {Worker} worker
 * @param {readonly string[]} names
 * @param {(error: any) => Error} errorOf
 * @returns {any}
 */
export function remoteCalls(worker, names, errorOf) {
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
      call?.reject(errorOf(error));
    }
  });
  worker.addEventListener("error", (event) => {
    failure = new Error(`the rules failed: ${event.message}`);
    for (const call of waiting.values()) {
      call.reject(failure);
    }
    waiting.clear();
  });

  const send = (/** @type {string} */ call) => (/** @type {unknown[]} */ ...args) =>
    new Promise((resolve, reject) => {
      if (failure) {
        reject(failure);
        return;
      }
      const id = ++last;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, call, args });
    });
  return Object.fromEntries(names.map((name) => [name, send(name)]));
}
