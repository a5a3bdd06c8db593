// @ts-check
// What waits for a second operator, and the two answers to it.
import { allPages, operatorGet, operatorPost } from "./api.js";
import { runFrom } from "./in-place.js";
import { announce, fill, h } from "./dom.js";
import { grouped } from "./numbers.js";
import { age, failure, show, total } from "./parts.js";
import { nameOf } from "./people.js";
import { assetLink } from "./references.js";
import { assetText, safeText } from "./safe-text.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Act"]} Act */

const most = 20;

/** More acts are not searched for an asset. They end after a day. */
const searched = 500;

/**
 * Returns the acts that wait, with their buttons.
 *
 * @param {AbortSignal} signal
 * @param {{ about?: string, done?: () => void }} [options] the canonical form of the only asset that they are about,
 *   and what is called after a decision, in place of reading them again
 */
export async function acts(signal, { about, done } = {}) {
  const place = h("div", { class: "stack" });
  const again = done ?? (() => void show(place, () => acts(signal), { keep: true }));
  const { items, more } = await allPages(async (/** @type {number | null} */ cursor) => {
    const page = await operatorGet("/pending/list",
      { limit: about === undefined ? most : 100, ...(cursor === null ? {} : { cursor }) }, signal);
    return { items: page.acts, nextCursor: page.nextCursor };
  }, about === undefined ? 0 : searched);
  const found = items.filter(({ assets }) => about === undefined || assets.some(({ content }) => content === about));
  fill(place,
    about === undefined && found.length > 0 && total(found.length, more && "+"),
    found.length === 0 && h("p", { class: "muted" }, "Nothing waits for a second operator."),
    about !== undefined && more && h("p", { class: "hint" }, `Only the oldest ${grouped(items.length)} were searched.`),
    found.map((act) => item(act, again)));
  return place;
}

/**
 * @param {Act} act
 * @param {() => void} again shows the acts that are left
 */
function item(act, again) {
  const problems = h("div", { role: "alert" });
  const button = (/** @type {"approve" | "reject"} */ decision, /** @type {string} */ label, look = "") =>
    h("button", { type: "button", class: `small ${look}`, onclick: (/** @type {MouseEvent} */ { currentTarget }) =>
      void runFrom(/** @type {HTMLButtonElement} */ (currentTarget), async () => {
        try {
          await operatorPost(`/pending/${decision}`, { id: act.id ?? 0 });
          announce(`Act #${act.id}: ${decision === "approve" ? "approved" : "rejected"}.`);
          again();
        } catch (error) {
          fill(problems, failure(error));
        }
      }) }, label);
  return h("section", { class: "stack", "aria-label": `Act #${act.id}` },
    ...effect(act),
    act.note !== null && safeText(act.note, { tag: "p" }),
    h("p", { class: "muted" }, "Asked for by ", safeText(nameOf(act.actor)), ", ", age(act.createdAt)),
    h("div", { class: "line" }, button("approve", "Approve", "primary"), button("reject", "Reject")),
    problems);
}

/**
 * Says what an act would do.
 *
 * @param {Act} act
 */
function effect({ kind, assets, list }) {
  if (list !== null) {
    const counts = kind === "SYNC_LIST"
      ? `${grouped(list.added)} added, ${grouped(list.withdrawn)} withdrawn, ${grouped(list.kept)} kept`
      : `${grouped(list.withdrawn)} withdrawn`;
    const act = kind === "SYNC_LIST" ? "Sync the list " : "Remove the list ";
    return [h("p", {}, act, safeText(list.name), `: ${counts}`)];
  }
  return assets.map(({ content, protection }) =>
    h("p", { class: "line" }, "Block", assetText(content), assetLink(content),
      protection.by !== content && ["that protects", safeText(protection.by)]));
}
