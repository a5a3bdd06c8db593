// @ts-check
// A queue beside the detail of one record: filters, pages, selection by keys.
import { fill, h } from "./dom.js";
import { empty, failure, isAbort, show, waiting } from "./parts.js";

/**
 * @template {{ id: number }} T
 * @param {object} options
 * @param {string} options.view the name of the view in the address
 * @param {URLSearchParams} options.params
 * @param {HTMLElement} options.filters
 * @param {HTMLElement} [options.none] what an empty list shows
 * @param {(cursor: string | number | null) => Promise<{ items: T[], nextCursor: string | number | null }>} options.load
 * @param {(item: T) => (Node | string)[]} options.item
 * @param {(id: number, place: HTMLElement, refresh: () => void) => Promise<Node>} options.detail
 */
export function queue({ view, params, filters, none, load, item, detail }) {
  const list = h("ul", { class: "queue plain", "aria-label": "Queue" });
  const more = h("div", {});
  const pane = h("section", { class: "detail", "aria-label": "Detail", tabindex: "-1" });
  const element = h("div", { class: "desk" },
    h("section", { class: "stack list", "aria-label": "List" }, filters, list, more),
    pane);
  /** @type {T[]} */
  let items = [];
  let selected = Number(params.get("id") ?? 0);
  /** Where the selected record is in the list, or was before it left it. */
  let position = 0;
  /** The latest load: an earlier one that ends later is dropped. */
  let latest = {};

  /** @param {string | number | null} cursor */
  async function page(cursor) {
    const token = latest = {};
    fill(more, waiting());
    try {
      const { items: found, nextCursor } = await load(cursor);
      if (token !== latest) {
        return;
      }
      items = cursor === null ? found : [...items, ...found];
      fill(more,
        nextCursor !== null && h("button", { type: "button", onclick: () => void page(nextCursor) }, "Load more"),
        items.length === 0 && nextCursor === null
          && (none ?? empty("Nothing here", "No record matches the filters. Change them to see others.")));
      draw();
    } catch (error) {
      if (token === latest && !isAbort(error)) {
        fill(more, failure(error, () => void page(cursor)));
      }
    }
  }

  function draw() {
    const index = items.findIndex(({ id }) => id === selected);
    position = index < 0 ? position : index;
    fill(list, items.map((record) => {
      const { id } = record;
      const current = id === selected ? "true" : null;
      const look = { type: "button", class: "item", "data-id": id, "aria-current": current };
      return h("li", {}, h("button", { ...look, onclick: () => open(id) }, item(record)));
    }));
  }

  /** @param {number} id */
  function open(id) {
    params.set("id", String(id));
    const address = `#/${view}?${params}`;
    if (selected === 0) {
      history.pushState({ opened: true }, "", address); // going back leads to the list
    } else {
      history.replaceState(history.state, "", address);
    }
    selected = id;
    draw();
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    element.classList.add("open");
    reload();
    pane.focus({ preventScroll: true });
  }

  function close() {
    if (history.state?.opened) {
      history.back();
      return;
    }
    selected = 0;
    params.delete("id");
    history.replaceState(null, "", `#/${view}?${params}`);
    element.classList.remove("open");
    draw();
    fill(pane, nothing());
  }

  /** @param {{ keep?: boolean }} [options] */
  function reload(options) {
    const id = selected;
    void show(pane, async () => {
      const content = await detail(id, pane, () => { void page(null); reload({ keep: true }); });
      return h("div", { class: "stack" },
        h("button", { type: "button", class: "back", onclick: close }, "← Back to the list"), content);
    }, options);
  }

  /** @param {number} step */
  function move(step) {
    // The next one has the place of a record that has left the list.
    const here = items.some(({ id }) => id === selected);
    const index = position + (here || step < 0 ? step : 0);
    const next = items[Math.max(0, Math.min(index, items.length - 1))];
    if (next) {
      open(next.id);
    }
  }

  const nothing = () => empty("Nothing is open", "Choose a record from the list, or press j.");
  void page(null);
  if (selected > 0) {
    element.classList.add("open");
    reload();
  } else {
    fill(pane, nothing());
  }
  return { element, shortcuts: { j: () => move(1), k: () => move(-1) } };
}
