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
