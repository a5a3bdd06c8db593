// @ts-check
import { changelogStream } from "../api.js";
import { changelogFilter, fieldNames, ways } from "../changelog-filter.js";
import { feedEnd, followFeed, readEntries } from "../changelog-stream.js";
import { changesPerDay } from "../chart.js";
import { rules } from "../workers.js";
import { announce, fill, h } from "../dom.js";
import { awaySince, onConnection } from "../live.js";
import { grouped, plural } from "../numbers.js";
import { badge, empty, failure, field, filterForm, isAbort, select, time } from "../parts.js";
import { reasonName } from "../reasons.js";
import { assetAddress } from "../references.js";
import { rowText } from "../safe-text.js";
import { currentKeys } from "../session.js";
import { chips, hashWith } from "../tabs.js";
import { virtualList } from "../virtual-list.js";

/** @import { View } from "../parts.js" */
/** @import { Entry } from "../changelog-stream.js" */
/** @import { Filter } from "../changelog-filter.js" */
/** @import { Day } from "../chart.js" */

const drawEvery = 20_000;
/** More entries are not kept: a filter finds what somebody looks for. */
const maxEntries = 500_000;
/** A change that the feed brings may be among the newest ones that were read. */
const maybeRead = 1000;

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function changelogView(params, signal) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {Map<string, Day>} */
  const days = new Map();
  const chart = h("div", { class: "chart-place" });
  const counted = h("span", {});
  const news = h("span", { class: "line" });
  const progress = h("p", { class: "state follow" }, counted, news);
  const problem = h("div", {});
  const address = location.hash;
  const table = virtualList({
    label: "Changes", columns: ["When (UTC)", "Asset", "Type", "Change"],
    rowHeight: matchMedia("(max-width: 48rem)").matches ? 64 : 44,
    count: () => entries.length, render: (index) => row(/** @type {Entry} */ (entries[index])),
    // The history of the browser keeps the position for the time when the user comes back.
    top: history.state?.top,
    keepTop: (top) => location.hash === address && history.replaceState({ top }, ""),
    pageScrolls: signal,
  });
  const place = h("div", {}, table.element);
  const reading = new AbortController();
  signal.addEventListener("abort", () => reading.abort());

  /** @param {Entry} entry */
  const count = (entry) => {
    const date = entry.updatedAt.slice(0, 10);
    const day = days.get(date) ?? { BLOCKED: 0, ALLOWED: 0, UNKNOWN: 0 };
    day[entry.toStatus]++;
    days.set(date, day);
  };
  const draw = () => fill(chart, changesPerDay(days, (date) => {
    location.hash = hashWith("changelog", params, { startDate: date, endDate: date });
  }));

  async function load() {
    const filter = await changelogFilter(params);
    const validity = await rules.validate("/asset/changelog", { body: filter.body });
    if (!validity.valid || filter.problem !== "") {
      fill(problem, h("div", { class: "notice error", role: "alert" },
        h("ul", {}, [...validity.issues, filter.problem].filter(Boolean).map((issue) => h("li", {}, issue)))));
      return;
    }
    if (hasOwnPage(params, filter)) {
      fill(problem, ownPage(filter, () => {
        fill(problem);
        void read(filter);
      }));
      return;
    }
    await read(filter);
  }

  /** @param {Filter} filter */
  async function read(filter) {
    const text = h("span", {});
    fill(counted, "Reading … ",
      h("button", { type: "button", class: "link", onclick: () => reading.abort() }, "Cancel"), " ", text);
    // Changes while the changelog is read come from the feed, so its end is asked for first.
    const end = await feedEnd(signal).catch(() => null);
    let size = 0;
    let drawn = 0;
    try {
      await changelogStream(filter.body, reading.signal, (stream) => readEntries(stream, (part) => {
        size += part.length;
        for (const entry of part) {
          if (filter.keep(entry)) {
            entries.push(entry);
            count(entry);
          }
        }
        text.textContent = grouped(entries.length);
        table.grow();
        if (entries.length >= maxEntries) {
          reading.abort();
        }
        if (entries.length - drawn > drawEvery) {
          drawn = entries.length;
          draw();
        }
      }));
      say(filter, size);
      announce(`${grouped(entries.length)} changes`);
      if (end !== null) {
        void follow(end, filter, size);
      }
    } catch (error) {
      if (!isAbort(error)) {
        fill(problem, failure(error));
      }
      fill(counted,
        entries.length > 0 ? `${grouped(entries.length)} changes were read; there are more. Filters find others.` : "");
    }
    if (entries.length > 0) {
      draw();
    } else if (problem.childElementCount === 0) {
      fill(place, nothing(params, filter));
    } else {
      fill(place);
    }
  }

  /**
   * @param {Filter} filter
   * @param {number} read
   */
  function say({ says, sought }, read) {
    fill(counted, `${grouped(entries.length)} changes, newest first`,
      says !== "" && h("span", {}, ` ${says}`, params.get("match") === "prefix" ? rowText(sought)
        : h("a", { href: assetAddress(sought) }, rowText(sought)),
        read > entries.length && h("span", { class: "muted" }, ` (found among ${grouped(read)})`)));
  }

  /**
   * @param {string} cursor
   * @param {Filter} filter
   * @param {number} read
   */
  async function follow(cursor, filter, read) {
    const name = (/** @type {Entry} */ { assetId, updatedAt, toStatus }) => `${assetId} ${updatedAt} ${toStatus}`;
    const known = new Set(entries.slice(0, maybeRead).map(name));
    /** @type {Entry[]} */
    let waiting = [];
    const live = h("span", {});
    const drawLive = () => {
      live.className = awaySince() === "" ? "chip live" : "chip warn";
      live.textContent = awaySince() === "" ? "follows live" : "waits for the server";
    };
    drawLive();
    onConnection(drawLive, signal);
    const take = () => {
      entries.unshift(...waiting.toReversed());
      waiting.forEach(count);
      read += waiting.length;
      waiting = [];
      fill(news, live);
      fill(place, table.element);
      table.update(0, Infinity);
      say(filter, read);
      draw();
      document.documentElement.scrollTop = Math.min(document.documentElement.scrollTop,
        progress.getBoundingClientRect().top + document.documentElement.scrollTop);
    };
    fill(news, live);
    try {
      await followFeed(cursor, signal, (changes) => {
        for (const change of changes) {
          if (filter.matches(change) && !known.has(name(change))) {
            known.add(name(change));
            waiting.push(change);
          }
        }
        if (waiting.length > 0) {
          const text = plural(waiting.length, "new change");
          announce(text);
          fill(news, live,
            h("button", { type: "button", class: "small primary", "aria-label": `Show ${text}`, "data-key": "news",
              onclick: take }, text));
        }
      });
    } catch (error) {
      fill(news, h("span", { class: "muted" },
        `does not follow new changes: ${error instanceof Error ? error.message : error}`));
    }
  }

  void load();
  return {
    title: "Changelog",
    element: h("div", { class: "stack" }, filters(params), problem, chart, progress, place),
  };
}

