// @ts-check
// The lines of a list as rows: all of them, or those that somebody should look at.
import { causeOf, commonCauses, doubtText } from "./allowlist-causes.js";
import { isProblem, needsConfirmation } from "./allowlist-lines.js";
import { fill, h } from "./dom.js";
import { grouped } from "./numbers.js";
import { badge } from "./parts.js";
import { checkLink, rowText } from "./safe-text.js";
import { virtualList } from "./virtual-list.js";
import { wideText } from "./wide.js";
import { rules } from "./workers.js";

/** @import { Line } from "./allowlist-lines.js" */

/** More causes are not named. */
const mostCauses = 8;

/** @type {{ name: string, label: string, has: (line: Line) => boolean }[]} */
const parts = [
  { name: "all", label: "All", has: () => true },
  { name: "problems", label: "Problems", has: isProblem },
  { name: "confirm", label: "To confirm", has: needsConfirmation },
];

/**
 * Returns the rows, and buttons that choose which of them are shown: a part, and of that the lines with one cause. draw
 * is called when lines have changed, update for those of a range that are to be drawn again.
 *
 * @param {() => Line[]} lines
 * @param {() => boolean} planned whether the server has said which lines need a confirmation
 */
export function linesTable(lines, planned) {
  let chosen = "all";
  /** The cause of the lines that are shown, or nothing for all of the part. */
  let cause = "";
  const causes = h("div", { class: "chips", role: "group", "aria-label": "Causes", hidden: true });
  let drawnCauses = "";
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
    cause = "";
    draw();
    table.update(0, Infinity);
  }

  /** Shows what many lines of the part have in common. @param {ReturnType<typeof commonCauses>} found */
  function drawCauses(found) {
    const shared = found.filter(({ lines: { length } }) => length > 1).slice(0, mostCauses);
    const key = JSON.stringify([cause, shared.map(({ name, lines: { length } }) => [name, length])]);
    if (key === drawnCauses) {
      return;
    }
    drawnCauses = key;
    causes.hidden = found.length < 2 || shared.length === 0;
    fill(causes, shared.map(({ name, text, blocker, lines: { length } }) => h("button", {
      type: "button", class: "small", "aria-pressed": String(name === cause), onclick: () => {
        cause = name === cause ? "" : name;
        draw();
        table.update(0, Infinity);
      },
    }, text, " ", blocker !== undefined && rowText(blocker), " ",
    h("span", { class: "count" }, grouped(length)))));
  }

  function draw() {
    const all = lines();
    for (const { name, has } of parts) {
      const found = name === "all" ? all.length : all.reduce((count, each) => count + (has(each) ? 1 : 0), 0);
      /** @type {HTMLElement} */ (counts.get(name)).textContent =
        name === "confirm" && !planned() ? "–" : grouped(found);
      buttons.get(name)?.setAttribute("aria-pressed", String(name === chosen));
    }
    const part = parts.find(({ name }) => name === chosen);
    const before = indexes;
    indexes = part && chosen !== "all" ? indexesOf(all, part.has) : undefined;
    const known = commonCauses((indexes ?? []).map((index) => /** @type {Line} */ (all[index])));
    cause = known.some(({ name }) => name === cause) ? cause : "";
    drawCauses(known);
    if (cause !== "") {
      indexes = indexes?.filter((index) => causeOf(/** @type {Line} */ (all[index])).name === cause);
    }
    if (before?.length !== indexes?.length) {
      table.update(0, Infinity);
    }
    table.grow();
  }

  const element = h("div", {},
    h("div", { class: "tabs", role: "group", "aria-label": "Lines that are shown" }, [...buttons.values()]),
    causes, table.element);
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
  const { text, blocker, asks = false } = causeOf(line);
  if (blocker !== undefined) {
    return h("span", { class: "bad" }, text, " ", rowText(blocker));
  }
  if (asks) {
    return h("span", { class: "bad" }, doubtText(line, wideText));
  }
  if (line.repeats !== undefined && isProblem(line)) {
    return h("span", { class: "muted" }, `Repeats line ${grouped(line.repeats)}`);
  }
  return h("span", { class: isProblem(line) ? "bad" : line.ok ? "good" : "muted" }, text,
    isProblem(line) && !line.type && refused(line.content));
}

/**
 * Returns a place that says why the rules refuse a content, as soon as they have answered.
 *
 * @param {string} content
 */
function refused(content) {
  const place = h("span", {});
  rules.explain(content).then(({ refused: why, refanged }) => {
    fill(place, why !== undefined && `: ${why.message}`,
      refanged !== undefined && [". Did you mean ", rowText(refanged), "?"]);
    place.title = place.textContent.replace(/^: /, "");
  }, () => {}); // the server says that it is refused
  return place;
}
