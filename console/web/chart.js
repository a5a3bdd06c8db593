// @ts-check
// Charts: changes per day as bars, of which one can be chosen, and the shares of a whole.
import { h, svg } from "./dom.js";
import { grouped } from "./numbers.js";

/** @typedef {{ BLOCKED: number, ALLOWED: number, UNKNOWN: number }} Day */

const maxDays = 92;
/** A chart of fewer days has room for this many, so that a day is no wall. */
const minColumns = 14;
const statuses = /** @type {const} */ (["BLOCKED", "ALLOWED", "UNKNOWN"]);
/** The height of the drawing. Its place stretches it. */
const height = 100;
/** A day that has more than this times what nine of ten days have at most is cut off. */
const bulk = 4;
/** How many shares of a whole are shown apart from the rest. */
const maxShares = 6;

/**
 * Returns a chart of days. Choosing a day with the mouse or the keyboard calls choose.
 *
 * @param {Map<string, Day>} days by their date
 * @param {(date: string) => void} choose
 */
export function changesPerDay(days, choose) {
  const dates = datesOf([...days.keys()].sort());
  const totals = dates.map((date) => statuses.reduce((sum, status) => sum + (days.get(date)?.[status] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const top = scaleTop(totals);
  const bars = dates.flatMap((date, index) => barsOf(days.get(date), index, top, totals[index] ?? 0));
  const columns = Math.max(dates.length, minColumns);
  const atMost = grouped(most);
  const label = `Changes per day from ${dates[0]} to ${dates.at(-1)}, at most ${atMost} a day`;
  const cut = dates.map((_, index) => index).filter((index) => (totals[index] ?? 0) > top);
  return h("figure", { class: "chart days" },
    h("div", { class: "axis-y", "aria-hidden": "true" },
      ticksOf(top).map((tick) => positioned("bottom", tick / top, grouped(tick)))),
    h("div", { class: "plot" },
      ticksOf(top).map((tick) => positioned("bottom", tick / top, "", "grid-line")),
      svg("svg", {
        viewBox: `0 0 ${columns} ${height}`, role: "img", "aria-label": label,
        preserveAspectRatio: "none",
      }, bars),
      cut.map((index) => tallest(index, columns, totals[index] ?? 0)),
      dayChooser(dates, days, totals, columns, choose)),
    h("div", { class: "axis-x", "aria-hidden": "true" },
      labeledDays(dates.length).map((index) =>
        positioned("left", (index + 0.5) / columns, dates[index]?.slice(5) ?? ""))),
    h("figcaption", {},
      h("span", { class: "legend" }, `${dates[0] ?? ""} to ${dates.at(-1) ?? ""}, most in a day: ${atMost}`,
        statuses.map((status) => h("span", { class: "key", "data-value": status }, `to ${status.toLowerCase()}`)),
        cut.length > 0 && h("span", {}, "▲ taller than shown"))));
}

/**
 * @param {Day | undefined} day
 * @param {number} index
 * @param {number} top
 * @param {number} total
 */
function barsOf(day, index, top, total) {
  if (!day) {
    return [];
  }
  const scale = height / Math.max(top, total); // a day that is cut off keeps its shares
  let y = height;
  return statuses.filter((status) => day[status] > 0).map((status) => {
    const size = Math.max(day[status] * scale, 1);
    y -= size;
    return svg("rect", { x: index + 0.1, y, width: 0.8, height: size, class: "bar", "data-value": status });
  });
}

/**
 * Returns what an axis ends with: a round number that all days have room under, but for days of bulk changes.
 *
 * @param {number[]} totals
 */
export function scaleTop(totals) {
  const sorted = totals.filter((total) => total > 0).sort((a, b) => a - b);
  const most = sorted.at(-1) ?? 1;
  const usual = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 1;
  return round(most > bulk * usual ? usual * 1.5 : most);
}

/** Round numbers up to the next power of ten. */
const steps = [1, 1.2, 1.6, 2, 3, 4, 6, 8];

/**
 * Returns the next larger number that can be halved and is easy to read.
 *
 * @param {number} number
 */
function round(number) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(number, 10)));
  return unit * (number < 10
    ? Math.max(2, Math.ceil(number / 2) * 2) / 10
    : steps.find((step) => number <= step * unit) ?? 10);
}

/** @param {number} top */
function ticksOf(top) {
  return [0, top / 2, top];
}

/**
 * Returns the indexes of days that have a label: the first, the last, and some between.
 *
 * @param {number} many
 */
function labeledDays(many) {
  const steps = Math.min(5, many - 1);
  return steps < 1
    ? Array.from({ length: many }, (_, index) => index)
    : Array.from({ length: steps + 1 }, (_, step) => Math.round(step * (many - 1) / steps));
}

/**
 * Returns what stands over a day that is taller than shown. At the right end, it ends with the day.
 *
 * @param {number} index
 * @param {number} many
 * @param {number} total
 */
function tallest(index, many, total) {
  const share = (index + 0.5) / many;
  return positioned("left", share, `▲ ${grouped(total)}`, share > 0.8 ? "cut end" : "cut");
}

/**
 * @param {"left" | "bottom"} side
 * @param {number} share
 * @param {string} text
 * @param {string} [look]
 */