/**
 * Whether the page of an asset says more about what is sought, and without reading the whole changelog. Only the
 * changelog has other filters.
 *
 * @param {URLSearchParams} params
 * @param {Filter} filter
 */
function hasOwnPage(params, { sought }) {
  return params.get("match") === "domain" && sought !== "" && currentKeys().operatorKey !== ""
    && fieldNames.every((name) => (params.get(name) ?? "") === "");
}

/**
 * @param {Filter} filter
 * @param {() => void} read
 */
function ownPage({ sought }, read) {
  return empty("A domain has a page of its own",
    "It has the changes at and below the domain, and what is decided, disputed and reported. The changelog would have "
      + "to be read from its beginning.",
    h("p", { class: "line" },
      h("a", { class: "button primary", href: assetAddress(sought) }, "Everything about ", rowText(sought)),
      h("button", { type: "button", onclick: read }, "Read the whole changelog")));
}

/** @param {URLSearchParams} params */
function filters(params) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const status = (/** @type {string} */ name) => select(name, value(name),
    [["", "Any"], ["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"], ["UNKNOWN", "Unknown"]]);
  const types = select("type", value("type"), [["", "Any"]]);
  const option = (/** @type {string} */ type) => h("option", { value: type, selected: type === value("type") }, type);
  rules.limits().then(({ assetTypes }) => types.append(...assetTypes.map(option)),
    () => {});
  const folded = ["type", "fromStatus", "startDate", "endDate"];
  const way = Object.entries(ways).map(([name, { label }]) =>
    /** @type {[string, string]} */ ([name === "asset" ? "" : name, label]));
  const form = filterForm("changelog", [
    field("Content", h("input", { name: "content", value: value("content"), spellcheck: "false" })),
    field("Search by", select("match", value("match"), way)),
    field("New status", status("toStatus")),
    h("details", { class: "more", open: folded.some((name) => value(name) !== "") }, h("summary", {}, "More filters"),
      h("div", { class: "filters" },
        field("Type", types), field("Old status", status("fromStatus")),
        field("First day", h("input", { type: "date", name: "startDate", value: value("startDate") })),
        field("Last day", h("input", { type: "date", name: "endDate", value: value("endDate") })))),
  ], "primary");
  const set = ["content", ...fieldNames].filter((name) => value(name) !== "");
  return h("div", { class: "card stack tight changes-filter" }, form,
    set.length > 0 && chips("Filters that are set", set.map((name) => ({
      label: `${labels[name]} ${value(name).slice(0, 60)}`, current: true,
      href: hashWith("changelog", params, name === "content" ? { content: "", match: "" } : { [name]: "" }),
    }))));
}

/** @type {Record<string, string>} */
const labels = {
  content: "asset", type: "type", fromStatus: "from", toStatus: "to", startDate: "since", endDate: "until",
};

/**
 * @param {URLSearchParams} params
 * @param {Filter} filter
 */
function nothing(params, { says, sought, body }) {
  const wider = body["content"] !== undefined;
  return empty("No changes", says === ""
    ? "No change matches the filters. Leave some of them out."
    : wider
    ? "No change of exactly this asset matches. The search by domain or by beginning finds more."
    : "No change of such an asset matches. Leave some of the filters out.",
  ...(wider
    ? [
      h("p", { class: "line" },
        h("a", { href: hashWith("changelog", params, { content: sought, match: "domain" }) }, "Search its domain"),
        h("a", { href: hashWith("changelog", params, { content: sought, match: "prefix" }) }, "Search its beginning")),
    ]
    : []));
}

/** @param {Entry} entry */
function row({ updatedAt, content, type, fromStatus, toStatus, reason }) {
  return [
    time(updatedAt),
    h("a", { class: "cover", href: assetAddress(content) }, rowText(content)),
    badge("TYPE", type),
    h("span", { class: "line" }, badge(fromStatus), "→", badge(toStatus),
      reason && h("span", { class: "muted" }, reasonName(reason))),
  ];
}
