// The types of rules-remote.js.
import type { Rules } from "./rules.js";

/** The rules as promises. */
export type RemoteRules = {
  [R in keyof Rules]: (...args: Parameters<Rules[R]>) => Promise<ReturnType<Rules[R]>>;
};

/** Returns the rules of a worker that runs rules-worker.js. */
export function remoteRules(worker: Worker): RemoteRules;
