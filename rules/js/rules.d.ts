// The types of rules.js.

/** The asset that a content names, or why the content is refused. */
export type Classified =
  | { type: string; canonical: string; network?: string; refused?: undefined }
  | { type?: undefined; canonical?: undefined; network?: undefined; refused: Refused };

export interface Refused {
  reason: string;
  message: string;
  /** The first forbidden character in U+ notation, and the index of its first byte. */
  character?: string;
  offset?: number;
}

/** A classification with the steps that led to it. */
export type Explained = Classified & {
  rule?: string;
  rewrites: string[];
  tried: { rule: string; reason?: string }[];
  /** The link that a browser opens for a content that is refused. A check answers for it. */
  opens?: string;
  /**
   * The canonical form of the asset that a content means which is refused because it is disarmed for
   * display, such as "https://evil.com" for "hxxps://evil[.]com". A check refuses the content all the same.
   */
  refanged?: string;
  /**
   * The assets whose status counts for the content or the link that it opens, the most specific
   * first. It is empty if a check refuses the content.
   */
  covers: Cover[];
  /**
   * The domain in ASCII that the host of the content or the link that it opens looks like, such as
   * "apple.com" for a name in Cyrillic letters. It decides nothing.
   */
  looksLike?: string;
};

/** An asset whose status counts for a content. Those with the same step are forms of one text. */
export type Cover = {
  type: string;
  canonical: string;
  kind: CoverKind;
  step: number;
  /**
   * Without an effect, the asset decides. BLOCKS: only if it is BLOCKED. WITHHOLDS: never; if it is
   * BLOCKED, ALLOWED assets of its step do not decide.
   */
  effect?: "BLOCKS" | "WITHHOLDS";
};

export type CoverKind = "EXACT" | "URL" | "PAGE" | "DOMAIN" | "ACCOUNT";
export type AssetStatus = "UNKNOWN" | "ALLOWED" | "BLOCKED";
export type DisputeState = "OPEN" | "UNDER_REVIEW" | "ACCEPTED" | "REJECTED" | "WITHDRAWN";
export type ReportStatus = "TODO" | "IN_PROGRESS" | "CLOSED";
export type ReviewStatus = "APPROVE" | "REJECT" | "SKIP" | "ESCALATE";

/**
 * The path of an operation, relative to the base of its API, such as "/dispute/create". Operations on
 * webhooks are unknown: whether a URL is valid depends on the server.
 */
export type Operation = `/${string}` | "GET /organization/assets";

/** What a request consists of. A body that is no string is encoded as JSON. */
export interface RequestParts {
  body?: unknown;
  query?: string;
  idempotencyKey?: string;
  /** The e-mail address of the user of the key. A dispute without an address needs it. */
  accountEmail?: string;
}

/** Whether the server accepts a request as valid, or what its response with the status 400 says. */
export type Validity = { valid: true; issues: [] } | { valid: false; message: string; issues: string[] };

/** What a batch add says before any store is asked. */
export type Plan = Validity & { assets: PlannedAsset[] };

export interface PlannedAsset {
  type?: string;
  canonical?: string;
  /** The message of the server's result. */
  error?: string;
  /** The domain in ASCII that the host of the asset looks like. */
  looksLike?: string;
}

/** The limits of requests. Lengths are in bytes of UTF-8. */
export interface Limits {
  /** The version of the rules. Data of other rules, such as hash lists, does not fit. */
  rulesVersion: number;
  maxAssets: number;
  maxContents: number;
  maxContent: number;
  maxName: number;
  maxDescription: number;
  maxDisputeDescription: number;
  maxNote: number;
  maxComment: number;
  assetTypes: string[];
  assetStatuses: AssetStatus[];
  disputeStates: DisputeState[];
  reportStatuses: ReportStatus[];
  reviewStatuses: ReviewStatus[];
}

/**
 * The core rules. They throw a TypeError only for arguments of a wrong type. What is wrong with
 * the input of a user is part of the answer.
 */
export interface Rules {
  classify(contents: readonly string[]): Classified[];
  explain(content: string): Explained;
  validate(operation: Operation, parts?: RequestParts): Validity;
  /** The body is that of a batch add. The time, by default the present one, is for `expiresAt`. */
  plan(body: unknown, at?: Date): Plan;
  transitions(state: DisputeState): DisputeState[];
  /** Takes the review status of each proposal of a report, null for none. */
  reportStatus(reviewStatuses: readonly (ReviewStatus | null)[]): ReportStatus;
  limits(): Limits;
}

/** The asset that decided about a content. Hash lists have neither its ID nor its reason. */
export interface CheckedMatch {
  kind: CoverKind;
  type: string;
  content: string;
  status: AssetStatus;
}

/** The verdict for a content, or why a check refuses it. */
export type Checked =
  | {
      type: string;
      canonical: string;
      status: AssetStatus;
      source: "ASSET" | "NONE";
      match?: CheckedMatch;
      refused?: undefined;
    }
  | { refused: Refused };

/** The rules in the thread that has loaded them, which can also call functions. */
export interface LocalRules extends Rules {
  /**
   * Returns the verdict for a content. The function gets the highest and the lowest 32 bits of a hash, and
   * returns its status: 0 for UNKNOWN, 1 for ALLOWED, 2 for BLOCKED. It must not throw. HashList of hashlist.js
   * calls this.
   */
  checkHashed(content: string, statusOf: (high: number, low: number) => number): Checked;
}

/** Loads the rules from the address of rules.wasm, its response, or its bytes, by default from beside rules.js. */
export function loadRules(source?: string | URL | Response | BufferSource): Promise<LocalRules>;

/** The names of the rules, which are those of the functions. */
export const ruleNames: readonly (keyof Rules)[];
