// @ts-check
// A queue beside the detail of one record: tabs, filters, pages, selection by keys.
import { fill, h } from "./dom.js";
import { empty, failure, isAbort, show, waiting } from "./parts.js";

/**
 * What a detail can do with the queue.
 *
 * @template {{ id: number | string }} T
 * @typedef {object} Desk
 * @property {(...children: (Node | string)[]) => void} tell says something above what is shown next
 * @property {(record: T) => void} update shows a record that has changed, in the list too
 * @property {(ids: T["id"][]) => void} done takes records off the list that are decided, and opens the next one
 * @property {(id: T["id"] | "new") => void} open opens a record, also one that the list must be read again for, or
 *   the form of a new one
 * @property {() => void} close leads back to the list
 */

/**
 * @template {{ id: number | string }} T
 * @param {object} options
 * @param {string} options.view the name of the view in the address
 * @param {URLSearchParams} options.params
 * @param {HTMLElement} options.filters
 * @param {HTMLElement} [options.none] what an empty list shows
 * @param {boolean} [options.slim] whether each record has one line
 * @param {(cursor: string | number | null) => Promise<{ items: T[], nextCursor: string | number | null }>} options.load
 * @param {(item: T) => (Node | string)[]} options.item
 * @param {(id: string, place: HTMLElement, refresh: () => void, desk: Desk<T>) => Promise<Node>} options.detail
 *   returns what is shown of the record with an ID, as the address has it; the field with `autofocus` gets the focus
 */
export function queue({ view, params, filters, none, slim = false, load, item, detail }) {
  const list = h("ul", { class: "queue plain", "aria-label": "Queue" });
  const more = h("div", {});
  const pane = h("section", { class: "detail", "aria-label": "Detail", tabindex: "-1" });
  const element = h("div", { class: "desk" },
    h("section", { class: "stack list", "aria-label": "List" }, filters, list, more),
    pane);
  /** @type {T[]} */
  let items = [];
  /** @type {string | number | null} */
  let following = null;
  let selected = params.get("id") ?? "";
  /** Where the selected record is in the list, or was before it left it. */
  let position = 0;
  /** The latest load: an earlier one that ends later is dropped. */
  let latest = {};
  /** What to say above the next content of the pane. @type {(Node | string)[]} */
  let said = [];

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
      following = nextCursor;
      draw();
    } catch (error) {
      if (token === latest && !isAbort(error)) {
        fill(more, failure(error, () => void page(cursor)));
      }
    }
  }

  function draw() {
    const index = items.findIndex(isSelected);
    position = index < 0 ? position : index;
    fill(list, items.map((record) => {
      const { id } = record;
      const current = isSelected(record) ? "true" : null;
      const look = { type: "button", class: slim ? "item slim" : "item", "data-id": id, "aria-current": current };
      return h("li", {}, h("button", { ...look, onclick: () => open(id) }, item(record)));
    }));
    const cursor = following;
    fill(more,
      cursor !== null && h("button", { type: "button", onclick: () => void page(cursor) }, "Load more"),
      items.length === 0 && cursor === null
        && (none ?? empty("Nothing here", "No record matches the filters. Change them to see others.")));
    if (items.length === 0 && cursor === null && selected === "") {
      fill(pane);
    }
  }

  /** @param {T} record */
  function isSelected({ id }) {
    return String(id) === selected;
  }

  /** @param {T["id"] | "new"} id */
  function open(id) {
    params.set("id", String(id));
    const address = `#/${view}?${params}`;
    if (selected === "") {
      history.pushState({ opened: true }, "", address); // going back leads to the list
    } else {
      history.replaceState(history.state, "", address);
    }
    selected = String(id);
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
    selected = "";
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
      const content = await detail(id, pane, () => { void page(null); reload({ keep: true }); }, desk);
      return h("div", { class: "stack" },
        h("button", { type: "button", class: "back", onclick: close }, "← Back to the list"), notice(), content);
    }, options).then(() => {
      const { activeElement } = document;
      const first = pane.querySelector("[autofocus]");
      if (first instanceof HTMLElement && (activeElement === pane || activeElement?.matches("h1"))) {
        first.focus();
      }
    });
  }

  /** @param {number} step */
  function move(step) {
    // The next one has the place of a record that has left the list.
    const here = items.some(isSelected);
    const index = position + (here || step < 0 ? step : 0);
    const next = items[Math.max(0, Math.min(index, items.length - 1))];
    if (next) {
      open(next.id);
    }
  }

  /** @type {Desk<T>} */
  const desk = {
    tell: (...children) => { said = children; },
    update: (record) => {
      items = items.map((one) => one.id === record.id ? record : one);
      draw();
      reload({ keep: true });
    },
    done: (ids) => void moveOn(ids),
    open: (id) => {
      void page(null);
      open(id);
    },
    close,
  };

  /** @param {T["id"][]} ids */
  async function moveOn(ids) {
    position -= items.slice(0, position).filter(({ id }) => ids.includes(id)).length;
    items = items.filter(({ id }) => !ids.includes(id));
    if (items.length === 0 && following !== null) {
      await page(null);
    }
    const next = items[position] ?? items[0];
    if (next) {
      open(next.id);
      return;
    }
    selected = "";
    params.delete("id");
    history.replaceState(history.state, "", `#/${view}?${params}`);
    draw();
    fill(pane, notice(), empty("All decided", "Nothing is left in this list."));
    pane.focus({ preventScroll: true });
  }

  function notice() {
    const children = said;
    said = [];
    return children.length > 0 ? h("p", { class: "notice info said", role: "status" }, children) : "";
  }

  const nothing = () => empty("Nothing is open", "Choose a record from the list, or press j.",
    h("button", { type: "button", onclick: () => move(1) }, "Open the first",
      h("kbd", { "aria-hidden": "true" }, "j")));
  void page(null);
  if (selected !== "") {
    element.classList.add("open");
    reload();
  } else {
    fill(pane, nothing());
  }
  return { element, desk, shortcuts: { j: () => move(1), k: () => move(-1) } };
}