function positioned(side, share, text, look = "tick") {
  const element = h("span", { class: look }, text);
  element.style[side] = `${share * 100}%`;
  return element;
}

/**
 * Returns what lies over the bars: it says what a day has, and chooses it. To the keyboard it is a slider.
 *
 * @param {string[]} dates
 * @param {Map<string, Day>} days
 * @param {number[]} totals
 * @param {number} columns of the chart, of which the first ones are days
 * @param {(date: string) => void} choose
 */
function dayChooser(dates, days, totals, columns, choose) {
  const tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  const mark = h("div", { class: "mark", hidden: true });
  let chosen = dates.length - 1;
  const slider = h("div", {
    class: "chooser", role: "slider", tabindex: "0", "aria-label": "Day: Enter shows only its changes",
    "aria-valuemin": 1, "aria-valuemax": dates.length,
  }, mark, tip);
  const point = (/** @type {number} */ index, shown = true) => {
    chosen = Math.max(0, Math.min(index, dates.length - 1));
    const date = dates[chosen] ?? "";
    const day = days.get(date);
    const text = `${date}: ${grouped(totals[chosen] ?? 0)}`;
    const parts = statuses.filter((status) => day && day[status] > 0)
      .map((status) => `${grouped(day?.[status] ?? 0)} to ${status.toLowerCase()}`);
    slider.setAttribute("aria-valuenow", String(chosen + 1));
    slider.setAttribute("aria-valuetext", [text, ...parts].join(", "));
    tip.replaceChildren(h("strong", {}, text), ...parts.map((part) => h("div", {}, part)));
    tip.hidden = mark.hidden = !shown;
    const share = (chosen + 0.5) / columns;
    tip.style.left = `${Math.min(85, Math.max(0, share * 100 - 5))}%`;
    mark.style.left = `${chosen / columns * 100}%`;
    mark.style.width = `${100 / columns}%`;
  };
  const indexAt = (/** @type {PointerEvent | MouseEvent} */ { clientX }) => {
    const { left, width } = slider.getBoundingClientRect();
    return Math.floor((clientX - left) / width * columns);
  };
  const hide = () => { tip.hidden = mark.hidden = true; };
  slider.addEventListener("pointermove", (event) => point(indexAt(event)));
  slider.addEventListener("pointerleave", hide);
  slider.addEventListener("focus", () => slider.matches(":focus-visible") && point(chosen));
  slider.addEventListener("blur", hide);
  slider.addEventListener("click", (event) => {
    point(indexAt(event));
    choose(dates[chosen] ?? "");
  });
  slider.addEventListener("keydown", (event) => {
    const to = {
      ArrowLeft: chosen - 1, ArrowDown: chosen - 1, ArrowRight: chosen + 1, ArrowUp: chosen + 1,
      Home: 0, End: dates.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      point(to);
    } else if (event.key === "Enter") {
      choose(dates[chosen] ?? "");
    }
  });
  point(chosen, false);
  return slider;
}

/** @param {string[]} known */
function datesOf(known) {
  const last = known.at(-1);
  if (!last) {
    return [];
  }
  const dates = [];
  for (let date = new Date(last); dates.length < maxDays
    && date.toISOString().slice(0, 10) >= /** @type {string} */ (known[0]); date.setUTCDate(date.getUTCDate() - 1)) {
    dates.unshift(date.toISOString().slice(0, 10));
  }
  return dates;
}

/**
 * Returns the shares of a whole, the largest first, and small ones together. Parts with a look are
 * shown last and never put together.
 *
 * @param {string} label
 * @param {{ name: string, count: number, look?: string }[]} parts
 */
function shares(label, parts) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const marked = parts.filter(({ look, count }) => look && count > 0);
  const plain = parts.filter(({ look, count }) => !look && count > 0).sort((a, b) => b.count - a.count);
  const rest = plain.slice(maxShares).reduce((sum, { count }) => sum + count, 0);
  const shown = [...plain.slice(0, maxShares), ...(rest > 0 ? [{ name: "others", count: rest }] : []), ...marked];
  const most = Math.max(1, ...shown.map(({ count }) => count));
  return h("figure", { class: "chart shares" }, h("figcaption", {}, label),
    h("ul", { class: "plain" }, shown.map(({ name, count, look = "bar" }) => h("li", {}, h("span", {}, name),
      svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none", viewBox: "0 0 100 1" },
        svg("rect", { width: count / most * 100, height: 1, class: look })),
      h("span", {}, `${grouped(count)} `, h("span", { class: "muted" }, percent(count / total)))))));
}

/**
 * Returns the types of the lines of a list, and how many were refused.
 *
 * @param {readonly { type?: string, refusal?: string, ok?: boolean | undefined }[]} lines
 */
export function typesOfLines(lines) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  let refused = 0;
  for (const { type, refusal, ok } of lines) {
    if (type === undefined || refusal !== undefined || ok === false) {
      refused++;
    } else {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  return shares("Types, and what is refused",
    [
      ...[...counts].map(([name, count]) => ({ name, count })),
      { name: "refused", count: refused, look: "bar refused" },
    ]);
}

/** @param {number} share */
function percent(share) {
  return share > 0 && share < 0.01
    ? "under 1 %"
    : share < 1 && share > 0.99
    ? "over 99 %"
    : `${Math.round(share * 100)} %`;
}
