// @ts-check
// The domain that a name in other letters looks like, with what a check says of that domain.
import { checkAsset } from "./asset-card.js";
import { fill, h } from "./dom.js";
import { badge } from "./parts.js";
import { clipped } from "./safe-text.js";

/**
 * Returns a notice. The status of the domain follows when the server has answered, if it knows one.
 *
 * @param {string} domain
 * @param {string} address where the link to the domain leads in the page
 * @param {AbortSignal} signal
 */
export function lookAlike(domain, address, signal) {
  const status = h("span", {});
  checkAsset(domain, signal).then((checked) => {
    if (checked !== null && checked.status !== "UNKNOWN") {
      fill(status, ", which is ", badge(checked.status));
    }
  }, () => {}); // the view is left
  return h("p", { class: "notice warn" }, "Looks like ", h("a", { href: address }, clipped(domain)), status);
}
