// @ts-check
// Checks contents without telling anybody, by hashes of all assets that are BLOCKED or ALLOWED. It runs in a
// page, in a worker and in Node. docs/hashes.md describes the lists and what hashes cannot do.
// hashlist-worker.js keeps them off the main thread.
import { HashListError, otherRules } from "./hash-error.js";
import { fetchHashes } from "./hash-fetch.js";
import { PublishedFolder } from "./hash-published.js";
import { hashSize } from "./hash-rice.js";
import { has } from "./hash-set.js";
import { requireNotOlder, updated } from "./hash-update.js";

/** @import { HashListOptions, HashListState, HeldLists, RefreshOptions, Verdict } from "./hashlist.js" */
/** @import { HashListResponse } from "./hash-update.js" */
/** @import { LocalRules } from "./rules.js" */

export { HashListError };
export { HashStore } from "./hash-store.js";

/** The indices of the statuses, as the rules want them. */
const unknown = 0;
const allowed = 1;
const blocked = 2;

export class HashList {
  /** @type {HeldLists | undefined} */
  #held;
  /** Looks a hash up in what is held. */
  #statusOf = (/** @type {number} */ _high, /** @type {number} */ _low) => unknown;
  /** Ends when all changes before it have. */
  #changing = Promise.resolve();
  /** @type {PublishedFolder | undefined} */
  #folder;
  #rules;
  #rulesVersion;
  #options;

  /**
   * @param {LocalRules} rules
   * @param {HashListOptions} options
   */
  constructor(rules, options) {
    this.#rules = rules;
    this.#rulesVersion = rules.limits().rulesVersion;
    this.#options = options;
  }

  /**
   * @param {string} content
   * @returns {Verdict}
   */
  check(content) {
    const problem = this.#problem();
    const checked = this.#rules.checkHashed(content, problem ? () => unknown : this.#statusOf);
    if (checked.refused) {
      throw new HashListError("REFUSED", checked.refused.message, { refused: checked.refused });
    }
    if (problem) {
      throw problem;
    }
    const { type, canonical, status, source, match = null } = checked;
    return { content, type, canonical, status, source, match };
  }

  /** Returns why there is no verdict, if so. */
  #problem() {
    if (!this.#held) {
      return new HashListError("NO_LIST", "no hash list yet");
    }
    // An age that is negative or not less than the limit is not the age of a list that can be used.
    const age = Date.now() - this.#held.asOf;
    return age >= 0 && age < this.#options.maxAge ? undefined
      : new HashListError("OUTDATED", "hash list is outdated");
  }

  /** @returns {HashListState | undefined} */
  state() {
    return this.#held && {
      version: this.#held.version,
      asOf: new Date(this.#held.asOf),
      blocked: this.#held.blocked.byteLength / hashSize,
      allowed: this.#held.allowed.byteLength / hashSize,
      minimumWait: this.#held.minimumWait,
    };
  }

  /** @param {RefreshOptions} [options] */
  refresh({ signal } = {}) {
    return this.#change(async () => {
      const version = this.#held?.version ?? "";
      const sinceRefresh = this.#held ? Date.now() - this.#held.asOf : 0;
      if (this.#held && sinceRefresh >= 0 && sinceRefresh < this.#held.minimumWait) {
        return false;
      }
      try {
        await this.#fetch(version, signal);
      } catch (error) {
        const fits = !(error instanceof HashListError && ["DAMAGED", "REPLAYED"].includes(error.code));
        if (version === "" || fits) {
          throw error;
        }
        await this.#fetch("", signal);
      }
      return true;
    });
  }

  /**
   * @param {Uint8Array} data
   * @param {Date} asOf
   */
  update(data, asOf) {
    return this.#change(() => this.#apply({ bodies: [data], asOf: asOf.getTime(), rules: this.#rulesVersion }));
  }

  /**
   * @param {string} version
   * @param {AbortSignal | undefined} signal
   */
  async #fetch(version, signal) {
    const response = await this.#request(version, signal);
    this.#requireOwnRules(response.rules);
    await this.#apply(response);
  }

  /**
   * @param {string} version
   * @param {AbortSignal | undefined} signal
   */
  #request(version, signal) {
    const options = this.#options;
    if (options.manifest === undefined) {
      return fetchHashes({ base: options.base, key: options.key, headers: options.headers, version, signal });
    }
    this.#folder ??= new PublishedFolder(options);
    return this.#folder.fetch({ version, rules: this.#rulesVersion, signal });
  }

  /** @param {number} rules */
  #requireOwnRules(rules) {
    if (rules !== this.#rulesVersion) {
      throw otherRules("hash list", rules, this.#rulesVersion);
    }
  }

  /** @param {HashListResponse} response */
  async #apply(response) {
    const held = await updated(this.#held, response);
    this.#hold(held);
    await this.#options.store?.save(held);
  }

  load() {
    return this.#change(async () => {
      const stored = await this.#options.store?.load();
      if (stored) {
        this.#requireOwnRules(stored.rules);
        requireNotOlder(this.#held, stored);
        this.#hold(stored);
      }
      return stored !== undefined;
    });
  }

  clear() {
    return this.#change(async () => {
      this.#held = undefined;
      this.#folder = undefined;
      await this.#options.store?.clear();
    });
  }

  /** @param {HeldLists} held */
  #hold(held) {
    const blockedHashes = new DataView(held.blocked);
    const allowedHashes = new DataView(held.allowed);
    this.#held = held;
    this.#statusOf = (high, low) => {
      if (has(blockedHashes, high, low)) {
        return blocked;
      }
      return has(allowedHashes, high, low) ? allowed : unknown;
    };
  }

  /**
   * Does something when all that was begun before has ended.
   *
   * @template T
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  #change(act) {
    const done = this.#changing.then(act);
    this.#changing = done.then(() => undefined, () => undefined);
    return done;
  }
}
