// The types of local.js.
export * from "./hashlist.js";
export * from "./rules.js";
