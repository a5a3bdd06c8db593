// @ts-check
// One question about several proposals of a report, with the effect of each.
import { fill, h } from "./dom.js";
import { effectOf, isUnconfirmed } from "./effect.js";
import { askInPlace } from "./in-place.js";
import { plural } from "./numbers.js";
import { badge } from "./parts.js";
import { readActs } from "./pending-acts.js";
import { approve } from "./report-actions.js";
import { approvalComment, isProtectedBlock, reasonIssues, reread, settle } from "./report-review.js";
import { assetText } from "./safe-text.js";
import { once } from "./store.js";

/** @import { Effect } from "./effect.js" */
/** @import { Context } from "./report-review.js" */
/** @import { Proposal } from "./report-state.js" */

/** How many proposals are in sight at once. */
const shownProposals = 20;

/**
 * Asks once for the approval of several proposals, and shows the effect of each.
 *
 * @param {Context} context
 * @param {Proposal[]} proposals
 * @param {HTMLElement} place
 */
export function approveAll(context, proposals, place) {
  /** @type {Map<number, Effect>} */
  const effects = new Map();
  /** @type {HTMLInputElement[]} */
  const boxes = [];
  const number = h("p", { role: "status" });
  const checked = () => boxes.filter((box) => box.checked).map(({ value }) => value);
  const countChecked = () => {
    const two = checked().filter((id) => effects.get(Number(id))?.takesTwo()).length;
    fill(number, `For everyone, at once: ${checked().length - two} of ${proposals.length}`,
      two > 0 && `. After a second operator has agreed: ${two}`);
  };
  const items = proposals.map(({ id, asset, proposedStatus, reviewStatus }) => {
    const effect = effectOf(asset.content, proposedStatus);
    const box = h("input", {
      type: "checkbox", name: "approve", value: id, checked: reviewStatus !== "SKIP", onchange: countChecked,
    });
    boxes.push(box);
    effect.confirmation.querySelector("input")?.setAttribute("value", String(id));
    effect.confirmation.addEventListener("change", () => {
      box.checked = true;
      countChecked();
    });
    effect.warns().then((warns) => {
      box.checked &&= !warns;
      box.dispatchEvent(new Event("change", { bubbles: true }));
    });
    effects.set(id, effect);
    return h("li", { class: "line" },
      h("label", { class: "check" },
        box,
        h("span", { class: "line" }, assetText(asset.content),
          asset.status === proposedStatus ? "stays" : [badge(asset.status), "→"], badge(proposedStatus))),
      effect.place, effect.confirmation);
  });
  const list = (/** @type {HTMLElement[]} */ some) => h("ul", { class: "plain stack tight brief" }, some);
  const others = items.slice(shownProposals);
  const isNeeded = () => checked().some((id) => isProtectedBlock(/** @type {Effect} */ (effects.get(Number(id)))));
  const note = approvalComment([...effects.values()], isNeeded);
  askInPlace(place, {
    title: `Approve the proposals of report #${context.report.id}`, action: "Approve all that are checked",
    fields: [number, list(items.slice(0, shownProposals)),
      ...others.length > 0 ? [h("details", {}, h("summary", {}, `and ${plural(others.length, "other")}`), list(others))]
        : [], note],
    act: async (form) => {
      await Promise.all([...effects.values()].map(({ warns }) => warns()));
      const chosen = proposals.filter(({ id }) => form.getAll("approve").includes(String(id)));
      const confirmed = (/** @type {number} */ id) => form.getAll("confirmProtected").includes(String(id));
      if (chosen.length === 0) {
        return ["No proposal is checked."];
      }
      if (chosen.length !== checked().length) {
        return ["What concerns many people is no longer checked. Look at it first."];
      }
      const unconfirmed = await Promise.all(chosen.map(({ id }) =>
        isUnconfirmed(/** @type {Effect} */ (effects.get(id)))));
      if (unconfirmed.includes(true)) {
        const asking = chosen[unconfirmed.indexOf(true)]?.id ?? 0;
        const box = effects.get(asking)?.confirmation.querySelector("input");
        box?.closest("details")?.setAttribute("open", "");
        box?.focus();
        return ["Confirm each asset that concerns many people, or leave it out."];
      }
      const missing = reasonIssues(form, isNeeded());
      return missing.length > 0 ? missing : once(`report ${context.report.id}`, context.report, async () => {
        const outcome = await approve(chosen, { comment: String(form.get("comment")), confirmed });
        if (outcome.issues) {
          return outcome.issues;
        }
        await readActs().catch(() => {}); // the reviews are stored
        const { report = await reread(context), reviews, remarks } = outcome;
        const text = [`${reviews.length} of ${chosen.length} proposals approved.`, ...remarks].join(" ");
        settle(context, report, text, reviews);
        return [];
      });
    },
  });
}
