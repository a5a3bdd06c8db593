// @ts-check
// What a client holds, and what it holds after a response.
import { HashListError, damaged } from "./hash-error.js";
import { decodeMessage } from "./hash-message.js";
import { changedSet, sameBytes } from "./hash-set.js";
import { isBefore, noVersion, parseVersion, parseVersionText } from "./hash-version.js";

/** @import { HeldLists } from "./hashlist.js" */
/** @import { ListMessage } from "./hash-message.js" */
/** @import { Version } from "./hash-version.js" */

/** The names of the lists in a response, in order. */
const names = /** @type {const} */ (["blocked", "allowed"]);

/**
 * Returns what is held after a response. All of it is verified before. The error is DAMAGED, REPLAYED or
 * DOWNGRADED.
 *
 * @param {HeldLists | undefined} held
 * @param {Uint8Array} data
 * @param {number} asOf
 * @returns {Promise<Omit<HeldLists, "rules">>}
 */
export async function updated(held, data, asOf) {
  const lists = decodeMessage(data);
  const [blocked, allowed] = lists;
  if (!blocked || !allowed) {
    throw damaged(`${lists.length} lists`);
  }
  if (!lists.every((list, i) => belongs(list, names[i], blocked))) {
    throw damaged("lists do not belong together");
  }
  const version = parseVersion(blocked.version);
  requireSuccessor(held, version, lists);
  const old = held && blocked.partial ? held : { blocked: new ArrayBuffer(0), allowed: new ArrayBuffer(0) };
  return {
    version: version.text,
    asOf,
    minimumWait: blocked.minimumWait,
    blocked: await changedSet(old.blocked, blocked),
    allowed: await changedSet(old.allowed, allowed),
  };
}

/**
 * @param {ListMessage} list
 * @param {string | undefined} name
 * @param {ListMessage} first
 */
function belongs(list, name, first) {
  return list.name === name && list.partial === first.partial && sameBytes(list.version, first.version);
}

/**
 * Requires that a response follows what is held: it is not older, and a difference is one to what is held.
 *
 * @param {HeldLists | undefined} held
 * @param {Version} version
 * @param {ListMessage[]} lists
 */
function requireSuccessor(held, version, lists) {
  const partial = lists.some((list) => list.partial);
  const current = held ? parseVersionText(held.version) : noVersion;
  if (isBefore(version, current)) {
    throw downgraded();
  }
  const changes = lists.some(({ removals, additions }) => removals || additions);
  const repeats = changes && !isBefore(current, version);
  if (partial && (!held || version.store !== current.store || repeats)) {
    throw new HashListError("REPLAYED", "hash list is the difference to another one");
  }
}

/**
 * Requires that lists that were stored are not older than what is held.
 *
 * @param {HeldLists | undefined} held
 * @param {HeldLists} stored
 */
export function requireNotOlder(held, stored) {
  if (held && isBefore(parseVersionText(stored.version), parseVersionText(held.version))) {
    throw downgraded();
  }
}

const downgraded = () => new HashListError("DOWNGRADED", "hash list is older than the one that is held");
