// @ts-check
// A list of buttons, one for each record. A row stays the same element while its record is listed, so that neither the
// focus nor a click on it is lost when others change.
import { fill, h } from "./dom.js";
import { keepFocus } from "./focus.js";

/**
 * @template {{ id: number | string }} T
 * @param {object} options
 * @param {boolean} options.slim whether each record has one line
 * @param {(item: T) => (Node | string)[]} options.item
 * @param {(id: T["id"]) => void} options.open
 */
export function rowList({ slim, item, open }) {
  const element = h("ul", { class: "queue plain", "aria-label": "Queue" });
  /** @type {Map<T["id"], { row: HTMLElement, button: HTMLElement, record: T, gone: boolean }>} */
  let rows = new Map();

  /**
   * @param {T[]} items
   * @param {(record: T) => boolean} isSelected
   * @param {ReadonlySet<T["id"]>} gone those that are not in the list any more
   */
  function draw(items, isSelected, gone) {
    rows = new Map(items.map((record) => [record.id, drawn(record, gone.has(record.id))]));
    for (const { button, record } of rows.values()) {
      if (isSelected(record)) {
        button.setAttribute("aria-current", "true");
      } else {
        button.removeAttribute("aria-current");
      }
    }
    keepFocus(element, () => arrange([...rows.values()].map(({ row }) => row)));
  }

  /**
   * @param {T} record
   * @param {boolean} gone
   */
  function drawn(record, gone) {
    const { id } = record;
    const known = rows.get(id);
    if (known?.record === record && known.gone === gone) {
      return known;
    }
    const look = { type: "button", class: slim ? "item slim" : "item", "data-id": id };
    const button = known?.button ?? h("button", { ...look, onclick: () => open(id) });
    const row = known?.row ?? h("li", {}, button);
    row.toggleAttribute("data-gone", gone);
    fill(button, item(record), gone && h("span", { class: "sr" }, "no longer in this list"));
    return { row, button, record, gone };
  }

  /** @param {HTMLElement[]} wanted */
  function arrange(wanted) {
    const kept = new Set(/** @type {Element[]} */ (wanted));
    [...element.children].filter((row) => !kept.has(row)).forEach((row) => row.remove());
    wanted.forEach((row, index) => {
      if (element.children[index] !== row) {
        element.insertBefore(row, element.children[index] ?? null);
      }
    });
  }

  return { element, draw };
}
