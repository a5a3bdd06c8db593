// @ts-check
// Reads numbers in Rice-delta coding. Hashes are read as two numbers of 32 bits, because a bigint for each
// takes many times as long.
import { damaged } from "./hash-error.js";

/** @import { Rice } from "./hash-message.js" */

/** The number of bytes of a hash. */
export const hashSize = 8;
const span = 2 ** 32;

/** @param {Rice | undefined} rice */
const numberCount = (rice) => (rice ? rice.deltas + 1 : 0);

/**
 * Returns hashes, each as 8 bytes, the most significant one first. They ascend.
 *
 * @param {Rice | undefined} rice
 */
export function readHashes(rice) {
  const hashes = new DataView(new ArrayBuffer(numberCount(rice) * hashSize));
  if (!rice) {
    return hashes;
  }
  const bits = new BitReader(rice.data);
  const highBits = rice.parameter - 32;
  let high = Number(rice.first >> 32n);
  let low = Number(rice.first & 0xffffffffn);
  hashes.setUint32(0, high);
  hashes.setUint32(4, low);
  for (let i = 1; i <= rice.deltas; i++) {
    const quotient = bits.ones();
    const deltaLow = bits.read(32);
    const deltaHigh = quotient * 2 ** highBits + bits.read(highBits);
    low += deltaLow;
    high += deltaHigh + (low >= span ? 1 : 0);
    if ((deltaLow === 0 && deltaHigh === 0) || high >= span) {
      throw damaged("hashes are not ascending");
    }
    low >>>= 0;
    hashes.setUint32(i * hashSize, high);
    hashes.setUint32(i * hashSize + 4, low);
  }
  return hashes;
}

/**
 * Returns indices. They ascend.
 *
 * @param {Rice | undefined} rice
 */
export function readIndices(rice) {
  const indices = new Uint32Array(numberCount(rice));
  if (!rice) {
    return indices;
  }
  const bits = new BitReader(rice.data);
  let index = Number(rice.first);
  indices[0] = index;
  for (let i = 1; i <= rice.deltas; i++) {
    const delta = bits.ones() * 2 ** rice.parameter + bits.read(rice.parameter);
    index += delta;
    if (delta === 0 || index >= span) {
      throw damaged("indices are not ascending");
    }
    indices[i] = index;
  }
  return indices;
}

/** Reads bits. The first one is the least significant bit of the first byte. */
class BitReader {
  #at = 0;
  #end;
  #view;

  /** @param {Uint8Array} data */
  constructor(data) {
    const padded = new Uint8Array(data.length + 16); // so that every read is of whole words
    padded.set(data);
    this.#view = new DataView(padded.buffer);
    this.#end = 8 * data.length;
  }

  /** Reads ones up to a zero, and the zero. Returns the number of ones. */
  ones() {
    for (let count = 0; this.#at < this.#end;) {
      const used = this.#at & 7;
      const zeros = ~(this.#view.getUint32(this.#at >>> 3, true) >>> used);
      const ones = zeros === 0 ? 32 : 31 - Math.clz32(zeros & -zeros);
      if (ones < 32 - used) {
        this.#advance(ones + 1);
        return count + ones;
      }
      count += 32 - used;
      this.#at += 32 - used;
    }
    throw damaged("the data ends early");
  }

  /**
   * Reads a number of 1 to 32 bits, the lowest one first.
   *
   * @param {number} count
   */
  read(count) {
    const at = this.#at >>> 3;
    const used = this.#at & 7;
    let value = this.#view.getUint32(at, true) >>> used;
    if (used > 0) {
      value |= this.#view.getUint8(at + 4) << (32 - used);
    }
    this.#advance(count);
    return (count === 32 ? value : value & (2 ** count - 1)) >>> 0;
  }

  /** @param {number} count */
  #advance(count) {
    this.#at += count;
    if (this.#at > this.#end) {
      throw damaged("the data ends early");
    }
  }
}
