// @ts-check
// Numbers as people read them.

const format = new Intl.NumberFormat("en");

/**
 * Returns a number with separators, such as 1,234,567.
 *
 * @param {number} number
 */
export function grouped(number) {
  return format.format(number);
}

/**
 * Returns a number with its noun, such as 1 key or 1,234 keys.
 *
 * @param {number} count
 * @param {string} noun one whose plural has an s more
 */
export function plural(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
