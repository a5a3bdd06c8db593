// @ts-check
// A sorted set of hashes: an ArrayBuffer with 8 bytes for each, the most significant one first.
import { damaged } from "./hash-error.js";
import { hashSize, readHashes, readIndices } from "./hash-rice.js";

/** @import { ListMessage } from "./hash-message.js" */

/**
 * Returns the set after the removals and then the additions of a list. It must have the checksum.
 *
 * @param {ArrayBuffer} old
 * @param {ListMessage} list
 */
export async function changedSet(old, list) {
  const oldCount = old.byteLength / hashSize;
  const removals = readIndices(list.removals);
  const additions = readHashes(list.additions);
  if (removals.length > 0 && /** @type {number} */ (removals.at(-1)) >= oldCount) {
    throw damaged("removal of an index that the list does not have");
  }
  const unchanged = removals.length === 0 && additions.byteLength === 0;
  const set = unchanged ? old : merged(new DataView(old), removals, additions);
  if (!sameBytes(await checksumOf(set), list.checksum)) {
    throw damaged(`checksum mismatch of ${list.name}`);
  }
  return set;
}

/**
 * @param {DataView} old
 * @param {Uint32Array} removals
 * @param {DataView} additions
 */
function merged(old, removals, additions) {
  const set = new DataView(new ArrayBuffer(old.byteLength - removals.length * hashSize + additions.byteLength));
  let [at, removed, added] = [0, 0, 0];
  const append = (/** @type {number} */ high, /** @type {number} */ low) => {
    set.setUint32(at, high);
    set.setUint32(at + 4, low);
    at += hashSize;
  };
  for (let from = 0; from < old.byteLength; from += hashSize) {
    if (removed < removals.length && removals[removed] === from / hashSize) {
      removed++;
      continue;
    }
    const high = old.getUint32(from);
    const low = old.getUint32(from + 4);
    for (; added < additions.byteLength; added += hashSize) {
      const order = compare(additions, added, high, low);
      if (order === 0) {
        throw damaged("addition of a hash that is present");
      }
      if (order > 0) {
        break;
      }
      append(additions.getUint32(added), additions.getUint32(added + 4));
    }
    append(high, low);
  }
  for (; added < additions.byteLength; added += hashSize) {
    append(additions.getUint32(added), additions.getUint32(added + 4));
  }
  return set.buffer;
}

/**
 * Compares a hash of a set with another one. The result is negative, zero or positive.
 *
 * @param {DataView} set
 * @param {number} at
 * @param {number} high
 * @param {number} low
 */
function compare(set, at, high, low) {
  return set.getUint32(at) - high || set.getUint32(at + 4) - low;
}

/**
 * Reports whether a set has a hash, of which the highest and the lowest 32 bits are given.
 *
 * @param {DataView} set
 * @param {number} high
 * @param {number} low
 */
export function has(set, high, low) {
  let [first, end] = [0, set.byteLength / hashSize];
  while (first < end) {
    const middle = (first + end) >>> 1;
    const order = compare(set, middle * hashSize, high, low);
    if (order === 0) {
      return true;
    }
    if (order < 0) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return false;
}

/**
 * Returns the SHA-256 of bytes.
 *
 * @param {BufferSource} data
 */
export const checksumOf = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
export function sameBytes(one, other) {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
