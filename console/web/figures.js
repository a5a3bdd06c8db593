// @ts-check
// The figures of the server, for the person who answers for its lists.
import { operatorGet } from "./api.js";
import { h } from "./dom.js";
import { grouped } from "./numbers.js";
import { age, fact, failing, total } from "./parts.js";
import { reasonName } from "./reasons.js";
import { rowText, safeText } from "./safe-text.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Figures"]} Figures */
/** @typedef {Figures["months"][number]} Month */

/**
 * Returns functions that load the content of a card each, with one request.
 *
 * @param {AbortSignal} signal
 */
export function figureCards(signal) {
  /** @type {Promise<Figures> | undefined} */
  let asked;
  const card = (/** @type {(figures: Figures) => Node[]} */ content) => async () => {
    asked ??= operatorGet("/figures", undefined, signal);
    try {
      return content(await asked);
    } catch (error) {
      asked = undefined; // so that the next attempt asks again
      throw error;
    }
  };
  return { blocks: card(blocks), times: card(times), lists: card(lists) };
}

/** @param {Figures} figures */
function blocks({ months }) {
  const sum = (/** @type {"blocks" | "disputesAccepted"} */ name) =>
    months.reduce((found, month) => found + month[name], 0);
  return [
    total(sum("blocks"), ` blocks since ${months[0]?.month}, by hand or by an approved review`),
    h("p", { class: "hint" }, "Imports and lists do not count. A block counts even if it was taken back later."),
    h("p", {}, `Disputes accepted since then: ${grouped(sum("disputesAccepted"))}, undone decisions included`),
    table("Blocks by month", ["Month", "Blocks", "Accepted", "By reason"],
      months.filter(({ blocks: all, disputesAccepted }) => all + disputesAccepted > 0).map((month) => [
        month.month, grouped(month.blocks), grouped(month.disputesAccepted),
        h("ul", { class: "plain" }, month.reasons.map((reason) => h("li", {}, byReason(reason)))),
      ])),
    months.some(({ reasons }) => reasons.some(({ disputesAccepted }) => disputesAccepted > 0))
      ? h("p", { class: "hint" }, "Ended: a block of any month that an accepted dispute has ended in this one.")
      : h("p", {}),
  ];
}

/** @param {Month["reasons"][number]} figures */
function byReason({ reason, blocks: all, disputesAccepted }) {
  return `${reasonName(reason)} ${grouped(all)}${disputesAccepted > 0 ? `, ${grouped(disputesAccepted)} ended` : ""}`;
}

/** @param {Figures} figures */
function times({ months }) {
  const decided = months.filter(({ disputesDecided }) => disputesDecided > 0);
  const last = decided.at(-1);
  return [
    h("p", { class: "total" }, last
      ? [h("strong", {}, hours(last.hoursMedian)), ` from a dispute to its decision, the median of ${last.month}`]
      : `No dispute was decided since ${months[0]?.month}.`),
    h("p", { class: "hint" }, "Each decision counts, even if it was undone later."),
    table("Decisions by month", ["Month", "Decisions", "Median", "9 of 10 in"], decided.map((month) =>
      [month.month, grouped(month.disputesDecided), hours(month.hoursMedian), hours(month.hours90)])),
  ];
}

/** @param {Figures} figures */
function lists({ lists: { total: all, failing: found } }) {
  return all === 0 ? [h("p", { class: "muted" }, "No list is kept in sync.")] : [
    failing(found.length, ` of ${grouped(all)} fail${found.length === 1 ? "s" : ""}`),
    h("dl", { class: "facts", hidden: found.length === 0 }, found.map(({ name, failedAt, error }) =>
      fact(name, rowText(error), " ", age(failedAt)))),
  ];
}

/** @param {number | null} time in hours */
function hours(time) {
  if (time === null) {
    return "–";
  }
  return time < 48 ? `${grouped(Math.round(time * 10) / 10)} h` : `${grouped(Math.round(time / 24))} d`;
}

/**
 * @param {string} name
 * @param {string[]} columns
 * @param {(string | Node)[][]} lines the newest last
 */
function table(name, columns, lines) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name, hidden: lines.length === 0 },
    h("table", {},
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col" }, column)))),
      h("tbody", {}, lines.toReversed().map((line) =>
        h("tr", {}, line.map((cell) => h("td", {}, typeof cell === "string" ? safeText(cell) : cell)))))));
}
