// @ts-check
// Names of users and organizations, and whose keys the page has.
import { get, operatorGet } from "./api.js";
import { currentKeys } from "./session.js";

/** @import { components } from "./operator-types.js" */
/** @import { KeyName } from "./session.js" */
/** @typedef {components["schemas"]["Caller"]} Caller */
/** @typedef {{ id: number, fullName: string | null }} Person */
/** @typedef {{ id: number, slug: string | null, name: string | null }} Organization */

/**
 * What is known of the keys that the page had last.
 *
 * @type {Record<KeyName, { key: string, id: number, asked: Promise<Caller> } | undefined>}
 */
const owners = { key: undefined, operatorKey: undefined };

/**
 * Returns whose key the page has. It asks once, and again after a failure.
 *
 * @param {KeyName} which
 * @returns {Promise<Caller>}
 */
export function caller(which) {
  const key = currentKeys()[which];
  const known = owners[which];
  if (known?.key === key) {
    return known.asked;
  }
  const asked = which === "key" ? get("/caller/get", undefined) : operatorGet("/caller/get", undefined);
  const owner = owners[which] = { key, id: 0, asked };
  asked.then(({ user }) => { owner.id = user?.id ?? 0; }, () => {
    if (owners[which] === owner) {
      owners[which] = undefined;
    }
  });
  return asked;
}

/**
 * Returns the user of the present operator key, or null if it has none.
 *
 * @returns {Promise<Person | null>}
 */
export async function ownUser() {
  return (await caller("operatorKey")).user;
}

/**
 * Returns a name, or the ID of somebody without one.
 *
 * @param {Person} person
 */
export function nameOf({ id, fullName }) {
  const name = fullName || `user ${id}`;
  return isOwn(id) ? `${name} (you)` : name;
}

/**
 * Returns whether a user is that of the present operator key, as far as caller knows.
 *
 * @param {number} id
 */
export function isOwn(id) {
  const own = owners.operatorKey;
  return id === own?.id && own.key === currentKeys().operatorKey;
}

/**
 * Returns the name of an organization, or its ID if it is gone.
 *
 * @param {Organization} organization
 */
export function labelOf({ id, slug, name }) {
  return name || slug || `organization ${id}`;
}

/**
 * Returns the name of an organization with its ID, or only the ID if the organization is gone.
 *
 * @param {Organization} organization
 */
export function organizationName({ id, slug, name }) {
  const known = name ?? slug;
  return known === null ? `#${id}` : `${known} (#${id})`;
}
