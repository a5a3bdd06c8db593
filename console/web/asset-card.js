// @ts-check
// What an operator must know of an asset to decide about it: what a check says and by what, who
// allows it, what lists say, what happened before, and its other disputes.
import { nullIfUnknown, operatorGet, post } from "./api.js";
import { fill, h } from "./dom.js";
import { changeLine, decisionLines, disputeLine, reasonedLine } from "./asset-lines.js";
import { protectionChip, requests } from "./effect.js";
import { badge, isAbort, time } from "./parts.js";
import { organizationName } from "./people.js";
import { basisLines, reasonName } from "./reasons.js";
import { assetAddress, assetLink } from "./references.js";
import { assetText, clipped, rowText, safeText } from "./safe-text.js";
import { canCheck } from "./session.js";

/** @import { components } from "./operator-types.js" */
/** @import { components as Public } from "./api-types.js" */
/** @typedef {components["schemas"]["Explanation"]} Explanation */
/** @typedef {components["schemas"]["AssetChange"]} Change */
/** @typedef {Public["schemas"]["CheckResponse"]} Checked */

/**
 * @typedef {object} Known
 * @property {string} content
 * @property {Explanation | null} explanation null if the asset is not known
 * @property {Change[]} changes newest first
 * @property {Checked | null} checked null without the key of an organization
 */

const shownChanges = 3;
const shownNames = 3;
const shownDisputes = 5;

/** @type {Record<string, string>} */
const kinds = {
  EXACT: "itself", URL: "a link to it", PAGE: "its page", DOMAIN: "its domain", ACCOUNT: "its account",
};

/**
 * @param {string} content
 * @param {AbortSignal} signal
 * @returns {Promise<Known>}
 */
export async function readAsset(content, signal) {
  const [explanation, { changes }, checked] = await Promise.all([
    operatorGet("/asset/explain", { content }, signal).catch(nullIfUnknown),
    operatorGet("/asset/history", { content, limit: 100 }, signal),
    checkAsset(content, signal),
  ]);
  return { content, explanation, changes, checked };
}

/**
 * Returns what a check says, or null if the page has no key that may ask.
 *
 * @param {string} content
 * @param {AbortSignal} signal
 * @returns {Promise<Checked | null>}
 */
export async function checkAsset(content, signal) {
  return canCheck() ? post("/asset/check", { content }, { signal }).catch(nullIfRefused) : null;
}

/**
 * A check is asked with another key than everything else. What is wrong with that key is said elsewhere.
 *
 * @param {unknown} error
 */
function nullIfRefused(error) {
  if (isAbort(error)) {
    throw error;
  }
  return null;
}

/** @param {Known} known */
export function effectiveStatus({ checked, explanation }) {
  return checked?.status ?? explanation?.match?.status ?? explanation?.asset.status ?? "UNKNOWN";
}

/**
 * Returns the asset that decides, if another one than the asset itself may.
 *
 * @param {Known} known
 */
function decider({ checked, explanation }) {
  return checked === null ? explanation?.match : checked.match;
}

/**
 * Returns the asset with the answer: its status, by what, and since when.
 *
 * @param {Known} known
 * @param {AbortSignal} signal
 * @param {{ linked?: boolean }} [options] whether it has a link to the page of the asset, which has more
 */
export function answer(known, signal, { linked = true } = {}) {
  const status = effectiveStatus(known);
  const own = known.explanation?.change ?? null;
  const match = decider(known);
  const exact = !match || match.kind === "EXACT";
  const since = match?.since ?? (exact ? own?.updatedAt : null) ?? null;
  return h("div", { class: "answer", "data-value": status },
    h("p", { class: "subject line" }, assetText(known.content), protectionChip(known.content, signal)),
    h("p", { class: "line" }, badge(status, status), h("span", {}, by(known)),
      since !== null && h("span", { class: "muted line" }, "since ", time(since)),
      linked && assetLink(known.content)),
    match && basisLines(match),
    linked && requests(known.content, signal),
    known.checked === null && h("p", { class: "hint" },
      "This is the status without external lists. With the key of an organization, the page also asks them."));
}

/** @param {Known} known */
function by(known) {
  const { checked, explanation } = known;
  const match = decider(known);
  if (match) {
    return h("span", {}, `by ${kinds[match.kind] ?? match.kind}`,
      match.kind !== "EXACT" && [" ", h("a", { href: assetAddress(match.content) }, rowText(match.content))]);
  }
  if (checked?.source === "LIST") {
    return `only by ${lists(checked.lists)}`;
  }
  if (explanation?.asset.status !== "UNKNOWN") {
    return "itself";
  }
  return explanation.decisions.some(({ source }) => source.kind === "OPERATOR") ? "operators hold it as unknown"
    : "nothing is known about it";
}

/** @param {{ name: string, status: string }[]} opinions */
function lists(opinions) {
  return opinions.map(({ name }) => name).join(", ");
}

