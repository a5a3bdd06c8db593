// @ts-check
// Syncs of a list: with a file that the server fetches, or with one of this machine.
import { ApiError, postOnce, syncList } from "./api.js";
import { h } from "./dom.js";
import { askInPlace } from "./in-place.js";
import { grouped, plural } from "./numbers.js";
import { assetText } from "./safe-text.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["ListSync"]} Counts */

/** @typedef {(options: { confirm?: boolean, dryRun?: boolean }) => Promise<Counts>} Sync */

/**
 * @typedef {object} Place
 * @property {HTMLElement} element where the question is asked
 * @property {(counts: Counts) => void} done is called after a sync
 * @property {(text: string) => void} waits is called in its place with what to say of a sync that waits
 */

/** @param {Counts} counts */
export function countsText({ added, withdrawn, kept, refused, protected: suffixes, overruled }) {
  return [
    `${grouped(added)} added`, `${grouped(withdrawn)} withdrawn`, `${grouped(kept)} kept`,
    refused > 0 && `${grouped(refused)} refused`,
    suffixes > 0 && `${grouped(suffixes)} refused because others have sites below them`,
    overruled > 0 && `${grouped(overruled)} overruled by other decisions`,
  ].filter(Boolean).join(", ");
}

const examples = /** @type {const} */ ([
  ["added", "Would be added"], ["withdrawn", "Would be withdrawn"],
  ["overruled", "Stay overruled by other decisions"], ["protected", "Refused: others have sites below them"],
]);

/**
 * Names the first assets that a dry run has counted.
 *
 * @param {Counts} counts
 */
function named(counts) {
  return h("dl", { class: "facts examples" }, examples.map(([kind, title]) => {
    const names = counts.examples?.[kind] ?? [];
    return firstOf(title, names.map((name) => h("li", {}, assetText(name))), counts[kind]);
  }), firstOf("Refused", (counts.examples?.refused ?? []).map(({ line, text, error }) => h("li", { class: "line" },
    h("span", { class: "muted" }, `Line ${grouped(line)}:`), text !== "" && assetText(text), error)), counts.refused));
}

/**
 * @param {string} title
 * @param {HTMLElement[]} items the first ones
 * @param {number} count that of all
 */
function firstOf(title, items, count) {
  const more = count - items.length;
  return items.length > 0 && h("div", {}, h("dt", {}, title),
    h("dd", {}, h("ul", { class: "plain" }, items),
      more > 0 && h("p", { class: "muted" }, `and ${plural(more, "other")}`)));
}

/**
 * Lets the server fetch the file of a list now. It asks only if the sync was stopped.
 *
 * @param {string} name
 * @param {Place} place
 */
export async function fetchNow(name, place) {
  /** @type {Sync} */
  const sync = (options) => postOnce("/list/fetch", { name, ...options });
  const { counts, stopped } = await unlessStopped(sync, {});
  if (stopped) {
    confirm(name, counts, stopped, sync, place);
  } else {
    place.done(counts);
  }
}

/**
 * Says what a sync with a file would do, and asks for it.
 *
 * @param {string} name
 * @param {File} file
 * @param {Place} place
 */
export async function syncWith(name, file, place) {
  /** @type {Sync} */
  const sync = (options) => syncList(file, { name, ...options });
  const { counts, stopped } = await unlessStopped(sync, { dryRun: true });
  confirm(name, counts, stopped, sync, place);
}

/**
 * Syncs, and returns the counts. If the sync was stopped, they are what it would do when it is confirmed.
 *
 * @param {Sync} sync
 * @param {Parameters<Sync>[0]} options
 */
async function unlessStopped(sync, options) {
  try {
    return { counts: await sync(options), stopped: false };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) {
      throw error;
    }
    // It fails again if it was not stopped, or if it cannot be confirmed.
    return { counts: await sync({ dryRun: true, confirm: true }), stopped: true };
  }
}

/**
 * @param {string} name
 * @param {Counts} counts
 * @param {boolean} stopped
 * @param {Sync} sync
 * @param {Place} place
 */
function confirm(name, counts, stopped, sync, { element, done, waits }) {
  askInPlace(element, {
    title: `Sync ${name} with this file?`, action: stopped ? "Sync all the same" : "Sync", danger: stopped,
    fields: [
      h("p", {}, "Entries: ", h("strong", {}, countsText(counts)), "."),
      named(counts),
      h("p", { class: "bad", hidden: !stopped },
        "Nothing was changed, because this looks like a mistake. See that the file is complete before you go on."),
    ],
    act: async () => {
      try {
        done(await sync({ confirm: stopped }));
      } catch (error) {
        if (!(error instanceof ApiError) || !error.waits) {
          throw error;
        }
        waits(`${error.message}.`);
      }
      return [];
    },
  });
}
