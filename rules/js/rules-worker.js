// @ts-check
// The worker of rules-remote.js. Start it as a module next to rules.wasm and wasm_exec.js:
//
//	new Worker("rules-worker.js", { type: "module" })
import "./wasm_exec.js";

import { loadRules } from "./rules.js";

const loading = loadRules(new URL("rules.wasm", import.meta.url));
// A failure to load reaches the page as an error of the worker, which rejects every call.
loading.catch((reason) => {
  setTimeout(() => {
    throw reason;
  });
});

addEventListener("message", async ({ data: { id, rule, args } }) => {
  const rules = /** @type {any} */ (await loading.catch(() => undefined));
  if (!rules) {
    return; // the error of the worker has rejected the call
  }
  try {
    postMessage({ id, answer: rules[rule](...args) });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
