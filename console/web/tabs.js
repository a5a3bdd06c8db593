// @ts-check
// Tabs with counts, and chips that filter at once. Both are links, so the address has what is chosen.
import { deferred } from "./api.js";
import { dialogIsOpen } from "./dialog.js";
import { h } from "./dom.js";
import { isAbort } from "./parts.js";

/**
 * @typedef {object} Choice
 * @property {string} label
 * @property {string} href
 * @property {boolean} current
 */

/**
 * Returns tabs, a function that counts again what is in them, and one that says what is in the current one.
 *
 * @param {string} label
 * @param {Choice[]} choices
 * @param {() => Promise<Record<string, string>>} [counts] returns the counts of some tabs by their labels
 */
export function tabs(label, choices, counts) {
  const places = new Map(choices.map((choice) => [choice.label, h("span", { class: "count" })]));
  /** Those that counts has returned last. @type {Record<string, string>} */
  let known = {};
  const element = h("ul", { class: "tabs plain", "aria-label": label }, choices.map((choice) =>
    h("li", {}, counts ? link(choice, "page", " ", places.get(choice.label) ?? "") : link(choice, "page"))));
  const say = (/** @type {string} */ name, /** @type {string} */ text) => {
    const place = places.get(name);
    if (place) {
      place.textContent = text;
    }
  };
  const count = () => {
    counts?.().then((found) => {
      known = found;
      Object.entries(found).forEach(([name, text]) => say(name, text));
    }, (error) => {
      if (!isAbort(error)) {
        Object.keys(known).forEach((name) => say(name, "?"));
      }
    });
  };
  const listed = (/** @type {{ length: number }} */ items, /** @type {unknown} */ nextCursor) => {
    const name = choices.find(({ current }) => current)?.label ?? "";
    if (!Object.hasOwn(known, name)) {
      say(name, countOf(items, nextCursor));
    }
  };
  count();
  return { element, count, listed };
}

/**
 * Returns chips. One that is chosen is a link that takes the choice back.
 *
 * @param {string} label
 * @param {Choice[]} choices
 */
export function chips(label, choices) {
  return h("ul", { class: "chips plain", "aria-label": label },
    choices.map((choice) => h("li", {}, link(choice, "true"))));
}

/**
 * @param {Choice} choice
 * @param {string} current
 * @param {...(Node | string)} more
 */
function link({ label, href, current: chosen }, current, ...more) {
  return h("a", { href, "data-key": `choice ${label}`, "aria-current": chosen ? current : null }, label, more);
}

/** The records of a page that is only counted. */
export const countLimit = 100;

/**
 * Counts the records of each tab, after whatever somebody waits for. Returns the counts by the labels of the tabs.
 *
 * @typedef {(name: string, more: { limit: number }, signal: AbortSignal) =>
 *   Promise<{ items: { length: number }, nextCursor: unknown }>} ListPlace
 * @param {Record<string, { label: string }>} places the tabs by their names
 * @param {ListPlace} list
 * @param {AbortSignal} signal
 */
export async function countAll(places, list, signal) {
  const late = deferred(signal);
  const counts = await Promise.all(Object.entries(places).map(async ([name, { label }]) => {
    const { items, nextCursor } = await list(name, { limit: countLimit }, late);
    return [label, countOf(items, nextCursor)];
  }));
  return Object.fromEntries(counts);
}

/**
 * Returns a count of records that are listed in pages: of more than one page, only that there are more.
 *
 * @param {{ length: number }} items
 * @param {unknown} nextCursor
 */
export function countOf({ length }, nextCursor) {
  return nextCursor === null ? String(length) : `${length}+`;
}

/**
 * Returns an input that sets a parameter of the address when it changes, or leads to the record of a view whose number
 * it has, such as #12. Enter, an arrow down and Escape lead from it to the list, Escape without a change. A dialog that
 * opens meanwhile stays, and leaves it as it is.
 *
 * @param {string} view
 * @param {URLSearchParams} params
 * @param {string} name
 * @param {string} label
 */
export function searchInput(view, params, name, label) {
  const input = h("input", {
    name, value: params.get(name) ?? "", placeholder: `${label}, then Enter`, "aria-label": label, spellcheck: "false",
    type: "search",
  });
  const set = () => {
    const text = input.value.trim();
    const [, id] = /^#([1-9]\d{0,14})$/.exec(text) ?? [];
    location.hash = hashWith(view, params, id === undefined ? { [name]: text } : { [name]: "", id });
  };
  input.addEventListener("change", () => dialogIsOpen() || set());
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      input.value = params.get(name) ?? "";
    }
    if (["Enter", "ArrowDown", "Escape"].includes(event.key)) {
      input.blur();
      if (input.value.trim() !== (params.get(name) ?? "")) {
        set(); // a dialog was opened meanwhile
      }
    }
  });
  return input;
}

/**
 * Returns the address of a view with other parameters. An empty one is left out, and so is the open record.
 *
 * @param {string} view
 * @param {URLSearchParams} params
 * @param {Record<string, string>} changes
 */
export function hashWith(view, params, changes) {
  const next = new URLSearchParams(params);
  next.delete("id");
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") {
      next.delete(name);
    } else {
      next.set(name, value);
    }
  }
  return `#/${view}${next.size > 0 ? `?${next}` : ""}`;
}
