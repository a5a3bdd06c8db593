// @ts-check
// What a whole host lets through once it is allowed, in words.
import { plural } from "./numbers.js";

/** @import { components } from "./api-types.js" */
/** @typedef {components["schemas"]["Wide"]} Wide */

/** @type {Record<NonNullable<Wide["protection"]>, string>} */
const hosts = { PLATFORM: "a host of a platform", POPULAR: "a popular host", NAME: "a protected host" };

/**
 * Returns what several wide assets have in common.
 *
 * @param {Wide} wide
 */
export function wideCause({ protection }) {
  return protection === null ? "BLOCKED assets are below it" : `Allows everything below ${hosts[protection]}`;
}

/**
 * Returns why nobody should allow an asset by accident.
 *
 * @param {Wide} wide
 */
export function wideText(wide) {
  const { protection, blockedBelow } = wide;
  const below = `${plural(blockedBelow, "BLOCKED asset")} ${blockedBelow === 1 ? "is" : "are"} below it`;
  return protection === null ? below : wideCause(wide) + (blockedBelow > 0 ? `, and ${below}` : "");
}
