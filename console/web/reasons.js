// @ts-check
// The reasons of decisions, in words.

/** @import { components } from "./operator-types.js" */

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
