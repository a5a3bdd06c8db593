// @ts-check
// What gives an asset its status: the reason, who holds it, and the note, in words.
import { h } from "./dom.js";
import { reasonName } from "./reasons.js";
import { safeText } from "./safe-text.js";

/** @import { components } from "./api-types.js" */
/** @typedef {Pick<components["schemas"]["CheckMatch"], "reason" | "note" | "by" | "list">} Basis */

/**
 * Returns lines for what is known of it. The note is plain text.
 *
 * @param {Basis} basis
 */
export function basisLines({ reason, note, by, list }) {
  return [
    (reason !== null || by !== null) && h("p", { class: "line" },
      reason !== null && h("span", {}, `Reason: ${reasonName(reason)}`),
      by !== null && h("span", {}, "held by ", by === "OPERATOR" ? "operators" : by === "ORGANIZATION" ? "organizations"
        : list === null ? "a removed list" : ["list ", safeText(list)])),
    note !== null && safeText(note, { tag: "p" }),
  ];
}
