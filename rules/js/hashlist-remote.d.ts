// The types of hashlist-remote.js.
import type { HashListFolder, HashListServer, HashListSettings, HashListState, Verdict } from "./hashlist.js";

/** What a worker needs to make a HashList. */
export type RemoteHashListOptions = (HashListServer | HashListFolder) & Omit<HashListSettings, "store"> & {
  /** The name of a HashStore. Without it, the lists are gone with the worker. */
  store?: string;
};

/** A HashList in a worker. Its methods are those of HashList, as promises. */
export interface RemoteHashList {
  check(content: string): Promise<Verdict>;
  state(): Promise<HashListState | undefined>;
  refresh(): Promise<boolean>;
  load(): Promise<boolean>;
  clear(): Promise<void>;
}

/** Returns the HashList of a worker that runs hashlist-worker.js, by default of a new one. A worker has one. */
export function remoteHashList(options: RemoteHashListOptions, worker?: Worker): RemoteHashList;
