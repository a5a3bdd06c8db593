// @ts-check
// Errors of hash lists.

/** @import { HashListCode, HashListDetails } from "./hashlist.js" */

/** An error of a hash list, which is never a verdict. Its code says what happened. */
export class HashListError extends Error {
  /**
   * @param {HashListCode} code
   * @param {string} message
   * @param {HashListDetails} [details]
   */
  constructor(code, message, { cause, ...details } = {}) {
    super(message, { cause });
    this.name = "HashListError";
    this.code = code;
    Object.assign(this, details);
  }
}

/**
 * Returns the error for data that is not a hash list.
 *
 * @param {string} reason
 */
export const damaged = (reason) => new HashListError("DAMAGED", `damaged hash list: ${reason}`);

/**
 * Returns the error for something that was made by other rules, which have other hashes for the same contents.
 *
 * @param {string} what
 * @param {number} have
 * @param {number} want
 */
export const otherRules = (what, have, want) => (
  new HashListError("OTHER_RULES", `${what} of rules version ${have}, these rules have ${want}`));