/**
 * Returns what else to know, with headings.
 *
 * @param {Known} known
 * @param {number} disputeId the dispute that is open
 */
export function background(known, disputeId) {
  const { changes } = known;
  return [
    section("Lists", listed(known)),
    section("Operators", decided(known)),
    section("Allowlists", allowlists(known)),
    section("History", changes.length === 0 ? "Its own status never changed." : history(known, disputeId)),
    section("Same asset", others(known, disputeId)),
  ];
}

/**
 * @param {string} name
 * @param {Node | string} content
 */
function section(name, content) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, content));
}

/** @param {Known} known */
function listed({ explanation, checked }) {
  const held = explanation?.decisions.filter(({ source }) => source.kind === "LIST") ?? [];
  const opinions = checked?.lists ?? explanation?.dissent ?? [];
  if (held.length + opinions.length === 0) {
    return "No external list says anything else.";
  }
  return h("ul", { class: "plain" },
    held.map(({ source, status, reason, since, expiresAt, counts }) => h("li", { class: "line" },
      safeText(source.list ?? "A removed list"), "holds", badge(status), reason !== null && reasonName(reason),
      h("span", { class: "muted" }, "since ", time(since), until(expiresAt),
        !counts && ", which does not count"))),
    opinions.map(({ name, status }) => h("li", { class: "line" }, safeText(name), "says", badge(status))));
}

/**
 * Returns the asset that the decisions of an explanation are held on.
 *
 * @param {Explanation | null} explanation
 * @param {string} content the asset that it explains
 */
export function heldOn(explanation, content) {
  return explanation?.asset.id === null && explanation.match ? explanation.match.content : content;
}

/** @param {Known} known */
function decided({ content, explanation }) {
  const decision = explanation?.decisions.find(({ source }) => source.kind === "OPERATOR");
  if (!decision) {
    return "They have decided nothing about it.";
  }
  return h("div", {}, decisionLines(decision, heldOn(explanation, content)),
    !decision.counts && h("p", { class: "muted" }, "An organization has added it since."));
}

/** @param {string | null} expiresAt */
function until(expiresAt) {
  return expiresAt !== null && [" until ", time(expiresAt)];
}

/** @param {Known} known */
function allowlists({ explanation }) {
  const { organizations, more } = explanation?.allowedBy ?? { organizations: [], more: false };
  if (organizations.length === 0) {
    return "It is on no organization's allowlist.";
  }
  return h("span", {},
    organizations.slice(0, shownNames).flatMap((one, index) => [index > 0 && ", ", safeText(organizationName(one))]),
    (more || organizations.length > shownNames) && " and others");
}

/**
 * @param {Known} known
 * @param {number} disputeId the dispute that is open, whose reasons are in its notes
 */
function history({ content, changes }, disputeId) {
  const items = (/** @type {Change[]} */ some, /** @type {typeof changeLine} */ line) =>
    h("ol", { class: "timeline" }, some.map((change) => h("li", {}, line(change, content))));
  const rest = changes.slice(shownChanges);
  return h("div", {}, items(changes.slice(0, shownChanges),
    (change) => (change.reference === `dispute/${disputeId}` ? changeLine : reasonedLine)(change, content)),
    rest.length > 0 && h("details", {}, h("summary", {}, `${rest.length} earlier`), items(rest, changeLine)));
}

/**
 * @param {Known} known
 * @param {number} disputeId
 */
export function otherDisputes({ explanation }, disputeId) {
  return explanation?.disputes.disputes.filter(({ id }) => id !== disputeId) ?? [];
}

/**
 * @param {Known} known
 * @param {number} disputeId
 */
function others(known, disputeId) {
  const all = otherDisputes(known, disputeId);
  if (all.length === 0) {
    return "No other dispute is about it.";
  }
  const more = all.length > shownDisputes || known.explanation?.disputes.nextCursor;
  const href = `#/disputes?${new URLSearchParams({ content: known.content })}`;
  return h("ul", { class: "plain" }, all.slice(0, shownDisputes).map((dispute) =>
    h("li", { class: "line" }, disputeLine(dispute))),
  more && h("li", {}, h("a", { href }, "All of them")));
}

/**
 * Returns a notice of the domain that a name in other letters looks like. The status of that follows when the server
 * has answered, if it knows one.
 *
 * @param {string} domain
 * @param {string} address where the link to the domain leads in the page
 * @param {AbortSignal} signal
 */
export function lookAlike(domain, address, signal) {
  const status = h("span", {});
  checkAsset(domain, signal).then((checked) => {
    if (checked !== null && checked.status !== "UNKNOWN") {
      fill(status, ", which is ", badge(checked.status));
    }
  }, () => {}); // the view is left
  return h("p", { class: "notice warn" }, "Looks like ", h("a", { href: address }, clipped(domain)), status);
}
