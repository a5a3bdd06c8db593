// @ts-check
// The list of a queue: its rows, how many new ones wait above them, and what is below them.
import { fill, h } from "./dom.js";
import { empty, failure, waiting } from "./parts.js";
import { isSelected } from "./queue-state.js";
import { rowList } from "./row-list.js";

/** @import { Cursor, Queue } from "./queue-state.js" */

/**
 * @template {{ id: number | string }} T
 * @param {object} options
 * @param {HTMLElement} options.filters
 * @param {boolean} options.slim whether each record has one line
 * @param {(item: T) => (Node | string)[]} options.item
 * @param {HTMLElement | undefined} options.none what an empty list shows
 * @param {(id: T["id"]) => void} options.open
 * @param {() => void} options.unfold lists the new ones
 * @param {(cursor: Cursor) => void} options.page reads a page
 */
export function queueList({ filters, slim, item, none, open, unfold, page }) {
  const { element: rows, draw: drawRows } = rowList({ slim, item, open });
  const news = h("div", { class: "news", role: "status" });
  const end = h("div", {});
  const element = h("section", { class: "stack list", "aria-label": "List" }, filters, news, rows, end);
  /** What is drawn around the rows, so that it is not drawn again while it is the same. @type {unknown[]} */
  let drawn = [0, ""];

  /** @param {Queue<T>} queue */
  function draw(queue) {
    drawRows(queue.items, (record) => isSelected(queue, record), queue.gone);
    const { reading, failed, following, items, fresh } = queue;
    const below = reading > 0 ? "reading" : failed ?? following ?? (items.length === 0 ? "none" : "");
    const before = drawn;
    drawn = [fresh.length, below];
    if (fresh.length !== before[0]) {
      fill(news, fresh.length > 0
        && h("button", { type: "button", class: "small", onclick: unfold }, `Show ${fresh.length} new`));
    }
    if (below !== before[1]) {
      fill(end,
        reading > 0 ? waiting()
        : failed ? failure(failed.error, () => page(failed.cursor))
        : following !== null ? h("button", { type: "button", onclick: () => page(following) }, "Load more")
        : items.length === 0
          && (none ?? empty("Nothing here", "No record matches the filters. Change them to see others.")));
    }
  }

  return { element, rows, draw };
}
