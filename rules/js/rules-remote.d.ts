// The types of rules-remote.js.
import type { Rules } from "./rules.js";

/** The rules as promises. */
export type RemoteRules = {
  [R in keyof Rules]: (...args: Parameters<Rules[R]>) => Promise<ReturnType<Rules[R]>>;
};

/** Returns the rules of a worker that runs rules-worker.js, by default of a new one. */
export function remoteRules(worker?: Worker): RemoteRules;

/**
 * Returns functions of these names that call those of a worker. It answers each message { id, call, args } with
 * { id, answer } or { id, error }.
 */
export function remoteCalls(worker: Worker, names: readonly string[], errorOf: (error: any) => Error): any;
