// @ts-check
// The worker of rules-remote.js. It needs rules.wasm and wasm_exec.js beside it.
import "./wasm_exec.js";

import { loadRules } from "./rules.js";

const loading = loadRules();
// A failure to load reaches the page as an error of the worker, which rejects every call.
loading.catch((reason) => {
  setTimeout(() => {
    throw reason;
  });
});

addEventListener("message", async ({ data: { id, call, args } }) => {
  const rules = /** @type {any} */ (await loading.catch(() => undefined));
  if (!rules) {
    return; // the error of the worker has rejected the call
  }
  try {
    postMessage({ id, answer: rules[call](...args) });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
