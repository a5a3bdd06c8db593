// @ts-check
import { changelogStream } from "../api.js";
import { readEntries } from "../changelog-stream.js";
import { changesPerDay } from "../chart.js";
import { rules } from "../core.js";
import { announce, fill, h } from "../dom.js";
import { grouped } from "../numbers.js";
import { badge, empty, failure, field, filterForm, isAbort, select, time } from "../parts.js";
import { checkLink, rowText } from "../safe-text.js";
import { virtualList } from "../virtual-list.js";

/** @import { View } from "../parts.js" */
/** @import { Entry } from "../changelog-stream.js" */
/** @import { Day } from "../chart.js" */

const names = ["content", "type", "fromStatus", "toStatus", "startDate", "endDate"];
const drawEvery = 20_000;
/** More entries are not kept: a filter finds what somebody looks for. */
const maxEntries = 500_000;

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function changelogView(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const status = (/** @type {string} */ name) => select(name, value(name),
    [["", "Any"], ["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"], ["UNKNOWN", "Unknown"]]);
  const types = select("type", value("type"), [["", "Any"]]);
  const filters = filterForm("changelog", [
    field("Content", h("input", { name: "content", value: value("content"), spellcheck: "false" })),
    field("Type", types), field("From", status("fromStatus")), field("To", status("toStatus")),
    field("First day", h("input", { type: "date", name: "startDate", value: value("startDate") })),
    field("Last day", h("input", { type: "date", name: "endDate", value: value("endDate") })),
  ], "primary");
  const option = (/** @type {string} */ type) => h("option", { value: type, selected: type === value("type") }, type);
  rules.limits().then(({ assetTypes }) => types.append(...assetTypes.map(option)),
    () => {});

  /** @type {Entry[]} */
  const entries = [];
  /** @type {Map<string, Day>} */
  const days = new Map();
  const chart = h("div", { class: "chart-place" });
  const progress = h("p", { class: "state" });
  const problem = h("div", {});
  const address = location.hash;
  const table = virtualList({
    label: "Changes", columns: ["When (UTC)", "Asset", "Type", "Change", "More"], rowHeight: 40,
    count: () => entries.length, render: (index) => row(/** @type {Entry} */ (entries[index])),
    // The history of the browser keeps the position for the time when the user comes back.
    top: history.state?.top,
    keepTop: (top) => location.hash === address && history.replaceState({ top }, ""),
  });
  const place = h("div", {}, table.element);
  const reading = new AbortController();
  signal.addEventListener("abort", () => reading.abort());

  async function load() {
    const body = Object.fromEntries(names.filter((name) => value(name) !== "").map((name) => [name, value(name)]));
    const validity = await rules.validate("/asset/changelog", { body });
    if (!validity.valid) {
      fill(problem, h("div", { class: "notice error", role: "alert" },
        h("ul", {}, validity.issues.map((issue) => h("li", {}, issue)))));
      return;
    }
    fill(progress, "Reading … ",
      h("button", { type: "button", class: "link", onclick: () => reading.abort() }, "Cancel"));
    const count = h("span", {});
    progress.append(" ", count);
    let drawn = 0;
    try {
      await readEntries(await changelogStream(body, reading.signal), (part) => {
        for (const entry of part) {
          entries.push(entry);
          countDay(days, entry);
        }
        count.textContent = grouped(entries.length);
        table.grow();
        if (entries.length >= maxEntries) {
          reading.abort();
        }
        if (entries.length - drawn > drawEvery) {
          drawn = entries.length;
          fill(chart, changesPerDay(days));
        }
      });
      fill(progress, `${grouped(entries.length)} changes, newest first`);
      announce(`${grouped(entries.length)} changes`);
    } catch (error) {
      if (!isAbort(error)) {
        fill(problem, failure(error));
      }
      fill(progress,
        entries.length > 0 ? `${grouped(entries.length)} changes were read; there are more. Filters find others.` : "");
    }
    if (entries.length > 0) {
      fill(chart, changesPerDay(days));
    } else if (problem.childElementCount === 0) {
      fill(place, empty("No changes", "No change matches the filters. Leave some of them out."));
    } else {
      fill(place);
    }
  }
  void load();
  return {
    title: "Changelog",
    element: h("div", { class: "stack" }, h("div", { class: "card" }, filters), problem, chart, progress, place),
  };
}

/**
 * @param {Map<string, Day>} days
 * @param {Entry} entry
 */
function countDay(days, entry) {
  const date = entry.updatedAt.slice(0, 10);
  const day = days.get(date) ?? { BLOCKED: 0, ALLOWED: 0, UNKNOWN: 0 };
  day[entry.toStatus]++;
  days.set(date, day);
}

/** @param {Entry} entry */
function row(entry) {
  return [
    time(entry.updatedAt), rowText(entry.content), badge("TYPE", entry.type),
    h("span", { class: "line" }, badge(entry.fromStatus), "→", badge(entry.toStatus)),
    checkLink(entry.content),
  ];
}
