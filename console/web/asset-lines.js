// @ts-check
// What is known of an asset, in lines: decisions, changes, disputes and reports.
import { deferred, operatorGet } from "./api.js";
import { fill, h } from "./dom.js";
import { badge, time, waited } from "./parts.js";
import { approverOf } from "./pending-acts.js";
import { labelOf } from "./people.js";
import { reasonName } from "./reasons.js";
import { assetAddress, personLink, recordOf, referenceText } from "./references.js";
import { clipped, rowText, safeText } from "./safe-text.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["HeldDecision"]} Held */
/** @typedef {components["schemas"]["AssetChange"]} Change */
/** @typedef {components["schemas"]["NamedChange"]} NamedChange */
/** @typedef {components["schemas"]["ListedDispute"]} Dispute */
/** @typedef {components["schemas"]["Report"]} Report */

/**
 * Returns what a source holds: the status, why, who decided it, and from when until when.
 *
 * @param {Held} decision
 * @param {string} content what it is held on
 */
export function decisionLines({ status, reason, note, reference, actor, since, expiresAt, reviewAt }, content) {
  return [
    h("p", { class: "line" }, badge(status), reason !== null && reasonName(reason),
      note !== null && safeText(note)),
    h("p", { class: "line muted" }, "since ", time(since),
      actor !== null && h("span", {}, "by ", personLink(actor), status === "BLOCKED" && approvedBy(content, since)),
      expiresAt !== null && ["until ", time(expiresAt)], reviewAt !== null && ["to be reviewed on ", time(reviewAt)],
      reference !== null && referenceText(reference)),
  ];
}

/**
 * Returns a place after the first operator of a block that names the second one, as soon as it is known that there is
 * one.
 *
 * @param {string} content
 * @param {string} at when it was blocked
 */
export function approvedBy(content, at) {
  const place = h("span", {});
  void approverOf(content, at).then((user) => fill(place, user !== null && [", approved by ", personLink(user)]));
  return place;
}

/**
 * @param {Change} change
 * @param {string} content
 */
export function changeLine({ updatedAt, fromStatus, toStatus, cause, actor, reference }, content) {
  return [
    time(updatedAt), badge(fromStatus), "→", badge(toStatus),
    h("span", { class: "muted" }, cause.toLowerCase().replaceAll("_", " "),
      actor !== null && [" by ", personLink(actor), toStatus === "BLOCKED" && approvedBy(content, updatedAt)],
      reference !== null && [", ", referenceText(reference)]),
  ];
}

/**
 * Returns a change with the reason for which a dispute was accepted, if that is its cause. The reason follows when it
 * is read.
 *
 * @param {Change} change
 * @param {string} content
 */
export function reasonedLine(change, content) {
  const { kind, id } = recordOf(change.reference ?? "") ?? {};
  const isAccepted = change.cause === "DISPUTE" && kind === "dispute";
  return [...changeLine(change, content), isAccepted ? disputeReason(Number(id)) : ""];
}

/** @param {number} id */
function disputeReason(id) {
  const place = h("span", {});
  operatorGet("/dispute/get", { id }, deferred()).then(({ notes }) => {
    const reason = notes.findLast(({ state }) => state === "ACCEPTED")?.text ?? "";
    fill(place, reason !== "" && [": “", clipped(reason), "”"]);
  }, () => {}); // the link leads to it
  return place;
}

/**
 * Returns a change of an asset that the line must name.
 *
 * @param {NamedChange} change
 */
export function namedChangeLine(change) {
  const [at, from, arrow, to, why] = changeLine(change, change.content);
  return [at, from, arrow, to, h("a", { href: assetAddress(change.content) }, rowText(change.content)), why];
}

/** @param {Dispute} dispute */
export function disputeLine({ id, state, createdAt, email }) {
  return [
    h("a", { href: `#/disputes?id=${id}` }, `#${id}`), badge(state), waited(createdAt),
    h("span", { class: "muted" }, clipped(email, 60)),
  ];
}

/**
 * Returns a report with what it proposes for an asset.
 *
 * @param {Report} report
 * @param {string} canonical
 */
export function reportLine({ id, title, status, organization, createdAt, proposals }, canonical) {
  const proposed = proposals.filter(({ asset }) => asset.content === canonical);
  return [
    h("a", { href: `#/reports?id=${id}` }, `#${id}`), badge(status), waited(createdAt),
    proposed.map(({ proposedStatus, reviewStatus }) => [
      "proposes ", badge(proposedStatus), reviewStatus !== null && badge(reviewStatus)]).flat(),
    h("span", { class: "muted" }, clipped(title, 80), " of ", clipped(labelOf(organization), 60)),
  ].flat();
}
