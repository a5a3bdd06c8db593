// A page that has the rules in its own thread and in workers. The test calls them.
import { loadRules, type LocalRules } from "@apguard/rules";
import { HashListError, remoteHashList, remoteRules } from "@apguard/rules/remote";
import type { RemoteHashList, RemoteRules, Verdict } from "@apguard/rules/remote";

interface Parts {
  here: Promise<LocalRules>;
  worker: RemoteRules;
  ownWorker: RemoteRules;
  list: RemoteHashList;
  /** Returns the verdict for a content, or the code of the error. */
  verdict(content: string): Promise<string>;
}

declare global {
  var parts: Parts;
}

const base = new URLSearchParams(location.search).get("api") ?? "";
const list = remoteHashList({ base, maxAge: 3_600_000, store: "page" });

const said = ({ status, match }: Verdict): string => (match ? `${status} by ${match.content}` : status);

async function verdict(content: string): Promise<string> {
  try {
    return said(await list.check(content));
  } catch (error) {
    if (error instanceof HashListError) {
      return error.code;
    }
    throw error;
  }
}

globalThis.parts = {
  here: loadRules(),
  worker: remoteRules(),
  ownWorker: remoteRules(new Worker(new URL("./own-worker.ts", import.meta.url), { type: "module" })),
  list,
  verdict,
};

// @ts-expect-error: a content is a text
export const wrong = async () => (await parts.here).classify([5]);
