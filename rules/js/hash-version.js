// @ts-check
// Versions of hash lists, which tell those that are older, or of another store.
import { damaged } from "./hash-error.js";

/**
 * A version. The text is empty while a store has no change, and the position is then 0.
 *
 * @typedef {{ text: string, store: string, position: number }} Version
 */

const storeSize = 16;
const checksumSize = 4;
/** A version with the largest numbers. */
const maxSize = storeSize + 8 + 8 + checksumSize;

/** The version of lists of a store without changes. @type {Version} */
export const noVersion = { text: "", store: "", position: 0 };

/**
 * Reads a version.
 *
 * @param {Uint8Array} data
 * @returns {Version}
 */
export function parseVersion(data) {
  if (data.length === 0) {
    return noVersion;
  }
  const position = data.length <= maxSize ? readVarint(data, storeSize) : undefined;
  const internal = position && readVarint(data, position.end);
  const end = internal?.end ?? 0;
  if (!position || position.value === 0 || !internal || data.length !== end + checksumSize
    || viewOf(data).getUint32(end) !== crc32(data.subarray(0, end))) {
    throw damaged("invalid version");
  }
  const text = btoa(String.fromCharCode(...data)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return { text, store: viewOf(data).getBigUint64(0).toString(16) + "." + viewOf(data).getBigUint64(8).toString(16),
    position: position.value };
}

/**
 * Reads the bytes of the text of a version.
 *
 * @param {string} text
 */
export function parseVersionText(text) {
  const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return parseVersion(Uint8Array.from(characters, (character) => character.charCodeAt(0)));
}

/**
 * Reports whether a version is earlier than another one of the same store. The empty one is earlier than all
 * others.
 *
 * @param {Version} version
 * @param {Version} other
 */
export function isBefore(version, other) {
  return (version.store === other.store || version.text === "") && version.position < other.position;
}

/** @param {Uint8Array} data */
const viewOf = (data) => new DataView(data.buffer, data.byteOffset, data.byteLength);

/**
 * Reads a number, which must be a safe integer in its shortest form.
 *
 * @param {Uint8Array} data
 * @param {number} start
 */
function readVarint(data, start) {
  let value = 0;
  for (let at = start, factor = 1; at < data.length; at++, factor *= 128) {
    const byte = data[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) {
      const shortest = byte > 0 || at === start;
      return shortest && Number.isSafeInteger(value) ? { value, end: at + 1 } : undefined;
    }
  }
  return undefined;
}

/**
 * Returns the CRC-32 (IEEE) of data.
 *
 * @param {Uint8Array} data
 */
function crc32(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}
