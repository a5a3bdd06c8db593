// @ts-check
// The assets that stay allowed below one that was blocked, and a block of these, too.
import { postOnce } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { runFrom } from "./in-place.js";
import { plural } from "./numbers.js";
import { badge, failure, stayAllowed } from "./parts.js";
import { assetText } from "./safe-text.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["StatusSet"]} StatusSet */
/** @typedef {components["schemas"]["StatusItemDone"]} StatusItemDone */

/**
 * Returns the exceptions from a block, with a button that blocks them for the same reason, or nothing if there are
 * none.
 *
 * @param {Pick<StatusSet, "decision" | "exceptions" | "moreExceptions">} set
 * @param {(done: StatusItemDone[]) => void} blocked is called with those that are BLOCKED then
 */
export function exceptionsOf(set, blocked) {
  const { decision, exceptions } = set;
  const text = stayAllowed(set).trim();
  if (exceptions.length === 0 || decision === null) {
    return text !== "" && h("p", {}, text);
  }
  const items = exceptions.map(({ content }) => ({ content, said: h("span", { class: "line" }, badge("ALLOWED")) }));
  const problem = h("div", {});
  const block = async () => {
    const { reason, note, reference, expiresAt } = decision;
    const { results } = await postOnce("/asset/setStatuses", {
      items: exceptions.map(({ content }) => ({ content, status: "BLOCKED", expiresAt })),
      reason, note, reference, confirmProtected: true, // they are on allowlists, and were shown
    });
    results.forEach((result, index) => {
      const said = items[index]?.said;
      if (said) {
        fill(said, "error" in result ? `Not blocked: ${result.error}` : badge(result.status));
      }
    });
    const done = results.flatMap((result) => "error" in result ? [] : [result]);
    blocked(done);
    button.remove();
    announce(`${done.length} of ${plural(results.length, "asset")} blocked.`);
  };
  const button = h("button", {
    type: "button", onclick: () => void runFrom(button, () => block().catch((error) => fill(problem, failure(error)))),
  }, "Block these, too");
  return h("div", { class: "stack tight" }, h("p", {}, text),
    h("ul", { class: "plain" }, items.map(({ content, said }) => h("li", { class: "line" }, assetText(content), said))),
    button, problem);
}
