// @ts-check
// The lines of a list as rows: all of them, or those that somebody should look at.
import { isProblem, outcome } from "./allowlist-lines.js";
import { h } from "./dom.js";
import { grouped } from "./numbers.js";
import { badge } from "./parts.js";
import { checkLink, rowText } from "./safe-text.js";
import { virtualList } from "./virtual-list.js";

/** @import { Line } from "./allowlist-lines.js" */

/** @type {{ name: string, label: string, has: (line: Line) => boolean }[]} */
const parts = [
  { name: "all", label: "All", has: () => true },
  { name: "problems", label: "Problems", has: isProblem },
  { name: "unblock", label: "Would unblock", has: ({ unblocks }) => unblocks !== undefined },
];

/**
 * Returns the rows, and buttons that choose which of them are shown. draw is called when lines have
 * changed, update for those of a range that are to be drawn again.
 *
 * @param {() => Line[]} lines
 * @param {() => boolean} planned whether the server has said what the lines would unblock
 */
export function linesTable(lines, planned) {
  let chosen = "all";
  /** The indexes of the lines that are shown, if not all are. @type {number[] | undefined} */
  let indexes;
  const line = (/** @type {number} */ index) => lines()[indexes ? indexes[index] ?? -1 : index];
  const table = virtualList({
    label: "Lines", columns: ["Line", "Content", "Type", "Canonical form", "Result", "More"], rowHeight: 44,
    count: () => (indexes ? indexes.length : lines().length), render: (index) => row(line(index)),
  });
  const counts = new Map(parts.map(({ name }) => [name, h("span", { class: "count" }, "0")]));
  const buttons = new Map(parts.map(({ name, label }) =>
    [name, h("button", { type: "button", onclick: () => choose(name) }, label, " ", counts.get(name))]));

  /** @param {string} name */
  function choose(name) {
    chosen = name;
    draw();
    table.update(0, Infinity);
  }

  function draw() {
    const all = lines();
    for (const { name, has } of parts) {
      const found = name === "all" ? all.length : all.reduce((count, each) => count + (has(each) ? 1 : 0), 0);
      /** @type {HTMLElement} */ (counts.get(name)).textContent =
        name === "unblock" && !planned() ? "–" : grouped(found);
      buttons.get(name)?.setAttribute("aria-pressed", String(name === chosen));
    }
    const part = parts.find(({ name }) => name === chosen);
    const before = indexes;
    indexes = part && chosen !== "all" ? indexesOf(all, part.has) : undefined;
    if (before?.length !== indexes?.length) {
      table.update(0, Infinity);
    }
    table.grow();
  }

  const element = h("div", {},
    h("div", { class: "tabs", role: "group", "aria-label": "Lines that are shown" }, [...buttons.values()]),
    table.element);
  draw();
  return {
    element, choose, draw,
    update: (/** @type {number} */ start, /** @type {number} */ end) =>
      indexes ? table.update(0, Infinity) : table.update(start, end),
  };
}

/**
 * @param {Line[]} lines
 * @param {(line: Line) => boolean} has
 */
function indexesOf(lines, has) {
  /** @type {number[]} */
  const found = [];
  lines.forEach((line, index) => has(line) && found.push(index));
  return found;
}

/** @param {Line} [line] */
function row(line = { number: 0, content: "" }) {
  return [
    h("span", { class: "muted" }, grouped(line.number)),
    rowText(line.content),
    line.type ? badge("TYPE", line.type) : h("span", {}),
    line.canonical ? rowText(line.canonical) : h("span", {}),
    said(line),
    checkLink(line.content),
  ];
}

/** @param {Line} line */
function said(line) {
  if (line.unblocks !== undefined && line.result === undefined && !line.left) {
    return h("span", { class: "bad" }, "BLOCKED by ", rowText(line.unblocks));
  }
  const text = outcome(line);
  if (line.repeats !== undefined && isProblem(line)) {
    return h("span", { class: "muted" }, `Repeats line ${grouped(line.repeats)}`);
  }
  return h("span", { class: isProblem(line) ? "bad" : line.ok ? "good" : "muted" }, text);
}
