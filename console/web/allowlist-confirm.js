// @ts-check
// What adding a list would unblock, let through or be mistaken for, in words, and the question before it.
import { commonCauses, doubtOf, doubtText } from "./allowlist-causes.js";
import { isLookAlike, needsConfirmation } from "./allowlist-lines.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { grouped, plural } from "./numbers.js";
import { rowText } from "./safe-text.js";
import { wideText } from "./wide.js";

/** @import { Line, Lines } from "./allowlist-lines.js" */
/** @import { Run } from "./allowlist-run.js" */

/** How many causes are named in the question at once, and how many when somebody asks for the others. */
const named = 5;
const most = 500;

/**
 * Returns what is to be confirmed before a list is sent: a sentence for what is BLOCKED, one for what is
 * wide, and one for what looks like another domain.
 *
 * @param {Lines["counts"]} counts
 */
export function confirmTexts({ wouldUnblock, wouldWiden, wouldMislead }) {
  return [
    wouldUnblock === 1 && "1 of these is BLOCKED: adding it allows it for everyone.",
    wouldUnblock > 1 && `${grouped(wouldUnblock)} of these are BLOCKED: adding them allows them for everyone.`,
    wouldWiden === 1 && "1 of these is a whole host: adding it allows everything below it that is not BLOCKED itself.",
    wouldWiden > 1 && `${grouped(wouldWiden)} of these are whole hosts: adding them allows everything below them `
      + "that is not BLOCKED itself.",
    wouldMislead > 0 && alikeText(wouldMislead),
  ].filter((text) => text !== false);
}

/** @param {number} count */
function alikeText(count) {
  return count === 1 ? "1 of these looks like another domain: adding it allows what people may take for that one."
    : `${grouped(count)} of these look like other domains: adding them allows what people may take for those.`;
}

/** @param {Lines["counts"]} counts */
function titleOf({ wouldUnblock, wouldWiden, wouldMislead }) {
  const acts = [
    wouldUnblock > 0 && `unblock ${plural(wouldUnblock, "asset")}`,
    wouldWiden > 0 && `allow everything below ${plural(wouldWiden, "host")}`,
    wouldMislead > 0 && `allow ${plural(wouldMislead, "look-alike")}`,
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
  const { wouldAdd, wouldUnblock, toConfirm } = list.counts;
  ask({
    title: titleOf(list.counts),
    fields: [
      ...confirmTexts(list.counts).map(graveText),
      ...causeList(list.all.filter(needsConfirmation)),
      h("p", {}, toConfirm === wouldUnblock ? "They stay BLOCKED if you leave them out."
        : "They stay as they are if you leave them out."),
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

/** @param {string} text */
function graveText(text) {
  return h("p", { class: "bad" }, h("strong", {}, text));
}

/**
 * Returns the most common causes of lines, and the others to be opened.
 *
 * @param {Line[]} lines
 */
function causeList(lines) {
  const causes = commonCauses(lines, doubtOf);
  const count = (/** @type {number} */ from) => causes.slice(from).reduce((sum, cause) => sum + cause.lines.length, 0);
  const list = (/** @type {number} */ from, /** @type {number} */ to) =>
    h("ul", {}, causes.slice(from, to).map(causeItem));
  return [list(0, named), ...causes.length > named ? [
    h("details", {}, h("summary", {}, `And ${plural(count(named), "other")}`), list(named, most),
      causes.length > most && h("p", {}, `${grouped(count(most))} more are in the table.`)),
  ] : []];
}

/** @param {ReturnType<typeof commonCauses>[number]} cause */
function causeItem({ text, blocker, lines }) {
  const [line] = /** @type {[Line]} */ (lines);
  const { content, wide } = line;
  const several = lines.length > 1;
  if (blocker === undefined) {
    return several ? h("li", {}, `${text}: ${plural(lines.length, wide ? "host" : "asset")}`)
      : h("li", {}, `${doubtText(line, wideText)}: `, rowText(content));
  }
  return h("li", {}, several ? plural(lines.length, "asset") : rowText(content),
    (several || doubtText(line, wideText) !== "" || content !== blocker) && [`, ${text} `, rowText(blocker)]);
}

/**
 * Asks before a list is sent of which the server does not say what is blocked.
 *
 * @param {Lines} list
 * @param {() => void} send
 */
export function askWithoutPlan({ all, total, counts: { lookAlikes } }, send) {
  ask({
    title: "Add without a plan?", careful: true, action: `Add ${grouped(total)} lines`,
    fields: [
      h("p", {}, "Your key may not ask what is BLOCKED now. What is added becomes ALLOWED for everyone, also if it is "
        + "a fraud that somebody has blocked."),
      ...(lookAlikes === 0 ? [] : [graveText(alikeText(lookAlikes)), ...causeList(all.filter(isLookAlike))]),
    ],
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
