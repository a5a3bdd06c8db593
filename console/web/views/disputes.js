// @ts-check
import { operatorGet } from "../api.js";
import { readAsset } from "../asset-card.js";
import { rules } from "../workers.js";
import { words } from "../dispute-actions.js";
import { disputeCard } from "../dispute-card.js";
import { fill, h } from "../dom.js";
import { onQueueChange, onQuiet } from "../live.js";
import { grouped } from "../numbers.js";
import { isEmail, wholeAsset } from "../palette-find.js";
import { age, badge, empty, waited } from "../parts.js";
import { nameOf, ownUser } from "../people.js";
import { queue } from "../queue.js";
import { clipped, shortText } from "../safe-text.js";
import { chips, countAll, countLimit, countOf, hashWith, searchInput, tabs } from "../tabs.js";
import { undoList } from "../undo-list.js";

/** @import { View } from "../parts.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["ListedDispute"]} Listed */
/** @typedef {components["schemas"]["Dispute"]} Dispute */
/** @typedef {Listed["state"]} State */

/** The tabs, and the states of the disputes in them. @type {Record<string, { label: string, states: State[] }>} */
const places = {
  undecided: { label: "Undecided", states: ["OPEN", "UNDER_REVIEW"] },
  mine: { label: "Mine", states: ["UNDER_REVIEW"] },
  closed: { label: "Closed", states: ["ACCEPTED", "REJECTED", "WITHDRAWN"] },
};

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
  const oldestFirst = (/** @type {string} */ name) =>
    name !== "closed" && value("newest") === "" || value("oldestFirst") !== "";
  /** @param {string} name @param {object} more @param {AbortSignal} ending */
  const list = (name, more, ending) => operatorGet("/dispute/list", /** @type {any} */ ({
    states: (name === tab && chosen.length > 0 ? chosen : places[name]?.states ?? []).join(","),
    oldestFirst: oldestFirst(name), ...more,
  }), ending);
  const part = partFilter(value("content"), value("email"));
  const load = async (/** @type {string} */ name, /** @type {object} */ more, ending = signal) => {
    const own = await ownUser();
    const ofOwn = name === "mine" || name === "closed" && value("by") === "me";
    if (ofOwn && own === null) {
      return { items: [], nextCursor: null };
    }
    const query = await part.query;
    const { disputes, nextCursor } = await list(name,
      { ...ofOwn ? { assigneeId: own?.id } : {}, ...query, ...more }, ending);
    const items = await part.matching(disputes, nextCursor);
    return { items, nextCursor, lastRead: disputes.at(-1) };
  };
  const whole = value("content") === "" && value("email") === "" && value("by") === "" && chosen.length === 0;
  const { element: tabList, count, listed } = tabs("Lists", Object.entries(places).map(([name, { label }]) => ({
    label, current: name === tab,
    href: hashWith("disputes", params, { tab: name === "undecided" ? "" : name, states: "", newest: "" }),
  })), async () => {
    if (!whole) {
      return chosen.length > 0 || value("by") !== "" || await part.isPart ? {} : countAll(places, load, signal);
    }
    const [{ open, underReview }, { items, nextCursor }] = await Promise.all([
      operatorGet("/dispute/backlog", undefined, signal), load("mine", { limit: countLimit }),
    ]);
    return { Undecided: grouped(open + underReview), Mine: countOf(items, nextCursor) };
  });
  const { element, desk, shortcuts } = queue({
    view: "disputes", params, signal, slim: true,
    filters: h("div", { class: "stack tight" }, tabList, filters(params, place.states, chosen, tab),
      part.note),
    ...(tab === "mine" ? { none: nothingMine() } : tab === "undecided" && !whole ? { none: noneMatches(params) } : {}),
    load: (cursor) => load(tab, { cursor }),
    listed,
    above: undoList({
      kind: "dispute", signal,
      undone: (text, { kind, id }) => {
        desk.tell(text);
        if (kind === "dispute") {
          desk.open(id);
        }
        count();
      },
    }),
    item: row,
    live: {
      kind: "dispute",
      onChange: (listener) => onQueueChange("disputes", (change) => {
        listener(change);
        count();
      }, signal),
      onQuiet: (listener) => onQuiet(listener, signal),
      order: (a, b) => (oldestFirst(tab) ? 1 : -1) * (Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id),
      read: (id, signal) => operatorGet("/dispute/get", { id: Number(id) }, signal),
      card: async (dispute, signal, desk) => {
        const [known, next] = await Promise.all([readAsset(dispute.content, signal), rules.transitions(dispute.state)]);
        const context = { dispute, known, signal, desk, movesOn: tab !== "closed", count };
        return { more: known, draw: () => disputeCard(context, next) };
      },
      stamp: ({ state, notes }) => `${state} ${notes.length}`,
      change,
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
  const byMe = params.get("by") === "me";
  return h("div", { class: "toolbar" },
    searchInput("disputes", params, "content", "Asset"),
    searchInput("disputes", params, "email", "E-mail"),
    chips("Filters", [
      ...some,
      tab === "closed" ? {
        label: "closed by me", current: byMe, href: hashWith("disputes", params, { tab, by: byMe ? "" : "me" }),
      } : {
        label: "newest first", current: newest,
        href: hashWith("disputes", params, { newest: newest ? "" : "true" }),
      },
    ]));
}

/**
 * Returns a filter by parts of the name of an asset and of an e-mail address. The server finds whole ones only, so this
 * one looks through the disputes that are loaded, and says so.
 *
 * @param {string} asset
 * @param {string} email
 */
function partFilter(asset, email) {
  const note = h("p", { class: "hint", role: "status" });
  /** @type {Set<number>} */
  const loaded = new Set();
  const query = wholeAsset(asset).then((content = "") => ({ content, email: isEmail(email) ? email : "" }));
  /** The parts that are not whole, by the field that has them. */
  const parts = query.then((whole) => Object.entries({ content: asset, email })
    .filter(([name, text]) => text !== "" && whole[/** @type {keyof typeof whole} */ (name)] === ""));
  return {
    note,
    /** What the server looks for. */
    query,
    isPart: parts.then(({ length }) => length > 0),
    /** @param {Listed[]} disputes @param {unknown} nextCursor */
    async matching(disputes, nextCursor) {
      const wanted = await parts;
      if (wanted.length === 0) {
        return disputes;
      }
      disputes.forEach(({ id }) => loaded.add(id));
      fill(note, `Of the ${grouped(loaded.size)} loaded disputes, those whose `,
        wanted.flatMap(([name, text], index) => [index > 0 && " and whose ", name === "email" ? "e-mail" : "asset",
          " contains ", clipped(text, 60)]), ".", nextCursor !== null && " There are more to load.");
      return disputes.filter((one) => wanted.every(([name, text]) =>
        one[/** @type {"content" | "email"} */ (name)].toLowerCase().includes(text.toLowerCase())));
    },
  };
}

/** @param {string} tab */
function tabValue(tab) {
  return tab === "undecided" ? "" : tab;
}

/**
 * Says who has changed a dispute, and how: its last transition since then, or else a comment.
 *
 * @param {Dispute} before
 * @param {Dispute} dispute
 */
function change(before, { notes }) {
  const made = notes.findLastIndex(({ state }, index) => state !== null && index >= before.notes.length);
  const { author, assignee, state } = notes.at(made) ?? { author: null, assignee: null, state: null };
  const wasHeld = notes.slice(0, Math.max(made, 0)).findLast((note) => note.state !== null)?.state === "UNDER_REVIEW";
  const what = state === null ? "commented on" : state === "OPEN" && wasHeld ? "released" : became[state];
  const who = author ? nameOf(author) : "Somebody";
  return assignee ? `${who} gave this dispute to ${nameOf(assignee)}.` : `${who} ${what} this dispute.`;
}

/** What was done to a dispute that has a state since. @type {Record<State, string>} */
const became = {
  OPEN: "reopened", UNDER_REVIEW: "took up", ACCEPTED: "accepted", REJECTED: "rejected", WITHDRAWN: "withdrew",
};

/** @param {Listed} dispute */
function row(dispute) {
  const { id, content, email, state, assignee, createdAt, updatedAt } = dispute;
  const type = h("span", { class: "kind" });
  rules.explain(content).then((explained) => { type.textContent = explained.type ?? ""; }, () => {});
  const closed = state !== "OPEN" && state !== "UNDER_REVIEW";
  const name = assignee === null ? "" : nameOf(assignee);
  const who = h("span", { class: "who" }, state === "OPEN" ? ""
    : closed || assignee === null ? badge(state) : [name, " ", age(updatedAt)]);
  const from = closed ? `by ${name || "somebody unknown"}` : email;
  return [h("span", { class: "number" }, `#${id}`), shortText(content), type,
    h("span", { class: "from", title: from }, clipped(from, 60)), who, waited(closed ? updatedAt : createdAt)];
}

/** @param {URLSearchParams} params */
function noneMatches(params) {
  return empty("Nothing undecided matches", "It may be closed already.",
    h("a", { class: "button", href: hashWith("disputes", params, { tab: "closed", states: "", newest: "" }) },
      "Look in Closed"));
}

function nothingMine() {
  return empty("Nothing is yours", "Take up a dispute, and it is here until it is decided.");
}
