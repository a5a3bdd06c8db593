// A front end that uses the rules. It is compiled and never run: it fails to compile if a
// function or a type that front ends rely on is missing or different.
import { loadRules } from "../js/rules.js";
import { HashList, HashListError, HashStore } from "../js/hashlist.js";
import { remoteHashList } from "../js/hashlist-remote.js";
import { remoteRules } from "../js/rules-remote.js";

const rules = await loadRules("/rules.wasm");
const remote = remoteRules(new Worker("/rules-worker.js", { type: "module" }));

export async function recognized(lines: string[]): Promise<string[]> {
  const classified = await remote.classify(lines);
  return classified.map((one) => (one.refused ? one.refused.message : `${one.type} ${one.canonical}`));
}

export function covers(content: string): string[] {
  return rules.explain(content).covers.filter((cover) => cover.kind === "DOMAIN").map((cover) => cover.canonical);
}

export function problems(content: string, email: string): readonly string[] {
  const validity = rules.validate("/dispute/create", { body: { content, email }, idempotencyKey: "k" });
  return validity.valid ? [] : [validity.message, ...validity.issues];
}

export async function refusedLines(contents: string[]): Promise<number> {
  const plan = await remote.plan({ assets: contents.map((content) => ({ content })) });
  return plan.valid ? plan.assets.filter((asset) => asset.error !== undefined).length : contents.length;
}

export const decidable = rules.transitions("OPEN").includes("ACCEPTED");
export const closed = rules.reportStatus(["APPROVE", null]) === "CLOSED";
export const chunk = rules.limits().maxAssets;

// @ts-expect-error: a content is a text
rules.classify([5]);

const lists = remoteHashList({ base: "/api/v2", maxAge: 3_600_000 }, new Worker("/hashlist-worker.js", { type: "module" }));

export async function mayShow(content: string): Promise<boolean> {
  try {
    return (await lists.check(content)).status !== "BLOCKED";
  } catch (error) {
    if (error instanceof HashListError && error.code === "REFUSED") {
      console.warn(error.refused?.reason);
    }
    return false;
  }
}

const published = { manifest: "/manifest.json", verifierKey: "lists.example.com+00000000+AQ==", maxAge: 3_600_000 };
const own = new Worker("/hashlist-worker.js", { type: "module" });
export const files = remoteHashList({ ...published, store: "files" }, own);
export const held = new HashList(rules, { ...published, manifestMaxAge: 60_000 });

// @ts-expect-error: files are not believed without a key
export const unverified = new HashList(rules, { manifest: "/manifest.json", maxAge: 1 });
// @ts-expect-error: lists are those of a server or of a folder
export const both = new HashList(rules, { ...published, base: "/api/v2" });

export async function open(): Promise<HashList> {
  const list = new HashList(await loadRules("/rules.wasm"), { base: "/api/v2", maxAge: 1, store: new HashStore() });
  return (await list.load()) || (await list.refresh()) ? list : Promise.reject(new Error("no list"));
}
