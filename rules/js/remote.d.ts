// The types of remote.js.
export * from "./hashlist-remote.js";
export { HashListError } from "./hashlist.js";
export type {
  HashListCode, HashListDetails, HashListOptions, HashListState, Verdict,
} from "./hashlist.js";
export type * from "./rules.js";
export { remoteRules } from "./rules-remote.js";
export type { RemoteRules } from "./rules-remote.js";
