// @ts-check
// The encoding of protocol buffers, as far as hash lists need it: messages of varints and bytes. Unknown
// fields are skipped. Of a field that is repeated although it should not be, the last one counts.
import { damaged } from "./hash-error.js";

/**
 * A field of a message. The value of a varint is a number of 64 bits. That of another field is its bytes.
 *
 * @typedef {{ number: number, value: bigint | Uint8Array | undefined }} Field
 */

const wireTypes = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 };
const largestNumber = 2n ** 31n - 1n;
const maxGroups = 10_001; // nested in each other

/**
 * Yields the fields of a message.
 *
 * @param {Uint8Array} data
 * @returns {Generator<Field, void>}
 */
export function* fieldsOf(data) {
  const reader = new FieldReader(data);
  while (!reader.atEnd()) {
    yield reader.field();
  }
}

/** Reads fields from bytes. */
class FieldReader {
  #at = 0;

  /** @param {Uint8Array} data */
  constructor(data) {
    this.data = data;
  }

  atEnd() {
    return this.#at === this.data.length;
  }

  /** @returns {Field} */
  field() {
    const { number, type } = this.#tag();
    if (type === wireTypes.varint) {
      return { number, value: this.#varint() };
    }
    if (type === wireTypes.bytes) {
      return { number, value: this.#bytes(this.#varint()) };
    }
    this.#skip(number, type);
    return { number, value: undefined };
  }

  #tag() {
    const tag = this.#varint();
    const number = tag >> 3n;
    if (number < 1n || number > largestNumber) {
      throw damaged("invalid number of a field");
    }
    return { number: Number(number), type: Number(tag & 7n) };
  }

  #varint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.data[this.#at++];
      if (byte === undefined || (shift === 63n && byte > 1)) {
        throw damaged("invalid varint");
      }
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  }

  /** @param {bigint} length */
  #bytes(length) {
    if (length > this.data.length - this.#at) {
      throw damaged("a value ends early");
    }
    const start = this.#at;
    this.#at += Number(length);
    return this.data.subarray(start, this.#at);
  }

  /**
   * Skips the value of a field, and for a group everything up to its end.
   *
   * @param {number} number
   * @param {number} type
   */
  #skip(number, type) {
    /** @type {number[]} */
    const groups = [];
    for (let open = { number, type }; ; open = this.#tag()) {
      switch (open.type) {
        case wireTypes.varint:
          this.#varint();
          break;
        case wireTypes.fixed64:
          this.#bytes(8n);
          break;
        case wireTypes.bytes:
          this.#bytes(this.#varint());
          break;
        case wireTypes.fixed32:
          this.#bytes(4n);
          break;
        case wireTypes.startGroup:
          if (groups.length === maxGroups) {
            throw damaged("too many groups");
          }
          groups.push(open.number);
          break;
        case wireTypes.endGroup:
          if (groups.pop() !== open.number) {
            throw damaged("a group ends that did not begin");
          }
          break;
        default:
          throw damaged("unknown type of a field");
      }
      if (groups.length === 0) {
        return;
      }
    }
  }
}

/** @param {Field} field */
export function varintOf({ value }) {
  if (typeof value !== "bigint") {
    throw damaged("unexpected type of a field");
  }
  return value;
}

/** @param {Field} field */
export function bytesOf({ value }) {
  if (!(value instanceof Uint8Array)) {
    throw damaged("unexpected type of a field");
  }
  return value;
}

/**
 * Returns a number as protocol buffers do: the lowest 32 bits.
 *
 * @param {Field} field
 */
export const int32Of = (field) => Number(BigInt.asIntN(32, varintOf(field)));
