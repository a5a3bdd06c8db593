// @ts-check
// My last decisions, each with a way back. They stay while other records are opened.
import { deferred, operatorGet } from "./api.js";
import { takeActsBack } from "./asset-undo.js";
import { undo } from "./dispute-actions.js";
import { announce, fill, h } from "./dom.js";
import { runFrom } from "./in-place.js";
import { age, failure } from "./parts.js";
import { ownUser } from "./people.js";
import { assetAddress } from "./references.js";
import { takeReviewsBack } from "./report-actions.js";
import { clipped, safeText } from "./safe-text.js";
import { decisionsMade, forgetDecision, isLastAct, onDecisionsChange, usedBy } from "./store.js";

/** @import { Made } from "./store.js" */

/** Those that are being taken back. @type {WeakSet<Made>} */
const under = new WeakSet();

/**
 * @param {object} options
 * @param {Made["kind"]} options.kind what the view is about
 * @param {(text: string, made: Made) => void} options.undone is called after a decision of that kind, or
 *   a status that was set, was taken back
 * @param {AbortSignal} options.signal
 */
export function undoList({ kind, undone, signal }) {
  const element = h("section", { class: "stack tight", "aria-label": "My last decisions", tabindex: "-1" });
  /**
   * The key takes back what was decided since: in this view, and after the last undo and whatever else was done. An
   * older decision gets the focus first.
   */
  let since = Date.now();
  const draw = () => {
    const [last, ...earlier] = decisionsMade();
    element.hidden = !last;
    const others = h("div", { class: "stack tight" });
    const open = () => fill(others, earlier.map((one) => item(one, false)));
    fill(element, last ? item(last, true) : "",
      earlier.length > 0 && h("details", { ontoggle: open }, h("summary", {}, `${earlier.length} earlier`), others));
  };
  const item = (/** @type {Made} */ made, /** @type {boolean} */ withKey) => {
    const isRecent = made.kind === kind && made.at >= since;
    const problem = h("div", { role: "alert" });
    const button = h("button", {
      type: "button", "aria-keyshortcuts": withKey ? "z" : null,
      "aria-label": withKey && isRecent ? null : `Undo ${made.text}${made.kind === "asset" ? ` ${made.about}` : ""}`,
      onclick: (/** @type {Event} */ event) => {
        if (!event.isTrusted && !(isRecent && isLastAct(made.at)) && document.activeElement !== button) { // by the key
          button.focus();
          announce(`Press z again to undo: ${made.text}`);
          return;
        }
        void takeIt();
      },
    }, "Undo", withKey && h("kbd", { "aria-hidden": "true" }, "z"));
    const takeIt = () => runFrom(button, async () => {
      if (under.has(made)) {
        return;
      }
      under.add(made);
      try {
        const text = await takeBack(made);
        since = Date.now();
        forgetDecision(made);
        if (made.kind === kind || made.kind === "asset") {
          undone(text, made);
        } else {
          announce(text);
          location.hash = addressOf(made);
        }
      } catch (error) {
        fill(problem, failure(error));
      } finally {
        under.delete(made);
      }
    });
    return h("div", {},
      h("p", { class: "notice info said" }, safeText(made.text, { clip: 300 }), " ",
        about(made), " ",
        age(new Date(made.at).toISOString()), " ",
        h("a", { href: addressOf(made) }, made.kind === "asset" ? "About" : `Open #${made.id}`),
        h("span", { class: "actions" }, button)), problem);
  };
  onDecisionsChange(draw, signal);
  draw();
  ownUser().then((own) => usedBy(own?.id ?? 0), () => {}); // without a key, the views say so
  return element;
}

/**
 * Names what a decision was about. The browser keeps no such text, so after a reload it is read.
 *
 * @param {Made} made
 */
function about(made) {
  const place = h("span", {}, made.about !== "" && clipped(made.about, 60));
  if (made.about === "" && made.kind !== "asset") {
    const { id } = made;
    const signal = deferred();
    const read = made.kind === "report" ? operatorGet("/report/get", { id }, signal).then(({ title }) => title)
      : operatorGet("/dispute/get", { id }, signal).then(({ content }) => content);
    read.then((text) => {
      made.about = text;
      fill(place, clipped(text, 60));
    }, () => {}); // the link leads to it
  }
  return place;
}

/**
 * Returns the address of what was decided about.
 *
 * @param {Made} made
 */
function addressOf(made) {
  return made.kind === "asset" ? assetAddress(made.about) : `#/${made.kind}s?id=${made.id}`;
}

/**
 * Takes a decision back, and returns what was done.
 *
 * @param {Made} made
 */
async function takeBack(made) {
  if (made.kind === "report") {
    return takeReviewsBack(made.reviews);
  }
  if (made.kind === "asset") {
    return takeActsBack(made.acts);
  }
  const ids = made.decisions.map(({ dispute }) => `#${dispute.id}`);
  return await undo(made.decisions) || `Undone: ${ids.join(", ")} ${ids.length > 1 ? "wait" : "waits"} again.`;
}
