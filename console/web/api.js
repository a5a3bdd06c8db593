// @ts-check
// Clients of both APIs. A failure is an ApiError, which says what to do about it.
import { actingKey, authorization, currentKeys, keyRefused } from "./session.js";
import { Turns, repeated } from "./turns.js";

/** @import { paths as Public } from "./api-types.js" */
/** @import { paths as Operator } from "./operator-types.js" */

export class ApiError extends Error {
  /**
   * @param {number} status 0 if the server was not reached
   * @param {string} message
   * @param {string[]} issues
   * @param {"key" | "operatorKey"} which
   * @param {number} [retryAfter] seconds, if the server asks for them
   */
  constructor(status, message, issues, which, retryAfter = 0) {
    super(message);
    this.status = status;
    this.issues = issues;
    this.which = which;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request can succeed later. */
  get temporary() {
    return this.status === 0 || this.status === 429 || this.status >= 500
      || this.status === 409 && this.which === "key";
  }

  /** Whether the server was not reached, by the page or by a proxy. */
  get away() {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }

  /** Whether nothing has failed, and the request waits for a second operator. */
  get waits() {
    return this.status === 202;
  }

  get aboutKey() {
    return this.status === 401 || this.status === 403;
  }
}

/**
 * Returns null in place of a failure that says that an asset is not known.
 *
 * @param {unknown} error
 */
export function nullIfUnknown(error) {
  if (error instanceof ApiError && error.status === 404) {
    return null;
  }
  throw error;
}

let bases = { api: "/api/v2", operatorApi: "/operator", signIn: "", keysInLink: false };

export async function loadConfig() {
  const response = await fetch("config.json");
  bases = await response.json();
  return bases;
}

export function addresses() {
  return bases;
}

/**
 * @typedef {object} Parts
 * @property {Record<string, any> | undefined} [query]
 * @property {unknown} [body]
 * @property {string} [idempotencyKey]
 * @property {AbortSignal | undefined} [signal]
 */

/**
 * Sends a request and returns the response, or throws an ApiError.
 *
 * @param {"key" | "operatorKey"} api
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {Parts} parts
 */
async function send(api, method, path, { query, body, idempotencyKey, signal }) {
  const which = actingKey(api, path);
  const key = currentKeys()[which];
  if (key === "") {
    throw new ApiError(401, "No key is set", [], api);
  }
  const headers = authorization(key);
  if (body !== undefined && !(body instanceof Blob)) {
    headers["Content-Type"] = "application/json";
  }
  if (idempotencyKey) {
    headers["Idempotency-Key"] = idempotencyKey;
  }
  const address = (api === "key" ? bases.api : bases.operatorApi) + path + queryOf(query);
  /** @type {Response} */
  let response;
  try {
    response = await fetch(address, {
      method, headers, signal: signal ?? null, cache: "no-store", redirect: "error",
      credentials: bases.signIn === "" ? "omit" : "same-origin",
      body: body === undefined ? null : typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
    });
  } catch (error) {
    throw unreachable(error, which);
  }
  if (response.status === 401) {
    keyRefused(which, key);
  }
  if (!response.ok) {
    throw await refusal(response, which);
  }
  if (response.status === 202) {
    throw new ApiError(202,
      "Sent to a second operator, and waits. Nothing is changed until another operator approves this", [], which);
  }
  return response;
}

/**
 * @param {unknown} error
 * @param {"key" | "operatorKey"} which
 */
export function unreachable(error, which) {
  if (error instanceof DOMException && error.name === "AbortError") {
    return error;
  }
  return new ApiError(0, "The server cannot be reached", [], which);
}

/** @param {Record<string, any>} [query] */
function queryOf(query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      search.set(name, String(value));
    }
  }
  return search.size > 0 ? `?${search}` : "";
}

/**
 * @param {Response} response
 * @param {"key" | "operatorKey"} which
 */
