// @ts-check
// The workers of the page, of which one has the core rules. Only the addresses of their files may become workers.
import { remoteRules } from "./rules-remote.js";

const files = ["rules-worker.js", "lines-worker.js", "hashlist-worker.js"];

/** @type {any} */
const types = Reflect.get(globalThis, "trustedTypes");
const policy = types?.createPolicy("apguard-worker", {
  createScriptURL: (/** @type {string} */ address) => {
    if (!files.includes(address)) {
      throw new TypeError("no such worker");
    }
    return address;
  },
});

/**
 * @param {string} file
 * @returns {Worker}
 */
export function startWorker(file) {
  return new Worker(policy ? policy.createScriptURL(file) : file, { type: "module" });
}

export const rules = remoteRules(startWorker("rules-worker.js"));
