// @ts-check
// Changes per day, and the shares of a whole, as bars.
import { h, svg } from "./dom.js";
import { grouped } from "./numbers.js";

/** @typedef {{ BLOCKED: number, ALLOWED: number, UNKNOWN: number }} Day */

const maxDays = 92;
const statuses = /** @type {const} */ (["BLOCKED", "ALLOWED", "UNKNOWN"]);

/** @param {Map<string, Day>} days by their date */
export function changesPerDay(days) {
  const dates = datesOf([...days.keys()].sort());
  const total = (/** @type {string} */ date) => statuses.reduce((sum, status) => sum + (days.get(date)?.[status] ?? 0),
    0);
  const most = Math.max(1, ...dates.map(total));
  const width = 1000;
  const height = 140;
  const step = width / Math.max(dates.length, 1);
  const bars = dates.flatMap((date, index) => {
    let y = height;
    return statuses.map((status) => {
      const count = days.get(date)?.[status] ?? 0;
      const size = count === 0 ? 0 : Math.max(count / most * height, 1.5);
      y -= size;
      const place = { x: index * step + step * 0.1, y, width: step * 0.8, height: size };
      return svg("rect", { ...place, class: `bar ${status.toLowerCase()}` },
        svg("title", {}, `${date}: ${grouped(total(date))}`));
    });
  });
  const atMost = grouped(most);
  const label = `Changes per day from ${dates[0]} to ${dates.at(-1)}, at most ${atMost} a day`;
  return h("figure", { class: "chart" },
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      bars),
    h("figcaption", {},
      h("span", {}, dates[0] ?? ""),
      h("span", { class: "legend" },
        `most in a day: ${atMost}`,
        statuses.map((status) => h("span", { class: `key ${status.toLowerCase()}` }, `to ${status.toLowerCase()}`))),
      h("span", {}, dates.at(-1) ?? "")));
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

const maxShares = 6;

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
    h("ul", { class: "plain" }, shown.map(({ name, count, look = "" }) => h("li", {}, h("span", {}, name),
      svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none", viewBox: "0 0 100 1" },
        svg("rect", { width: count / most * 100, height: 1, class: `bar ${look}` })),
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
    [...[...counts].map(([name, count]) => ({ name, count })), { name: "refused", count: refused, look: "refused" }]);
}

/** @param {number} share */
function percent(share) {
  return share > 0 && share < 0.01
    ? "under 1 %"
    : share < 1 && share > 0.99
    ? "over 99 %"
    : `${Math.round(share * 100)} %`;
}