export async function refusal(response, which) {
  let text = `The server answered ${response.status}`;
  /** @type {string[]} */
  let issues = [];
  try {
    const body = await response.json();
    const error = body.error ?? body;
    text = error.message ?? text;
    issues = (error.issues ?? []).map((/** @type {{ message: string }} */ issue) => issue.message);
  } catch {
    // A proxy has answered.
  }
  return new ApiError(response.status, text, issues, which, Number(response.headers.get("Retry-After") ?? 0) || 0);
}

/**
 * @template {{ responses: Record<number, any> }} O
 * @typedef {O["responses"][200]["content"]["application/json"]} Reply
 */

/**
 * @template O
 * @typedef {NonNullable<O> extends { requestBody: { content: { "application/json": infer B } } } ? B : never} BodyOf
 */

/** A server lets each caller run four costly requests at once. One of them is left to what is written. */
export const turns = new Turns(3);

/**
 * Returns a signal for reads that nobody waits for: they come after all others.
 *
 * @param {AbortSignal[]} signals ends with these
 */
export function deferred(...signals) {
  const signal = AbortSignal.any(signals);
  turns.defer(signal);
  return signal;
}

/**
 * Reads in turn, so that a view with many parts is not refused. A request that waits for news is not costly.
 *
 * @param {"key" | "operatorKey"} which
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {Parts} parts
 */
function read(which, method, path, parts) {
  const { signal = new AbortController().signal, query } = parts;
  return query && "wait" in query
    ? repeated(() => reply(which, method, path, parts), signal)
    : turns.run((ends) => reply(which, method, path, { ...parts, signal: ends }), signal);
}

/**
 * @param {"key" | "operatorKey"} which
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {Parts} parts
 */
async function reply(which, method, path, parts) {
  const response = await send(which, method, path, parts);
  try {
    return await response.json();
  } catch (error) {
    throw unreachable(error, which);
  }
}

/** The operations of the public API that only read although they take a body. @type {Set<string>} */
const readings = new Set(["/asset/check", "/asset/changelog"]);

/**
 * Posts to the public API.
 *
 * @template {{ [P in keyof Public]: Public[P] extends { post: { responses: any } } ? P : never }[keyof Public]} P
 * @param {P} path
 * @param {BodyOf<Public[P]["post"]> | string} body
 * @param {Omit<Parts, "body">} [parts]
 * @returns {Promise<Reply<NonNullable<Public[P]["post"]>>>}
 */
export function post(path, body, parts = {}) {
  return (readings.has(path) ? read : reply)("key", "POST", path, { ...parts, body });
}

/**
 * Reads from the public API.
 *
 * @template {{ [P in keyof Public]: Public[P] extends { get: { responses: any } } ? P : never }[keyof Public]} P
 * @param {P} path
 * @param {NonNullable<Public[P]["get"]>["parameters"]["query"]} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Reply<NonNullable<Public[P]["get"]>>>}
 */
export function get(path, query, signal) {
  return read("key", "GET", path, { query, signal });
}

/**
 * Reads from the operators' API.
 *
 * @template {{ [P in keyof Operator]: Operator[P] extends { get: { responses: any } } ? P : never }[keyof Operator]} P
 * @param {P} path
 * @param {NonNullable<Operator[P]["get"]>["parameters"]["query"]} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Reply<NonNullable<Operator[P]["get"]>>>}
 */
export function operatorGet(path, query, signal) {
  return read("operatorKey", "GET", path, { query, signal });
}

/**
 * Reads what a status of an asset would do.
 *
 * @param {Operator["/asset/preview"]["post"]["requestBody"]["content"]["application/json"]} body
 * @param {AbortSignal} signal
 * @returns {Promise<Reply<Operator["/asset/preview"]["post"]>>}
 */
export function previewStatus(body, signal) {
  return read("operatorKey", "POST", "/asset/preview", { body, signal });
}

