// @ts-check
// The message with hash lists: BatchGetHashListsResponse of Safe Browsing v5, with the fields that
// docs/hashes.md describes.
import { damaged } from "./hash-error.js";
import { bytesOf, fieldsOf, int32Of, varintOf } from "./hash-fields.js";

/** @import { Field } from "./hash-fields.js" */

/**
 * A set of at least one number in Rice-delta coding. It has the smallest number and the differences between
 * neighbors.
 *
 * @typedef {{ first: bigint, parameter: number, deltas: number, data: Uint8Array }} Rice
 */

/**
 * A list of hashes, or the difference between two of them. Additions are hashes, and removals are indices.
 * The minimum wait is in milliseconds.
 *
 * @typedef {object} ListMessage
 * @property {string} name
 * @property {Uint8Array} version
 * @property {boolean} partial
 * @property {Rice} [additions]
 * @property {Rice} [removals]
 * @property {number} minimumWait
 * @property {Uint8Array} checksum
 */

const hashLists = 1;
const listFields = {
  name: 1, version: 2, partial: 3, removals: 5, minimumWait: 6, checksum: 7, additions: 9,
};
const riceFields = { first: 1, parameter: 2, deltas: 3, data: 4 };
const durationFields = { seconds: 1, nanos: 2 };

/** The codings of the protocol, with the limits of the numbers and of the parameter. */
const codings = {
  additions: { largest: 2n ** 64n - 1n, least: 35, most: 62 },
  removals: { largest: 2n ** 32n - 1n, least: 3, most: 30 },
};

/** A duration of so many seconds is longer than clients know. */
const tooManySeconds = 9_223_372_036n;

/**
 * Returns the lists of a message. Their numbers are not read yet.
 *
 * @param {Uint8Array} data
 */
export function decodeMessage(data) {
  /** @type {ListMessage[]} */
  const lists = [];
  for (const field of fieldsOf(data)) {
    if (field.number === hashLists) {
      lists.push(decodeList(bytesOf(field)));
    }
  }
  return lists;
}

/** @param {Uint8Array} data */
function decodeList(data) {
  const nothing = new Uint8Array();
  /** @type {ListMessage} */
  const list = { name: "", version: nothing, partial: false, minimumWait: 0, checksum: nothing };
  for (const field of fieldsOf(data)) {
    switch (field.number) {
      case listFields.name:
        list.name = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(field));
        break;
      case listFields.version:
        list.version = bytesOf(field);
        break;
      case listFields.partial:
        list.partial = varintOf(field) !== 0n;
        break;
      case listFields.removals:
        list.removals = decodeRice(field, codings.removals);
        break;
      case listFields.minimumWait:
        list.minimumWait = decodeDuration(bytesOf(field));
        break;
      case listFields.checksum:
        list.checksum = bytesOf(field);
        break;
      case listFields.additions:
        list.additions = decodeRice(field, codings.additions);
        break;
    }
  }
  return list;
}

/**
 * Decodes the form of a Rice-delta coding. The data limits the number of entries, and so what a reader must
 * store.
 *
 * @param {Field} of
 * @param {{ largest: bigint, least: number, most: number }} coding
 */
function decodeRice(of, { largest, least, most }) {
  /** @type {Rice} */
  const rice = { first: 0n, parameter: 0, deltas: 0, data: new Uint8Array() };
  for (const field of fieldsOf(bytesOf(of))) {
    switch (field.number) {
      case riceFields.first:
        rice.first = varintOf(field);
        break;
      case riceFields.parameter:
        rice.parameter = int32Of(field);
        break;
      case riceFields.deltas:
        rice.deltas = int32Of(field);
        break;
      case riceFields.data:
        rice.data = bytesOf(field);
        break;
    }
  }
  if (rice.first > largest) {
    throw damaged("first value out of range");
  }
  if (rice.deltas < 0) {
    throw damaged("negative number of entries");
  }
  if (rice.deltas > 0 && (rice.parameter < least || rice.parameter > most)) {
    throw damaged("Rice parameter out of range");
  }
  if (rice.deltas * (rice.parameter + 1) > 8 * rice.data.length) {
    throw damaged("fewer data than entries");
  }
  return rice;
}

/**
 * Returns a google.protobuf.Duration in milliseconds.
 *
 * @param {Uint8Array} data
 */
function decodeDuration(data) {
  let [seconds, nanos] = [0n, 0n];
  for (const field of fieldsOf(data)) {
    if (field.number === durationFields.seconds) {
      seconds = varintOf(field);
    } else if (field.number === durationFields.nanos) {
      nanos = varintOf(field);
    }
  }
  if (seconds >= tooManySeconds || nanos >= 1_000_000_000n) {
    throw damaged("duration out of range");
  }
  return Number(seconds) * 1000 + Number(nanos) / 1_000_000;
}
