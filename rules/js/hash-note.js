// @ts-check
// Opens signed notes as golang.org/x/mod/sumdb/note does: a text, an empty line, and lines with signatures.
import { HashListError } from "./hash-error.js";
import { checksumOf } from "./hash-set.js";

/**
 * The public key of a publisher. The ID has the name and the hash of the key, as signatures have them.
 *
 * @typedef {{ id: string, key: CryptoKey }} Verifier
 */

const ed25519 = 1;
const keySize = 32;
const hashSize = 4;
const maxSignatures = 100;
const prefix = "\u2014 ";
/** What names do not have: white space and plus signs. */
const notInNames = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000+]/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @param {string} reason */
const refused = (reason) => new HashListError("SIGNATURE", `manifest is not signed with the verifier key: ${reason}`);

/** @param {string} reason */
const badKey = (reason) => new HashListError("SIGNATURE", `verifier key must have the form NAME+HASH+KEY: ${reason}`);

/**
 * Reads verifier keys, separated by white space.
 *
 * @param {string} text
 */
export function parseVerifierKeys(text) {
  if (!globalThis.crypto?.subtle) {
    throw new HashListError("UNSUPPORTED", "no WebCrypto: the page must have https, or be on localhost");
  }
  return Promise.all(text.trim().split(/\s+/).map(parseVerifierKey));
}

/**
 * Reads a verifier key: NAME+HASH+KEY. The first byte of the key names the algorithm, and the hash is the beginning
 * of the SHA-256 of the name, a newline and the key.
 *
 * @param {string} text
 * @returns {Promise<Verifier>}
 */
async function parseVerifierKey(text) {
  const [name = "", hash = "", ...rest] = text.split("+");
  const key = bytesOf(rest.join("+"));
  if (!isName(name) || !/^[0-9a-f]{8}$/i.test(hash) || key?.length !== keySize + 1 || key[0] !== ed25519) {
    throw badKey("it is malformed");
  }
  const named = new TextEncoder().encode(`${name}\n`);
  const sum = await checksumOf(new Uint8Array([...named, ...key]));
  if (hexOf(sum.subarray(0, hashSize)) !== hash.toLowerCase()) {
    throw badKey("the hash is not that of the key");
  }
  try {
    const imported = await crypto.subtle.importKey("raw", key.subarray(1), { name: "Ed25519" }, false, ["verify"]);
    return { id: `${name} ${hash.toLowerCase()}`, key: imported };
  } catch (cause) {
    if (/** @type {Error} */ (cause).name === "DataError") {
      throw badKey("the key is invalid");
    }
    throw new HashListError("UNSUPPORTED", `WebCrypto of this runtime has no Ed25519: ${cause}`, { cause });
  }
}

/**
 * Returns the text of a note that one of the keys has signed. Signatures of other keys are ignored, and a wrong one of
 * a known key is not. The error is SIGNATURE.
 *
 * @param {Uint8Array} data
 * @param {Verifier[]} verifiers
 */
export async function openNote(data, verifiers) {
  const note = textOf(data);
  const split = note.lastIndexOf("\n\n");
  const signatures = note.slice(split + 2);
  if (split < 0 || !signatures.endsWith("\n")) {
    throw refused("it is not a signed note");
  }
  const lines = signatures.slice(0, -1).split("\n").map(parseSignature);
  if (lines.length > maxSignatures) {
    throw refused("too many signatures");
  }
  const text = note.slice(0, split + 1);
  const signed = new TextEncoder().encode(text);
  let known = 0;
  for (const { id, key } of verifiers) {
    const own = lines.find((line) => line.id === id);
    if (own && !await crypto.subtle.verify({ name: "Ed25519" }, key, own.signature, signed)) {
      throw refused("wrong signature");
    }
    known += own ? 1 : 0;
  }
  if (known === 0) {
    throw refused("it has no signature of this key");
  }
  return text;
}

/**
 * Returns the UTF-8 text of a note, which has no control characters but newlines.
 *
 * @param {Uint8Array} data
 */
function textOf(data) {
  try {
    if (data.every((byte) => byte >= 0x20 || byte === 0x0a)) {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    }
  } catch {
    // as below
  }
  throw refused("it is not text");
}

/**
 * Reads a line with the name of a key, and in base64 its hash and the signature.
 *
 * @param {string} line
 */
function parseSignature(line) {
  const space = line.indexOf(" ", prefix.length);
  const name = line.slice(prefix.length, space);
  const data = bytesOf(line.slice(space + 1));
  if (!line.startsWith(prefix) || space < 0 || !isName(name) || !data || data.length <= hashSize) {
    throw refused("malformed signature");
  }
  return { id: `${name} ${hexOf(data.subarray(0, hashSize))}`, signature: data.subarray(hashSize) };
}

/** @param {string} name */
const isName = (name) => name !== "" && !notInNames.test(name);

/** @param {Uint8Array} data */
const hexOf = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Returns the bytes of a text in base64, or undefined.
 *
 * @param {string} text
 */
function bytesOf(text) {
  return base64.test(text) ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined;
}
