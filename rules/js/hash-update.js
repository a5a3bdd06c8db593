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
 * A response: bodies, of which each but the first is the difference to the lists after the one before. The version is
 * that of the lists after all of them, if it is known. Without a body, it says that what is held has it, and only the
 * time is new.
 *
 * @typedef {{ bodies: Uint8Array[], version?: string, asOf: number, rules: number }} HashListResponse
 */

/**
 * Returns what is held after all bodies of a response. All of them are verified before. The error is DAMAGED, REPLAYED
 * or DOWNGRADED.
 *
 * @param {HeldLists | undefined} held
 * @param {HashListResponse} response
 * @returns {Promise<HeldLists>}
 */
export async function updated(held, { bodies, version, asOf, rules }) {
  if (bodies.length === 0 && version !== undefined) {
    if (held?.version !== version) {
      throw replayed();
    }
    return { ...held, asOf };
  }
  let next = held;
  for (const [i, data] of bodies.entries()) {
    // The lists in between may be older than those that are held.
    const latest = held && i === bodies.length - 1 ? parseVersionText(held.version) : noVersion;
    next = { ...await updatedOnce(next, data, latest), asOf, rules };
  }
  if (!next || (version !== undefined && next.version !== version)) {
    throw damaged("another version than that of the response");
  }
  return next;
}

/**
 * Returns what is held after a body, which must not be older than the latest version.
 *
 * @param {HeldLists | undefined} held
 * @param {Uint8Array} data
 * @param {Version} latest
 */
async function updatedOnce(held, data, latest) {
  const lists = decodeMessage(data);
  const [blocked, allowed] = lists;
  if (!blocked || !allowed) {
    throw damaged(`${lists.length} lists`);
  }
  if (!lists.every((list, i) => belongs(list, names[i], blocked))) {
    throw damaged("lists do not belong together");
  }
  const version = parseVersion(blocked.version);
  if (isBefore(version, latest)) {
    throw downgraded();
  }
  requireSuccessor(held, version, lists);
  const old = held && blocked.partial ? held : { blocked: new ArrayBuffer(0), allowed: new ArrayBuffer(0) };
  return {
    version: version.text,
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
 * Requires that a difference is one to what is held.
 *
 * @param {HeldLists | undefined} held
 * @param {Version} version
 * @param {ListMessage[]} lists
 */
function requireSuccessor(held, version, lists) {
  const partial = lists.some((list) => list.partial);
  const current = held ? parseVersionText(held.version) : noVersion;
  const changes = lists.some(({ removals, additions }) => removals || additions);
  const repeats = changes && !isBefore(current, version);
  if (partial && (!held || version.store !== current.store || repeats)) {
    throw replayed();
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

const replayed = () => new HashListError("REPLAYED", "hash list is the difference to another one");

const downgraded = () => new HashListError("DOWNGRADED", "hash list is older than the one that is held");
