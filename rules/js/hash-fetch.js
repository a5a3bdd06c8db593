// @ts-check
// Requests hash lists from a server.
import { HashListError } from "./hash-error.js";

/** @import { HashListCode, HashListDetails } from "./hashlist.js" */
/** @import { HashListResponse } from "./hash-update.js" */

/**
 * The errors of statuses. Others are SERVER.
 *
 * @type {Record<number, HashListCode>}
 */
const codes = { 401: "UNAUTHENTICATED", 403: "FORBIDDEN", 404: "NO_HASHES", 429: "BUSY", 503: "BUSY" };

/**
 * Requests the difference to a version, or whole lists if it is empty. The time of the result is one at which
 * the server had these lists. Its rules are 0 for an older server, which does not tell them.
 *
 * @param {{ base: string, key: string | undefined, headers: Record<string, string> | undefined, version: string,
 *   signal: AbortSignal | undefined }} request
 * @returns {Promise<HashListResponse>}
 */
export async function fetchHashes({ base, key, headers, version, signal }) {
  const query = version && `?version=${version}`;
  const began = Date.now();
  try {
    const response = await fetch(`${base}/asset/hashes${query}`, {
      headers: key === undefined ? { ...headers } : { ...headers, "X-API-KEY": key },
      cache: "no-store",
      signal: signal ?? null,
    });
    if (response.status !== 200) {
      throw statusError(response);
    }
    const age = response.headers.get("Age") ?? "";
    const rules = response.headers.get("Rules-Version") ?? "0";
    const isList = response.headers.get("Content-Type") === "application/x-protobuf";
    if (!isList || ![age, rules].every((n) => /^\d{1,10}$/.test(n))) {
      throw new HashListError("SERVER", "unexpected response of the server", { status: response.status });
    }
    const data = new Uint8Array(await response.arrayBuffer());
    return { bodies: [data], asOf: began - Number(age) * 1000, rules: Number(rules) };
  } catch (cause) {
    if (cause instanceof HashListError) {
      throw cause;
    }
    throw new HashListError("NETWORK", `cannot reach the server: ${cause}`, { cause });
  }
}

/** @param {Response} response */
function statusError({ status, headers }) {
  /** @type {HashListDetails} */
  const details = { status };
  const seconds = headers.get("Retry-After") ?? "";
  if (/^\d{1,10}$/.test(seconds)) {
    details.retryAfter = Number(seconds);
  }
  return new HashListError(codes[status] ?? "SERVER", `the server answered with ${status}`, details);
}
