// @ts-check
// A list whose next page is read when somebody asks for it.
import { fill, h } from "./dom.js";
import { runFrom } from "./in-place.js";
import { failure, isAbort } from "./parts.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * Reads the first page and returns the list.
 *
 * @template T, C
 * @param {(cursor: C | undefined) => Promise<{ items: T[], nextCursor: C | null }>} load
 * @param {(item: T) => Child[]} line
 * @param {string} none what an empty list says
 */
export async function pagedList(load, line, none) {
  const list = h("ul", { class: "plain spaced" });
  const more = h("div", {});
  const read = async (/** @type {C | undefined} */ cursor) => {
    const { items, nextCursor } = await load(cursor);
    const lines = items.map((item) => h("li", { class: "line", tabindex: "-1" }, line(item)));
    list.append(...lines);
    if (more.contains(document.activeElement)) { // the button that asked goes
      lines[0]?.focus();
    }
    const empty = list.childElementCount === 0;
    list.hidden = empty;
    fill(more,
      empty && h("p", { class: "muted" }, nextCursor === null ? none : "None of those that were examined first."),
      nextCursor !== null && button(nextCursor));
  };
  const button = (/** @type {C} */ cursor) => {
    const problem = h("div", { role: "alert" });
    const next = h("button", { type: "button", class: "small", "data-key": "more", onclick: () =>
      void runFrom(next, async () => {
        try {
          await read(cursor);
        } catch (error) {
          fill(problem, isAbort(error) ? "" : failure(error));
        }
      }) }, "Show more");
    return h("div", { class: "stack tight" }, next, problem);
  };
  await read(undefined);
  return h("div", { class: "stack tight" }, list, more);
}
