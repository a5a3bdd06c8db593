// @ts-check
import { ApiError, operatorGet, postOnce } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { askInPlace, runFrom } from "../in-place.js";
import { addList, changeList, formats } from "../list-form.js";
import { countsText, fetchNow, syncWith } from "../list-sync.js";
import { grouped } from "../numbers.js";
import { age, badge, empty, fact, field, show, time } from "../parts.js";
import { queue } from "../queue.js";
import { reasonName } from "../reasons.js";
import { safeText } from "../safe-text.js";

/** @import { View } from "../parts.js" */
/** @import { Place } from "../list-sync.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["List"]} List */

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function listsView(params, signal) {
  const read = async () => (await operatorGet("/list/list", undefined, signal)).lists
    .map((list) => ({ id: list.name, ...list }));
  const add = () => addList((name) => desk.open(name));
  const { element, desk, shortcuts } = queue({
    view: "lists", params, signal,
    filters: h("div", { class: "toolbar" },
      h("button", { type: "button", class: "primary", "aria-keyshortcuts": "n", onclick: add },
        "Add a list", h("kbd", { "aria-hidden": "true" }, "n"))),
    none: empty("No lists", "No list blocks or allows anything. Add one of your own, or one that others publish."),
    load: async () => ({ items: await read(), nextCursor: null }),
    item: row,
    detail: async (id, refresh, desk) => {
      const list = (await read()).find(({ name }) => name === id);
      const done = (/** @type {string} */ text) => {
        desk.tell(text);
        refresh();
      };
      return list ? card(list, done) : empty("No such list", "Perhaps it was removed.");
    },
  });
  return { title: "Lists", element, shortcuts };
}

/** @param {List} list */
function row({ name, status, reason, entries, url, every, syncedAt, failures }) {
  return [
    h("span", { class: "line" }, h("strong", {}, name), badge(status)),
    h("span", {}, reason !== null && `${reasonName(reason)} · `,
      `${grouped(entries)} ${entries === 1 ? "entry" : "entries"}`),
    h("span", { class: "muted" }, syncedAt === null ? "never synced" : ["synced ", age(syncedAt)],
      url !== null && `, every ${every}`),
    ...(failures > 0 ? [h("span", { class: "bad" }, failed(failures))] : []),
  ];
}

/** @param {number} failures */
function failed(failures) {
  return failures === 1 ? "failed once" : `failed ${grouped(failures)} times`;
}

/**
 * @param {List} list
 * @param {(text: string) => void} done says what was done, and shows the list again
 */
function card(list, done) {
  const { name, status, reason, url, every, nextAt, syncedAt, failures, error, failedAt, createdAt, removing } = list;
  return h("article", { class: "card stack" },
    h("h2", { class: "line" }, name, badge(status)),
    removing && h("p", { class: "bad" }, "It is being removed. If that does not end, remove it again."),
    h("dl", { class: "facts" },
      fact("Entries", grouped(list.entries), " ", reason !== null && ["as ", reasonName(reason)]),
      fact("Format", formats[list.format]),
      fact("Last synced", syncedAt === null ? "never" : [age(syncedAt), " (", time(syncedAt), ")"]),
      fact("URL", url === null ? "none: it gets its files by hand" : safeText(url)),
      url !== null && fact("Fetched", `every ${every}, next `, time(nextAt)),
      failures > 0 && fact("Error", h("span", { class: "bad" }, safeText(error ?? "")), ` (${failed(failures)} since `,
        time(syncedAt ?? createdAt), ", last ", time(failedAt), ")"),
      fact("Added", time(createdAt))),
    actions(list, done));
}

/**
 * @param {List} list
 * @param {(text: string) => void} done
 */
function actions(list, done) {
  const { name, entries, url, removing } = list;
  const answer = h("div", { role: "status" });
  const element = h("div", { class: "place stack" });
  /** @type {Place} */
  const place = { element, done: (counts) => done(`Synced: ${countsText(counts)}.`) };
  /** @param {(place: Place) => Promise<void>} sync */
  const run = (sync) => show(answer, async () => {
    await sync(place);
    return [];
  });
  const fetching = h("button", {
    type: "button", onclick: () => void runFrom(fetching, () => run(() => fetchNow(name, place))),
  }, "Fetch now");
  const file = h("input", { type: "file", onchange: () => {
    const [chosen] = file.files ?? [];
    if (chosen) {
      void run(() => syncWith(name, chosen, place)).then(() => { file.value = ""; }); // it can be chosen again
    }
  } });
  fill(element,
    url === null && !removing && field("Sync with a file", file,
      "In the format of the list, of at most 64 MB. You see what it would change before it does."),
    h("div", { class: "actions" },
      url !== null && !removing && fetching,
      !removing && h("button", { type: "button", onclick: () => changeList(list, () => done("Changed.")) }, "Change"),
      h("button", { type: "button", class: "last", onclick: () => remove(name, entries, element) }, "Remove")));
  return h("div", { class: "stack" }, element, answer);
}

/**
 * @param {string} name
 * @param {number} entries
 * @param {HTMLElement} place
 */
function remove(name, entries, place) {
  askInPlace(place, {
    title: `Remove ${name}`, action: "Remove for good", danger: true,
    fields: [
      h("p", {}, `It withdraws its ${grouped(entries)} entries. What nothing else blocks or allows becomes unknown.`),
    ],
    act: async () => {
      try {
        await postOnce("/list/remove", { name });
      } catch (error) {
        if (error instanceof ApiError && error.temporary) {
          return [`${error.message}. A part of it may be gone. Remove it again to complete that.`];
        }
        throw error;
      }
      announce(`The list ${name} was removed`);
      location.hash = "#/lists";
      return [];
    },
  });
}
