// @ts-check
// The reasons of decisions, and what else gives an asset its status, in words.
import { h } from "./dom.js";
import { safeText } from "./safe-text.js";

/** @import { components } from "./operator-types.js" */
/** @import { components as Public } from "./api-types.js" */
/** @typedef {Pick<Public["schemas"]["CheckMatch"], "reason" | "note" | "by" | "list">} Basis */

/** @type {Record<components["schemas"]["Reason"], string>} */
const names = {
  PHISHING: "Phishing",
  MALWARE: "Malware",
  SCAM: "Scam",
  IMPERSONATION: "Impersonation",
  DRAINER: "Wallet drainer",
  COMMAND_AND_CONTROL: "Command and control",
  COUNTERFEIT: "Counterfeits",
  SPAM: "Spam",
  COMPROMISED: "Compromised",
  OTHER: "Other",
  FALSE_POSITIVE: "False positive",
  LEGITIMATE: "Legitimate",
};

/**
 * Returns the options of a select, first that for no reason.
 *
 * @returns {[string, string][]}
 */
export function reasonOptions() {
  return [["", "Not given"], ...Object.entries(names)];
}

/** @param {components["schemas"]["Reason"]} reason */
export function reasonName(reason) {
  return names[reason];
}

/**
 * Returns lines for the reason of a status, who holds it, and the note. The note is plain text.
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
