// @ts-check
// A list of many rows of one height, of which only the visible ones are elements.
import { h } from "./dom.js";

/** The rows above and below the visible ones. */
const spare = 8;
/** The rows that one frame makes at most. The visible ones come first, and the others a frame later. */
const rowsPerFrame = 16;

/**
 * Returns a list. render returns the cells of a row. grow shows rows that are new at the end, and
 * update shows those of a range whose content has changed. keepTop is called when the list was
 * scrolled. With the same top, another list scrolls there as soon as it has the rows, unless the
 * user has scrolled it before. With a signal, the page scrolls instead of the list, until it is aborted.
 *
 * @param {{
 *   label: string, columns: string[], rowHeight: number, count: () => number, render: (index: number) => Node[],
 *   top?: number, keepTop?: (top: number) => void, pageScrolls?: AbortSignal,
 * }} options
 */
export function virtualList(
  { label, columns, rowHeight, count, render, top: wantedTop = 0, keepTop = () => {}, pageScrolls },
) {
  const rows = h("div", { class: "rows", role: "presentation" });
  const scroller = h("div", pageScrolls ? { role: "rowgroup" } : { class: "scroller", tabindex: "0", role: "rowgroup" },
    rows);
  const head = h("div", { class: "row head", role: "row" },
    columns.map((column) => h("span", { role: "columnheader" }, column)));
  const element = h("div", { class: pageScrolls ? "virtual paged" : "virtual", role: "table", "aria-label": label },
    h("div", { role: "rowgroup" }, head), scroller);
  let asked = false;
  let shownTotal = -1;
  /** The rows on the page, which scrolling keeps. @type {Map<number, HTMLElement>} */
  const drawn = new Map();
  /** Those of them that show an old content. @type {Set<number>} */
  const stale = new Set();

  const draw = () => {
    asked = false;
    const total = count();
    resize(total);
    const moving = pageScrolls ? document.documentElement : scroller;
    if (wantedTop > 0 && moving.scrollHeight >= wantedTop + moving.clientHeight) {
      moving.scrollTop = wantedTop;
      wantedTop = 0;
    }
    const above = pageScrolls ? Math.max(0, -rows.getBoundingClientRect().top) : scroller.scrollTop;
    const top = Math.floor(above / rowHeight);
    const bottom = Math.ceil((above + (moving.clientHeight || 600)) / rowHeight);
    const first = Math.max(0, top - spare);
    const last = Math.min(total, bottom + spare);
    for (const [index, row] of drawn) {
      // A row with the focus stays, or the keyboard would have to begin again.
      if (index >= total || (index < first || index >= last) && !row.contains(document.activeElement)) {
        row.remove();
        drawn.delete(index);
        stale.delete(index);
      }
    }
    let left = rowsPerFrame;
    for (const [from, to] of [[top, bottom], [first, last]]) {
      for (let index = Math.max(first, from ?? 0); index < Math.min(last, to ?? 0); index++) {
        if (drawn.has(index) && !stale.has(index)) {
          continue;
        }
        if (left-- === 0) {
          ask();
          return;
        }
        place(index);
      }
    }
  };
  const resize = (/** @type {number} */ total) => {
    if (total !== shownTotal) {
      shownTotal = total;
      element.setAttribute("aria-rowcount", String(total + 1));
      rows.style.height = `${total * rowHeight}px`;
    }
  };
  /** Puts a new row where it is to be read. */
  const place = (/** @type {number} */ index) => {
    const row = newRow(index);
    const old = drawn.get(index);
    if (old) {
      old.replaceWith(row);
    } else {
      const next = Math.min(...[...drawn.keys()].filter((other) => other > index));
      rows.insertBefore(row, drawn.get(next) ?? null);
    }
    drawn.set(index, row);
    stale.delete(index);
  };
  const newRow = (/** @type {number} */ index) => {
    const row = h("div", { class: "row", role: "row", "aria-rowindex": index + 2 },
      render(index).map((cell) => h("span", { role: "cell" }, cell)));
    row.style.top = `${index * rowHeight}px`;
    row.style.height = `${rowHeight}px`;
    return row;
  };
  const ask = () => {
    if (!asked) {
      asked = true;
      requestAnimationFrame(draw);
    }
  };
  const update = (/** @type {number} */ start, /** @type {number} */ end) => {
    for (const index of drawn.keys()) {
      if (index >= start && index < end) {
        stale.add(index);
      }
    }
    ask();
  };
  const keep = (/** @type {number} */ top) => {
    if (wantedTop === 0) { // otherwise the position to come back to is not reached yet
      keepTop(top);
    }
  };
  if (pageScrolls) {
    followPage(pageScrolls, ask, () => { wantedTop = 0; }, keep);
  } else {
    scroller.addEventListener("scroll", () => {
      wantedTop = 0;
      ask();
    }, { passive: true });
    scroller.addEventListener("scrollend", () => keep(scroller.scrollTop));
  }
  new ResizeObserver(ask).observe(scroller);
  return { element, update, grow: ask };
}

/**
 * Calls functions when the page scrolls. A change of the view scrolls it too, so only what the user does
 * says that it was the user.
 *
 * @param {AbortSignal} signal
 * @param {() => void} draw
 * @param {() => void} byUser
 * @param {(top: number) => void} keepTop
 */
function followPage(signal, draw, byUser, keepTop) {
  const options = { passive: true, signal };
  addEventListener("resize", draw, options);
  document.addEventListener("scroll", draw, options);
  document.addEventListener("scrollend", () => keepTop(document.documentElement.scrollTop), options);
  for (const event of ["wheel", "touchmove", "keydown"]) {
    addEventListener(event, byUser, options);
  }
}
