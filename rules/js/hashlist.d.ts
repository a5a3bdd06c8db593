// The types of hashlist.js.
import type { AssetStatus, CheckedMatch, LocalRules, Refused } from "./rules.js";

/** Lists from a server. */
export interface HashListServer {
  /** The base of the API of the server, such as "https://apguard.example.com/api/v2". */
  base: string;
  /** A key with the scope "check". A server with public hashes needs none. */
  key?: string;
  /** Further headers of each request, such as one that says who has signed in. */
  headers?: Record<string, string>;
  manifest?: never;
}

/** Lists from a published folder. They need Ed25519 in WebCrypto. */
export interface HashListFolder {
  /** The URL of the manifest, such as "https://lists.example.com/manifest.json". Files are beside it. */
  manifest: string;
  /**
   * The verifier key of the publisher, in the form NAME+HASH+KEY. It is public. There can be several, separated by
   * white space: a manifest is accepted that one of them has signed.
   */
  verifierKey: string;
  /** The age from which on a manifest is refused, in milliseconds. It is an hour unless it is set. */
  manifestMaxAge?: number;
  base?: never;
}

export interface HashListSettings {
  /** The age from which on lists give no verdict, in milliseconds. */
  maxAge: number;
  /** Where lists are kept, such as a HashStore. Without it, they are gone with the page. */
  store?: HashListStore;
}

export type HashListOptions = (HashListServer | HashListFolder) & HashListSettings;

/** The verdict for a content, as a server without external lists gives it. */
export interface Verdict {
  content: string;
  type: string;
  canonical: string;
  status: AssetStatus;
  source: "ASSET" | "NONE";
  /** The asset that decided. */
  match: CheckedMatch | null;
}

export interface HashListState {
  version: string;
  /** When the lists were what the server, or the store of the publisher, had. */
  asOf: Date;
  /** The numbers of hashes. */
  blocked: number;
  allowed: number;
  /** How long the server asks clients to wait until the next request, in milliseconds. */
  minimumWait: number;
}

export interface RefreshOptions {
  /** Ends the requests. The error is then NETWORK. */
  signal?: AbortSignal;
}

/**
 * Hash lists of BLOCKED and ALLOWED assets. Checks do not wait for refreshes. After an error of another
 * method, the lists are what they were, except that STORAGE of refresh says that new ones were not stored.
 */
export class HashList {
  constructor(rules: LocalRules, options: HashListOptions);
  /**
   * Returns the verdict for a content. An error is not a verdict: treat it as "do not show". The code is
   * REFUSED, NO_LIST or OUTDATED.
   */
  check(content: string): Verdict;
  /** Describes the lists. There is none before the first refresh or load. */
  state(): HashListState | undefined;
  /**
   * Requests what has changed, and stores the lists. It requests whole lists if the response is damaged or does
   * not fit. Resolves to false if the minimum wait is not over, so that nothing was requested.
   */
  refresh(options?: RefreshOptions): Promise<boolean>;
  /**
   * Applies a response that was requested in another way, and stores the lists. The time is one at which the
   * server had the lists: that before the request, less the Age of the response. The code of the error is
   * DAMAGED, REPLAYED, DOWNGRADED or STORAGE. After the first two, request whole lists. Apply none whose header
   * Rules-Version is not that of the limits of the rules.
   */
  update(data: Uint8Array, asOf: Date): Promise<void>;
  /**
   * Loads the lists of the store. Their age continues. Resolves to false if there are none. The code of the
   * error is DAMAGED if they are damaged, and they are then removed, DOWNGRADED, OTHER_RULES or STORAGE.
   */
  load(): Promise<boolean>;
  /**
   * Forgets the lists, also those of the store, and the last manifest, such as after DOWNGRADED, OLDER or
   * OTHER_STORE.
   */
  clear(): Promise<void>;
}

/**
 * Both lists at one version. Each is a sorted set of hashes of 8 bytes. Times are in milliseconds. Buffers are
 * never changed.
 */
export interface HeldLists {
  /** The version of the rules by which the hashes were made. */
  rules: number;
  version: string;
  asOf: number;
  minimumWait: number;
  blocked: ArrayBuffer;
  allowed: ArrayBuffer;
}

/** A place for lists. It returns exactly what was saved last, or the error is DAMAGED. */
export interface HashListStore {
  load(): Promise<HeldLists | undefined>;
  save(lists: HeldLists): Promise<void>;
  clear(): Promise<void>;
}

/** Keeps lists in IndexedDB. Lists of several servers need several names. */
export class HashStore implements HashListStore {
  constructor(name?: string);
  load(): Promise<HeldLists | undefined>;
  save(lists: HeldLists): Promise<void>;
  clear(): Promise<void>;
}

/**
 * What happened:
 *
 * - REFUSED: the content is refused; see refused.
 * - NO_LIST, OUTDATED: there is no list, or it is too old, or the clock was set back.
 * - DAMAGED, REPLAYED, DOWNGRADED: the response or what was stored is no list, a difference to another list, or
 *   older than what is held.
 * - SIGNATURE, MALFORMED: the manifest is not signed with the verifier key, or what is signed is no manifest.
 * - OLDER: the manifest is older than the last one. What is held stays.
 * - OTHER_STORE: the manifest is of another store than the last one. What is held stays.
 * - TOO_OLD, FUTURE: the manifest is older than manifestMaxAge, or the clock is slow.
 * - UNSUPPORTED: this runtime has no WebCrypto, or no Ed25519 in it.
 * - UNAUTHENTICATED, FORBIDDEN, NO_HASHES: the key is invalid, it lacks the scope, or the server or the folder has
 *   no hash lists.
 * - BUSY: the server asks to try again; see retryAfter.
 * - SERVER, NETWORK: another response, or none.
 * - OTHER_RULES: the server, or what was stored, has another version of the rules, and so other hashes.
 * - STORAGE: IndexedDB has failed.
 */
export type HashListCode =
  | "REFUSED" | "NO_LIST" | "OUTDATED" | "DAMAGED" | "REPLAYED" | "DOWNGRADED" | "OTHER_RULES"
  | "SIGNATURE" | "MALFORMED" | "OLDER" | "OTHER_STORE" | "TOO_OLD" | "FUTURE" | "UNSUPPORTED"
  | "UNAUTHENTICATED" | "FORBIDDEN" | "NO_HASHES" | "BUSY" | "SERVER" | "NETWORK" | "STORAGE";

export interface HashListDetails {
  /** The status of the response. */
  status?: number;
  /** After how many seconds the server can be asked again. */
  retryAfter?: number;
  /** Why the content is refused. */
  refused?: Refused;
  cause?: unknown;
}

export class HashListError extends Error implements HashListDetails {
  constructor(code: HashListCode, message: string, details?: HashListDetails);
  readonly code: HashListCode;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly refused?: Refused;
}
