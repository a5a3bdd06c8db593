// @ts-check
import { actItem } from "../acts.js";
import { ApiError, operatorGet, postOnce } from "../api.js";
import { fill, h } from "../dom.js";
import { askInPlace, runFrom } from "../in-place.js";
import { addList, changeList, formats } from "../list-form.js";
import { countsText, fetchNow, syncWith } from "../list-sync.js";
import { grouped } from "../numbers.js";
import { age, badge, empty, fact, field, show, time } from "../parts.js";
import { actsNow, readActs } from "../pending-acts.js";
import { ownUser } from "../people.js";
import { queue } from "../queue.js";
import { reasonName } from "../reasons.js";
import { safeText } from "../safe-text.js";

/** @import { View } from "../parts.js" */
/** @import { Place } from "../list-sync.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["List"]} List */
/** @typedef {components["schemas"]["Act"]} Act */

/**
 * @typedef {object} Context
 * @property {List} list
 * @property {Act[]} waiting what waits for a second operator
 * @property {(text: string) => void} done says what was done, and shows the list again
 * @property {(text: string) => void} removed says that the list was removed
 * @property {AbortSignal} signal
 */

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
      const known = Promise.all([readActs(), ownUser()]).catch(() => {}); // the server refuses what is asked for again
      const [all] = await Promise.all([read(), known]);
      const list = all.find(({ name }) => name === id);
      const done = (/** @type {string} */ text) => {
        desk.tell(text);
        refresh();
      };
      const removed = (/** @type {string} */ text) => {
        desk.tell(text);
        desk.done([id]);
      };
      const waiting = actsNow().filter((act) => act.list?.name === id);
      return list ? card({ list, waiting, done, removed, signal })
        : empty("No such list", "Perhaps it was removed.");
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

/** @param {Context} context */
function card(context) {
  const { list, waiting, done, signal } = context;
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
    waiting.length > 0 && h("h3", {}, "Waits for a second operator"),
    waiting.map((act) => actItem(act, signal, done)),
    actions(context));
}

/** @param {Context} context */
function actions(context) {
  const { list, waiting, done } = context;
  const { name, url, removing } = list;
  const answer = h("div", { role: "status" });
  const element = h("div", { class: "place stack" });
  /** @type {Place} */
  const place = { element, done: (counts) => done(`Synced: ${countsText(counts)}.`), waits: (text) => done(text) };
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
      !waiting.some(({ kind }) => kind === "REMOVE_LIST")
        && h("button", { type: "button", class: "last", onclick: () => remove(context, element) }, "Remove")));
  return h("div", { class: "stack" }, element, answer);
}

/**
 * @param {Context} context
 * @param {HTMLElement} place
 */
function remove({ list: { name, entries }, done, removed }, place) {
  askInPlace(place, {
    title: `Remove ${name}`, action: "Remove for good", danger: true,
    fields: [
      h("p", {}, `It withdraws its ${grouped(entries)} entries. What nothing else blocks or allows becomes unknown.`),
    ],
    act: async () => {
      try {
        await postOnce("/list/remove", { name });
      } catch (error) {
        if (error instanceof ApiError && error.waits) {
          done(`${error.message}.`);
          return [];
        }
        if (error instanceof ApiError && error.temporary) {
          return [`${error.message}. A part of it may be gone. Remove it again to complete that.`];
        }
        throw error;
      }
      removed(`The list ${name} was removed. Entries withdrawn: ${grouped(entries)}.`);
      return [];
    },
  });
}
