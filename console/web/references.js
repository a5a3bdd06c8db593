// @ts-check
// References to the records behind a change, and links to the page that has everything about an asset.
import { h } from "./dom.js";
import { clipped, safeText } from "./safe-text.js";
import { nameOf } from "./people.js";
import { currentKeys } from "./session.js";

/** @import { Person } from "./people.js" */

const record = /^(dispute|report)\/([1-9]\d{0,15})$/;

/**
 * Returns the dispute or the report that a reference names, if it names one.
 *
 * @param {string} reference
 */
export function recordOf(reference) {
  const [, kind, id] = record.exec(reference) ?? [];
  return kind === undefined ? undefined : { kind, id };
}

/**
 * Returns a reference, which is a link if it names a dispute or a report.
 *
 * @param {string} reference
 */
export function referenceText(reference) {
  const named = recordOf(reference);
  return named ? h("a", { href: `#/${named.kind}s?id=${named.id}` }, reference) : safeText(reference);
}

/**
 * Returns a link to a user.
 *
 * @param {Person} person
 */
export function personLink(person) {
  return h("a", { href: `#/users?id=${person.id}` }, clipped(nameOf(person), 60));
}

/**
 * Returns the address of the page of an asset, never of the asset itself. Without an operator key, that is a check.
 *
 * @param {string} content
 */
export function assetAddress(content) {
  return `#/${currentKeys().operatorKey === "" ? "check" : "asset"}?${new URLSearchParams({ content })}`;
}

/**
 * Returns a link to the page of an asset.
 *
 * @param {string} content
 */
export function assetLink(content) {
  return h("a", { href: assetAddress(content), title: "Everything about it" },
    currentKeys().operatorKey === "" ? "Check" : "About");
}
