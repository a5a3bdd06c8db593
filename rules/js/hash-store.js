// @ts-check
// Keeps hash lists in IndexedDB.
import { HashListError, damaged } from "./hash-error.js";
import { checksumOf, sameBytes } from "./hash-set.js";

/** @import { HeldLists } from "./hashlist.js" */

const format = 1;
const objects = "lists";
const key = "held";

/**
 * What is stored. The seal is a checksum of everything else.
 *
 * @typedef {HeldLists & { seal: Uint8Array }} Sealed
 */

/** A place for hash lists, in the database of a name. Each write is complete or has no effect. */
export class HashStore {
  /** @param {string} [name] */
  constructor(name = "apguard-hashes") {
    this.name = name;
  }

  /**
   * Returns the lists, or undefined if there are none. Damaged ones are removed, and the error is DAMAGED.
   *
   * @returns {Promise<HeldLists | undefined>}
   */
  async load() {
    const stored = await this.#do("readonly", (lists) => lists.get(key));
    if (stored === undefined) {
      return undefined;
    }
    if (!await isIntact(stored)) {
      await this.clear();
      throw damaged("the stored lists are not what was stored");
    }
    const { seal, ...held } = stored;
    return held;
  }

  /** @param {HeldLists} held */
  async save(held) {
    const seal = await sealOf(held);
    await this.#do("readwrite", (lists) => lists.put({ ...held, seal }, key));
  }

  async clear() {
    await this.#do("readwrite", (lists) => lists.delete(key));
  }

  /**
   * Does something in a transaction and returns the result after its end.
   *
   * @param {IDBTransactionMode} mode
   * @param {(lists: IDBObjectStore) => IDBRequest} act
   */
  async #do(mode, act) {
    try {
      const database = await this.#open();
      try {
        const transaction = database.transaction(objects, mode);
        const request = act(transaction.objectStore(objects));
        await new Promise((resolve, reject) => {
          transaction.oncomplete = resolve;
          transaction.onabort = () => reject(transaction.error);
        });
        return request.result;
      } finally {
        database.close();
      }
    } catch (cause) {
      throw new HashListError("STORAGE", `cannot store hash lists: ${cause}`, { cause });
    }
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    const request = indexedDB.open(this.name, format);
    return new Promise((resolve, reject) => {
      request.onupgradeneeded = () => request.result.createObjectStore(objects);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }
}

/**
 * Reports whether something that was stored has its seal.
 *
 * @param {Partial<Sealed>} stored
 */
async function isIntact({ rules, version, asOf, minimumWait, blocked, allowed, seal }) {
  if (typeof rules !== "number" || typeof version !== "string"
    || typeof asOf !== "number" || typeof minimumWait !== "number"
    || !(blocked instanceof ArrayBuffer) || !(allowed instanceof ArrayBuffer) || !(seal instanceof Uint8Array)) {
    return false;
  }
  return sameBytes(seal, await sealOf({ rules, version, asOf, minimumWait, blocked, allowed }));
}

/** @param {HeldLists} held */
async function sealOf({ rules, version, asOf, minimumWait, blocked, allowed }) {
  const sums = [...await checksumOf(blocked), ...await checksumOf(allowed)];
  const text = JSON.stringify({ format, rules, version, asOf, minimumWait, sums });
  return checksumOf(new TextEncoder().encode(text));
}
