// @ts-check
// What the first page of a list, read again, changes in what was read of the list before.

/**
 * @template T
 * @typedef {object} Read
 * @property {T[]} items
 * @property {string | number | null} following the cursor of the next page
 * @property {T | undefined} [lastRead] the last record that was read, also if it is not among the items
 */

/**
 * Returns the list as it is now. What was read after the first page stays as it was. Records that are not in the list
 * any more stay in their places until the caller drops them.
 *
 * @template {{ id: number | string }} T
 * @param {Read<T>} before
 * @param {Read<T>} first the first page
 * @param {(a: T, b: T) => number} order that of the list
 * @param {string | number | null} again the cursor of the page that was read last
 * @returns {Read<T> & { gone: Set<T["id"]>, fresh: T[], atEnd: boolean }} with the IDs of those that are not in the
 *   list any more, and those that are new, and whether these come after all others
 */
export function merged(before, first, order, again) {
  const last = first.lastRead ?? first.items.at(-1);
  const present = new Map(first.items.map((record) => [record.id, record]));
  const known = new Map(before.items.map((record) => [record.id, record]));
  const isLater = (/** @type {T} */ record) =>
    first.following !== null && last !== undefined && order(record, last) > 0;
  const left = before.items.filter((record) => !present.has(record.id) && !isLater(record));
  const fresh = first.items.filter(({ id }) => !known.has(id));
  const items = [
    ...first.items.map((record) => unlessSame(known.get(record.id), record)),
    ...before.items.filter(({ id }) => !present.has(id)),
  ].sort(order);
  const later = before.items.some(isLater);
  const end = before.items.at(-1);
  return {
    items, gone: new Set(left.map(({ id }) => id)), fresh,
    atEnd: end === undefined || fresh.every((record) => order(record, end) > 0),
    // Records that are new at the end of a long list are on the page that was the last one.
    following: first.following === null || !later ? first.following : before.following ?? again ?? first.following,
  };
}

/**
 * Returns a record as it was known if it has not changed, so that it need not be drawn again.
 *
 * @template T
 * @param {T | undefined} known
 * @param {T} record
 */
export function unlessSame(known, record) {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(record) ? known : record;
}
