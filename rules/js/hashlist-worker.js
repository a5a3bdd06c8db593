// @ts-check
// The worker of hashlist-remote.js. It needs rules.wasm and wasm_exec.js beside it.
import "./wasm_exec.js";

import { HashList, HashListError, HashStore } from "./hashlist.js";
import { loadRules } from "./rules.js";

/** @import { RemoteHashListOptions } from "./hashlist-remote.js" */

const rules = loadRules();
// A failure to load reaches the page as an error of the worker, which rejects every call.
rules.catch((reason) => {
  setTimeout(() => {
    throw reason;
  });
});

/** @type {any} */
let list;

/** @param {RemoteHashListOptions} options */
async function open({ store, ...options }) {
  return new HashList(await rules, store === undefined ? options : { ...options, store: new HashStore(store) });
}

addEventListener("message", async ({ data: { options, id, call, args } }) => {
  if (options) {
    list = open(options);
    return;
  }
  try {
    const held = await list.catch(() => undefined);
    if (held) { // otherwise, the error of the worker has rejected the call
      postMessage({ id, answer: await held[call](...args) });
    }
  } catch (error) {
    postMessage({ id, error: plain(error) });
  }
});

/**
 * Returns the parts of an error that a message can have.
 *
 * @param {unknown} error
 */
function plain(error) {
  if (!(error instanceof HashListError)) {
    return { message: String(error) };
  }
  const { code, message, status, retryAfter, refused } = /** @type {any} */ (error);
  return { code, message, status, retryAfter, refused };
}
