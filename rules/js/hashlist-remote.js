// @ts-check
// A hash list in a worker: the main thread stays free while lists are decoded.
import { HashListError } from "./hash-error.js";
import { remoteCalls } from "./rules-remote.js";

/** @import { RemoteHashList, RemoteHashListOptions } from "./hashlist-remote.js" */

const startWorker = () => new Worker(new URL("./hashlist-worker.js", import.meta.url), { type: "module" });

/**
 * Returns the hash list of a worker that runs hashlist-worker.js, by default of a new one. Calls wait until it
 * has loaded the rules. If the worker fails, every call is rejected.
 *
 * @param {RemoteHashListOptions} options
 * @param {Worker} [worker]
 * @returns {RemoteHashList}
 */
export function remoteHashList(options, worker = startWorker()) {
  const names = ["check", "state", "refresh", "load", "clear"];
  worker.postMessage({ options });
  return remoteCalls(worker, names, ({ code, message, ...details }) => (
    code ? new HashListError(code, message, details) : new TypeError(message)));
}
