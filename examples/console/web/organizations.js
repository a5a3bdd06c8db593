// @ts-check
// The names of organizations, each of which is asked for once.
import { operatorGet } from "./api.js";

/** @type {Map<number, string>} */
const known = new Map();

/**
 * Returns the name of an organization with its ID, or only the ID if the organization is gone.
 *
 * @param {number} id
 */
export async function organizationName(id) {
  const found = known.get(id);
  if (found !== undefined) {
    return found;
  }
  try {
    const { name, slug } = await operatorGet("/organization/get", { id });
    const text = `${name || slug} (#${id})`;
    known.set(id, text);
    return text;
  } catch {
    return `#${id}`;
  }
}
