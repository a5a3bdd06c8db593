// @ts-check
// The rules and hash lists for pages that have them in a worker.
export { HashListError } from "./hash-error.js";
export { remoteHashList } from "./hashlist-remote.js";
export { remoteRules } from "./rules-remote.js";
