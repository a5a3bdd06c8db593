// @ts-check
// The rules and hash lists for the thread that imports this file. It needs rules.wasm and wasm_exec.js beside it.
import "./wasm_exec.js";

export { HashList, HashListError, HashStore } from "./hashlist.js";
export { loadRules, ruleNames } from "./rules.js";
