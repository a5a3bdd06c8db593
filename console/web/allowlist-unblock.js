// @ts-check
// What adding a list would unblock, in words, and the question before it.
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { grouped } from "./numbers.js";
import { rowText } from "./safe-text.js";

/** @import { Lines } from "./allowlist-lines.js" */

/** How many of the assets are named in the question. */
const named = 5;

/** @param {number} count */
const assets = (count) => `${grouped(count)} asset${count === 1 ? "" : "s"}`;

/** @param {number} count */
export function unblocksText(count) {
  return count === 1
    ? "1 of these is BLOCKED: adding it allows it for everyone."
    : `${grouped(count)} of these are BLOCKED: adding them allows them for everyone.`;
}

/**
 * Asks whether to unblock. The first answer leaves those assets out.
 *
 * @param {Lines} list
 * @param {() => void} send
 */
export function askToUnblock(list, send) {
  const { wouldAdd, wouldUnblock } = list.counts;
  const lines = list.all.filter(({ unblocks }) => unblocks !== undefined).slice(0, named);
  ask({
    title: `Unblock ${assets(wouldUnblock)}?`,
    fields: [
      h("p", { class: "bad" }, h("strong", {}, unblocksText(wouldUnblock))),
      h("ul", {}, lines.map(({ content, unblocks = "" }) =>
        h("li", {}, rowText(content), content !== unblocks && [", BLOCKED by ", rowText(unblocks)]))),
      h("p", {}, wouldUnblock > named && `And ${grouped(wouldUnblock - named)} others. `,
        "They stay BLOCKED if you leave them out."),
    ],
    action: `Leave them out, add ${grouped(wouldAdd - wouldUnblock)}`,
    danger: { label: `Unblock ${grouped(wouldUnblock)}, add all ${grouped(wouldAdd)}`, value: "unblock" },
    act: async (form) => {
      if (form.get("choice") !== "unblock") {
        list.leaveOut();
      }
      send();
      return [];
    },
  });
}

/**
 * Asks before a list is sent of which the server does not say what is blocked.
 *
 * @param {number} count
 * @param {() => void} send
 */
export function askWithoutPlan(count, send) {
  ask({
    title: "Add without a plan?", careful: true, action: `Add ${grouped(count)} lines`,
    fields: [h("p", {}, "Your key may not ask what is BLOCKED now. What is added becomes ALLOWED for everyone, also if "
      + "it is a fraud that somebody has blocked.")],
    act: async () => {
      send();
      return [];
    },
  });
}