/**
 * Reads what would come if assets got statuses, as a dry run.
 *
 * @param {Operator["/asset/setStatuses"]["post"]["requestBody"]["content"]["application/json"]["items"]} items
 * @param {AbortSignal} signal
 * @param {boolean} [confirmProtected]
 * @returns {Promise<Reply<Operator["/asset/setStatuses"]["post"]>>}
 */
export function tryStatuses(items, signal, confirmProtected = false) {
  return read("operatorKey", "POST", "/asset/setStatuses", { body: { items, confirmProtected, dryRun: true }, signal });
}

/**
 * Reads the pages of a list until it ends or has more than some records.
 *
 * @template T
 * @template {string | number} C
 * @param {(cursor: C | null) => Promise<{ items: T[], nextCursor: C | null }>} load
 * @param {number} most
 */
export async function allPages(load, most) {
  /** @type {T[]} */
  const items = [];
  /** @type {C | null} */
  let cursor = null;
  do {
    const page = /** @type {{ items: T[], nextCursor: C | null }} */ (await load(cursor));
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < most);
  return { items, more: cursor !== null };
}

/**
 * The idempotency keys of writes that have no response.
 *
 * @type {Map<string, string>}
 */
const unanswered = new Map();

/** Forgets writes that were given up: the same request is then another one. */
export function forgetWrites() {
  unanswered.clear();
}

/** Returns a new idempotency key. crypto.randomUUID needs https. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, "0")).join("");
}

/**
 * @typedef {{ [P in keyof Operator]: Operator[P] extends { post: { responses: any } } ? P : never }[keyof Operator]
 *   } OperatorWrite
 */

/**
 * @typedef {`/${"webhook" | "key" | "user" | "person" | "organization" | "list"}/${string}`
 *   | "/asset/undo" | "/asset/setStatuses" | "/allowlist/clear"
 *   } Administered
 */

/**
 * Posts to an operation that takes no idempotency key: a stored response would show a secret again, or the request
 * can be repeated anyway.
 *
 * @template {Extract<OperatorWrite, Administered>} P
 * @param {P} path
 * @param {BodyOf<Operator[P]["post"]>} body
 * @returns {Promise<Reply<NonNullable<Operator[P]["post"]>>>}
 */
export function postOnce(path, body) {
  return reply("operatorKey", "POST", path, { body });
}

/**
 * Syncs a list with a file.
 *
 * @param {File} file
 * @param {Operator["/list/sync"]["post"]["parameters"]["query"]} query
 * @returns {Promise<Reply<Operator["/list/sync"]["post"]>>}
 */
export function syncList(file, query) {
  return reply("operatorKey", "POST", "/list/sync", { query, body: file });
}

/**
 * Posts to the operators' API. The same request after a failure is a retry, which is executed once,
 * until forgetWrites is called.
 *
 * @template {Exclude<OperatorWrite, Administered | "/asset/preview">} P
 * @param {P} path
 * @param {BodyOf<Operator[P]["post"]>} body
 * @returns {Promise<Reply<NonNullable<Operator[P]["post"]>>>}
 */
export async function operatorPost(path, body) {
  const request = path + JSON.stringify(body);
  const idempotencyKey = unanswered.get(request) ?? newKey();
  unanswered.set(request, idempotencyKey);
  const result = await reply("operatorKey", "POST", path, { body, idempotencyKey });
  unanswered.delete(request);
  return result;
}

/**
 * Gives the changelog as a stream of text to a function, in turn with the other reads.
 *
 * @param {Public["/asset/changelog"]["post"]["requestBody"]["content"]["application/json"]} body
 * @param {AbortSignal} signal
 * @param {(stream: ReadableStream<Uint8Array>) => Promise<void>} take
 */
export function changelogStream(body, signal, take) {
  return turns.run(async () => {
    const response = await send("key", "POST", "/asset/changelog", { body, signal });
    if (!response.body) {
      throw new ApiError(0, "The reply has no body", [], "key");
    }
    await take(response.body);
  }, signal);
}
