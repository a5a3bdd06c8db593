// @ts-check
// What adding a list would unblock or let through, in words, and the question before it.
import { commonCauses } from "./allowlist-causes.js";
import { needsConfirmation } from "./allowlist-lines.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { grouped, plural } from "./numbers.js";
import { rowText } from "./safe-text.js";
import { wideText } from "./wide.js";

/** @import { Line, Lines } from "./allowlist-lines.js" */
/** @import { Run } from "./allowlist-run.js" */

/** How many causes are named in the question. */
const named = 5;

/**
 * Returns what is to be confirmed before a list is sent: a sentence for what is BLOCKED, and one for what is wide.
 *
 * @param {Lines["counts"]} counts
 */
export function confirmTexts({ wouldUnblock, wouldWiden }) {
  return [
    wouldUnblock === 1 && "1 of these is BLOCKED: adding it allows it for everyone.",
    wouldUnblock > 1 && `${grouped(wouldUnblock)} of these are BLOCKED: adding them allows them for everyone.`,
    wouldWiden === 1 && "1 of these is a whole host: adding it allows everything below it that is not BLOCKED itself.",
    wouldWiden > 1 && `${grouped(wouldWiden)} of these are whole hosts: adding them allows everything below them `
      + "that is not BLOCKED itself.",
  ].filter((text) => text !== false);
}

/** @param {Lines["counts"]} counts */
function titleOf({ wouldUnblock, wouldWiden }) {
  const acts = [
    wouldUnblock > 0 && `unblock ${plural(wouldUnblock, "asset")}`,
    wouldWiden > 0 && `allow everything below ${plural(wouldWiden, "host")}`,
  ].filter((text) => text !== false).join(", and ");
  return `${acts.charAt(0).toUpperCase()}${acts.slice(1)}?`;
}

/**
 * Asks whether to add what needs a confirmation. The first answer leaves those assets out.
 *
 * @param {Lines} list
 * @param {() => void} send
 */
export function askToConfirm(list, send) {
  const { wouldAdd, wouldUnblock, wouldWiden, toConfirm } = list.counts;
  const causes = commonCauses(list.all.filter(needsConfirmation));
  const shown = causes.slice(0, named);
  const others = toConfirm - shown.reduce((count, { lines }) => count + lines.length, 0);
  ask({
    title: titleOf(list.counts),
    fields: [
      ...confirmTexts(list.counts).map((text) => h("p", { class: "bad" }, h("strong", {}, text))),
      h("ul", {}, shown.map(causeItem)),
      h("p", {}, others > 0 && `And ${grouped(others)} others. `,
        wouldWiden === 0 ? "They stay BLOCKED if you leave them out." : "They stay as they are if you leave them out."),
    ],
    action: `Leave them out, add ${grouped(wouldAdd - toConfirm)}`,
    danger: {
      label: `${wouldUnblock > 0 ? `Unblock ${grouped(wouldUnblock)}, add` : "Add"} all ${grouped(wouldAdd)}`,
      value: "all",
    },
    act: async (form) => {
      if (form.get("choice") !== "all") {
        list.leaveOut();
      }
      send();
      return [];
    },
  });
}

/** @param {ReturnType<typeof commonCauses>[number]} cause */
function causeItem({ text, blocker, lines }) {
  const [{ content, wide }] = /** @type {[Line]} */ (lines);
  const several = lines.length > 1;
  if (blocker === undefined) {
    return several || !wide ? h("li", {}, `${text}: ${plural(lines.length, "host")}`)
      : h("li", {}, `${wideText(wide)}: `, rowText(content));
  }
  return h("li", {}, several ? plural(lines.length, "asset") : rowText(content),
    (several || wide || content !== blocker) && [`, ${text} `, rowText(blocker)]);
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

/**
 * Asks before what a list has added is removed.
 *
 * @param {Run} run
 */
export function askToTakeBack(run) {
  const { added } = run.list.counts;
  ask({
    title: `Take back ${plural(added, "addition")}?`, careful: true, action: `Take back ${grouped(added)}`,
    fields: [h("p", {}, "They leave the allowlist of your organization. Other allowlists, lists and operators then "
      + "give their status, and otherwise it is unknown.")],
    act: async () => {
      void run.takeBack();
      return [];
    },
  });
}
