// @ts-check
import { operatorGet } from "../api.js";
import { readAsset } from "../asset-card.js";
import { rules } from "../workers.js";
import { words } from "../dispute-actions.js";
import { disputeCard } from "../dispute-card.js";
import { h } from "../dom.js";
import { grouped } from "../numbers.js";
import { badge, empty, waited } from "../parts.js";
import { nameOf, ownUser } from "../people.js";
import { queue } from "../queue.js";
import { rowText } from "../safe-text.js";
import { chips, countOf, hashWith, searchInput, tabs } from "../tabs.js";

/** @import { View } from "../parts.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["ListedDispute"]} Listed */
/** @typedef {Listed["state"]} State */

/** The tabs, and the states of the disputes in them. @type {Record<string, { label: string, states: State[] }>} */
const places = {
  undecided: { label: "Undecided", states: ["OPEN", "UNDER_REVIEW"] },
  mine: { label: "Mine", states: ["UNDER_REVIEW"] },
  closed: { label: "Closed", states: ["ACCEPTED", "REJECTED", "WITHDRAWN"] },
};

/** The disputes of a page that is only counted. */
const countLimit = 100;

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function disputesView(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const chosen = value("states") === "" ? [] : /** @type {State[]} */ (value("states").split(","));
  const tab = Object.hasOwn(places, value("tab")) ? value("tab") : tabOf(chosen);
  const place = /** @type {typeof places[string]} */ (places[tab]);
  /** @param {string} name @param {object} more */
  const list = (name, more) => operatorGet("/dispute/list", /** @type {any} */ ({
    states: (name === tab && chosen.length > 0 ? chosen : places[name]?.states ?? []).join(","),
    oldestFirst: name !== "closed" && value("newest") === "" || value("oldestFirst") !== "",
    content: value("content"), email: value("email"), ...more,
  }), signal);
  const load = async (/** @type {string} */ name, /** @type {object} */ more) => {
    const own = await ownUser();
    if (name === "mine" && own === null) {
      return { items: [], nextCursor: null };
    }
    const { disputes, nextCursor } = await list(name, name === "mine" ? { assigneeId: own?.id, ...more } : more);
    return { items: disputes, nextCursor };
  };
  const { element: tabList, count } = tabs("Lists", Object.entries(places).map(([name, { label }]) => ({
    label, current: name === tab,
    href: hashWith("disputes", params, { tab: name === "undecided" ? "" : name, states: "", newest: "" }),
    count: async () => {
      if (name === "undecided" && value("content") === "" && value("email") === "" && chosen.length === 0) {
        const { open, underReview } = await operatorGet("/dispute/backlog", undefined, signal);
        return grouped(open + underReview);
      }
      const { items, nextCursor } = await load(name, { limit: countLimit });
      return countOf(items, nextCursor);
    },
  })));
  const { element, shortcuts } = queue({
    view: "disputes", params, slim: true,
    filters: h("div", { class: "stack tight" }, tabList, filters(params, place.states, chosen, tab)),
    ...(tab === "mine" ? { none: nothingMine() } : {}),
    load: (cursor) => load(tab, { cursor }),
    item: row,
    detail: async (id, _place, _refresh, desk) => {
      const dispute = await operatorGet("/dispute/get", { id: Number(id) }, signal);
      const [known, next] = await Promise.all([readAsset(dispute.content, signal), rules.transitions(dispute.state)]);
      return disputeCard({ dispute, known, desk, movesOn: tab !== "closed", count }, next);
    },
  });
  return { title: "Disputes", element, shortcuts };
}

/**
 * Returns the tab of states in an old address.
 *
 * @param {State[]} states
 */
function tabOf(states) {
  const closed = states.length > 0 && states.every((state) => places["closed"]?.states.includes(state));
  return closed ? "closed" : "undecided";
}

/**
 * @param {URLSearchParams} params
 * @param {State[]} states those of the tab
 * @param {State[]} chosen
 * @param {string} tab
 */
function filters(params, states, chosen, tab) {
  const some = states.length > 1
    ? states.map((state) => {
      const current = chosen.includes(state);
      const href = hashWith("disputes", params, { tab: tabValue(tab), states: current ? "" : state });
      return { label: words(state), current, href };
    })
    : [];
  const newest = params.get("newest") === "true";
  return h("div", { class: "toolbar" },
    searchInput("disputes", params, "content", "Asset"),
    searchInput("disputes", params, "email", "E-mail"),
    chips("Filters", [
      ...some,
      ...(tab === "closed" ? [] : [{
        label: "newest first", current: newest,
        href: hashWith("disputes", params, { newest: newest ? "" : "true" }),
      }]),
    ]));
}

/** @param {string} tab */
function tabValue(tab) {
  return tab === "undecided" ? "" : tab;
}

/** @param {Listed} dispute */
function row(dispute) {
  const { content, state, assignee, createdAt } = dispute;
  const who = h("span", { class: "who" },
    state === "OPEN" ? "" : state === "UNDER_REVIEW" && assignee !== null ? nameOf(assignee) : badge(state));
  return [rowText(content), who, waited(createdAt)];
}

function nothingMine() {
  return empty("Nothing is yours", "Take up a dispute, and it is here until it is decided.");
}
