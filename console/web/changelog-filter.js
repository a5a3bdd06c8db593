// @ts-check
// What a changelog is asked for, and what the page finds in it itself: the API finds an asset, but
// neither a domain with everything under it nor a beginning.
import { rules } from "./workers.js";

/** @import { Entry } from "./changelog-stream.js" */

export const fieldNames = ["type", "fromStatus", "toStatus", "startDate", "endDate"];

/** The ways to search, and how they are said. @type {Record<string, { label: string, says: string }>} */
export const ways = {
  asset: { label: "Exact asset", says: "of exactly " },
  domain: { label: "Domain", says: "of everything under " },
  prefix: { label: "Beginning", says: "of assets that begin with " },
};

/**
 * @typedef {object} Filter
 * @property {Record<string, string>} body the request
 * @property {(entry: Entry) => boolean} keep whether an entry of the reply belongs to it
 * @property {(entry: Entry) => boolean} matches whether a change of the feed belongs to it
 * @property {string} says "" if everything is searched
 * @property {string} sought
 * @property {string} problem why there is nothing to search for, or ""
 */

/**
 * @param {URLSearchParams} params
 * @returns {Promise<Filter>}
 */
export async function changelogFilter(params) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  /** @type {Record<string, string>} */
  const body = Object.fromEntries(fieldNames.filter((name) => value(name) !== "").map((name) => [name, value(name)]));
  const text = value("content").trim();
  const way = Object.hasOwn(ways, value("match")) ? value("match") : "asset";
  const { canonical = "" } = (text === "" ? undefined : (await rules.classify([text]))[0]) ?? {};
  const sought = way === "domain" ? hostOf(canonical) : way === "asset" ? canonical || text : text;
  /** @type {(entry: Entry) => boolean} */
  const keep = text === "" || way === "asset" ? () => true
    : way === "domain" ? ({ content }) => isUnder(hostOf(content), sought)
      : ({ content }) => beginsWith(content, sought);
  if (text !== "" && way === "asset") {
    body["content"] = text;
  }
  const day = (/** @type {Entry} */ { updatedAt }) => updatedAt.slice(0, 10);
  return {
    body, keep, sought,
    matches: (entry) => entry.fromStatus !== entry.toStatus && keep(entry)
      && (body["content"] === undefined || entry.content === canonical)
      && (body["type"] ?? entry.type) === entry.type
      && (body["fromStatus"] ?? entry.fromStatus) === entry.fromStatus
      && (body["toStatus"] ?? entry.toStatus) === entry.toStatus
      && (body["startDate"] ?? "") <= day(entry) && day(entry) <= (body["endDate"] ?? "9999"),
    says: text === "" ? "" : ways[way]?.says ?? "",
    problem: text !== "" && way === "domain" && sought === ""
      ? `“${text}” is no domain. Search for its beginning instead.` : "",
  };
}

/**
 * Returns the host of a canonical form, or "" if it has none.
 *
 * @param {string} canonical
 */
export function hostOf(canonical) {
  const host = /^(?:https?:\/\/)?(?:[^/?#@]*@)?([^/?#:@]+)/.exec(canonical)?.[1] ?? "";
  return host.includes(".") ? host.toLowerCase() : "";
}

/**
 * @param {string} host
 * @param {string} domain
 */
export function isUnder(host, domain) {
  return host === domain || host.endsWith(`.${domain}`);
}

/**
 * Whether a canonical form begins with a text, with or without its scheme.
 *
 * @param {string} canonical
 * @param {string} text
 */
export function beginsWith(canonical, text) {
  return canonical.startsWith(text) || canonical.replace(/^https:\/\//, "").startsWith(text);
}
