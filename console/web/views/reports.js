// @ts-check
import { operatorGet } from "../api.js";
import { h } from "../dom.js";
import { badge, waited } from "../parts.js";
import { queue } from "../queue.js";
import { isDecision, reportCard } from "../report-card.js";
import { safeText } from "../safe-text.js";
import { chips, countOf, hashWith, searchInput, tabs } from "../tabs.js";

/** @import { View } from "../parts.js" */
/** @import { Report } from "../report-card.js" */

/** The tabs by the status in the address, and the status that the list is asked for. */
const places = {
  TODO: { label: "To do", status: "TODO" },
  IN_PROGRESS: { label: "In progress", status: "IN_PROGRESS" },
  CLOSED: { label: "Closed", status: "CLOSED" },
  ALL: { label: "All", status: "" },
};

const switches = [
  { label: "without automation", name: "excludeAutomation", value: "true" },
  { label: "escalated", name: "reviewStatuses", value: "ESCALATE" },
  { label: "with a rejection", name: "onlyRejected", value: "true" },
];

const names = ["searchQuery", "reporterQuery", ...switches.map(({ name }) => name)];

/** The reports of a page that is only counted. */
const countLimit = 100;

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function reportsView(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const tab = Object.hasOwn(places, value("status")) ? value("status") : "TODO";
  /** @param {string} status @param {object} more */
  const list = (status, more) => operatorGet("/report/list",
    /** @type {any} */ ({ ...Object.fromEntries(names.map((name) => [name, value(name)])), status, ...more }), signal);
  const { element: tabList, count } = tabs("Lists", Object.entries(places).map(([name, { label, status }]) => ({
    label, current: name === tab, href: hashWith("reports", params, { status: name === "TODO" ? "" : name }),
    count: async () => {
      const { reports, nextCursor } = await list(status, { limit: countLimit });
      return countOf(reports, nextCursor);
    },
  })));
  const filters = h("div", { class: "toolbar" },
    searchInput("reports", params, "searchQuery", "Search"),
    searchInput("reports", params, "reporterQuery", "Reporter"),
    chips("Filters", switches.map(({ label, name, value: on }) => {
      const current = value(name) === on;
      return { label, current, href: hashWith("reports", params, { [name]: current ? "" : on }) };
    })));
  const { status } = /** @type {Record<string, { status: string }>} */ (places)[tab] ?? places.TODO;
  const { element, shortcuts } = queue({
    view: "reports", params, slim: true, filters: h("div", { class: "stack tight" }, tabList, filters),
    load: async (cursor) => {
      const { reports, nextCursor } = await list(status, { cursor });
      return { items: reports, nextCursor };
    },
    item: row,
    detail: async (id, _place, _refresh, desk) => {
      const report = await operatorGet("/report/get", { id: Number(id) }, signal);
      return reportCard({ report, desk, movesOn: tab === "TODO" || tab === "IN_PROGRESS", count, signal });
    },
  });
  return { title: "Reports", element, shortcuts };
}

/** @param {Report} report */
function row({ title, status, proposals, createdAt }) {
  const decided = proposals.filter(({ reviewStatus }) => isDecision(reviewStatus)).length;
  return [
    safeText(title, { clip: 120 }),
    h("span", { class: "who" }, status === "CLOSED" ? badge(status) : `${decided} of ${proposals.length}`),
    waited(createdAt),
  ];
}
