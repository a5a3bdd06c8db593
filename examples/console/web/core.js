// @ts-check
// The core rules in a worker.
import { remoteRules } from "./rules-remote.js";
import { startWorker } from "./workers.js";

export const rules = remoteRules(startWorker("rules-worker.js"));
