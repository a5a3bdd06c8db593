// @ts-check
import { operatorGet } from "../api.js";
import { fill, h } from "../dom.js";
import { deactivatedOf, endOf, keyCard, lacksAdmin, ownerOf, readKeys, rightsOf, titleOf, useOf } from "../key-card.js";
import { keyForm } from "../key-form.js";
import { grouped } from "../numbers.js";
import { empty, time } from "../parts.js";
import { caller, labelOf } from "../people.js";
import { queue } from "../queue.js";
import { clipped } from "../safe-text.js";
import { currentKeys } from "../session.js";
import { chips, hashWith, searchInput, tabs } from "../tabs.js";

/** @import { View } from "../parts.js" */
/** @import { ListedKey, State } from "../key-card.js" */
/** @import { KeyName } from "../session.js" */

/** The tabs by the state of the keys in them. @type {Record<State, string>} */
const states = { ACTIVE: "Active", DEACTIVATED: "Deactivated", EXPIRED: "Expired", REVOKED: "Revoked" };

/** How many keys the list shows at once. */
const page = 100;

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function keysView(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const state = Object.hasOwn(states, value("state")) ? /** @type {State} */ (value("state")) : "ACTIVE";
  const sought = value("search").toLowerCase();
  let reading = readKeys(value("organizationId"), signal);
  let first = true;
  const inState = async (/** @type {State} */ wanted) =>
    (await reading).items.filter((key) => key.state === wanted && matches(key, sought)).sort(order(wanted));
  const { element: tabList, count } = tabs("Lists", Object.entries(states).map(([name, label]) => ({
    label, current: name === state, href: hashWith("keys", params, { state: name === "ACTIVE" ? "" : name }),
  })), async () => Object.fromEntries(await Promise.all(Object.entries(states).map(async ([name, label]) =>
    [label, grouped((await inState(/** @type {State} */ (name))).length)]))));
  const limited = h("p", { class: "hint", role: "status" });
  const create = () => { desk.open("new"); };
  const { element, desk, shortcuts } = queue({
    view: "keys", params, signal,
    filters: h("div", { class: "stack tight" }, tabList, filters(params, signal, create), limited),
    none: sought === "" && value("organizationId") === ""
      ? empty(`No ${states[state].toLowerCase()} keys`, none[state])
      : empty("Nothing here", "No key matches the filters. Change them to see others."),
    load: async (cursor) => {
      if (cursor === null && !first) {
        reading = readKeys(value("organizationId"), signal);
        count();
      }
      first = false;
      const { items, more } = await reading;
      fill(limited, more && `Only the first ${grouped(items.length)} were read. Users leads to the others.`);
      const all = await inState(state);
      const start = Number(cursor ?? 0);
      const end = start + page;
      return { items: all.slice(start, end), nextCursor: end < all.length ? end : null };
    },
    item: row,
    detail: async (id, refresh, desk) => {
      const own = await caller("operatorKey");
      if (id === "new") {
        return keyForm(params, desk, own, signal);
      }
      const byId = (/** @type {ListedKey} */ key) => key.id === id;
      const key = (await reading).items.find(byId) ?? (await readKeys("", signal)).items.find(byId);
      return key
        ? keyCard(key, { own, use: await useOfPage(id), desk, refresh })
        : empty("No such key", "Perhaps its organization or user was removed, and the key with it.");
    },
  });
  return { title: "Keys", element, shortcuts };
}

/** @type {Record<State, string>} */
const none = {
  ACTIVE: "Nothing can use the APIs. Create a key for a person or a program.",
  DEACTIVATED: "No key belongs to a user or an organization that is deactivated.",
  EXPIRED: "No key has come to its end.",
  REVOKED: "No key was revoked. Revoke one when somebody else may know it.",
};

/**
 * @param {ListedKey} key
 * @param {string} sought in lower case
 */
function matches(key, sought) {
  return [key.name, key.fingerprint, ownerOf(key)].some((text) => text.toLowerCase().includes(sought));
}

/**
 * Returns the order of a list: what expires next, or what came last.
 *
 * @param {State} state
 * @returns {(a: ListedKey, b: ListedKey) => number}
 */
function order(state) {
  const end = (/** @type {ListedKey} */ { revokedAt, expiresAt }) => revokedAt ?? expiresAt ?? "9";
  return (a, b) => state === "ACTIVE" ? end(a).localeCompare(end(b)) : end(b).localeCompare(end(a));
}

/**
 * Returns which key of the page has a fingerprint.
 *
 * @param {string} fingerprint
 * @returns {Promise<KeyName | undefined>}
 */
async function useOfPage(fingerprint) {
  for (const which of /** @type {const} */ (["key", "operatorKey"])) {
    const own = currentKeys()[which] === "" ? null : await caller(which).catch(() => null);
    if (own?.fingerprint === fingerprint) {
      return which;
    }
  }
  return undefined;
}

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @param {() => void} create
 */
function filters(params, signal, create) {
  const organizationId = params.get("organizationId") ?? "";
  const place = h("div", { class: "toolbar" });
  const chosen = h("div", {});
  const button = h("button", { type: "button", class: "primary", "aria-keyshortcuts": "n", onclick: create },
    "Create a key", h("kbd", { "aria-hidden": "true" }, "n"));
  place.append(searchInput("keys", params, "search", "Name, owner or fingerprint"), button);
  caller("operatorKey").then((own) => {
    if (!signal.aborted && lacksAdmin(own) !== "") {
      button.replaceWith(h("p", { class: "hint" }, lacksAdmin(own)));
    }
  }, () => button.remove());
  if (organizationId !== "") {
    const one = { id: Number(organizationId), slug: null, name: null };
    const href = hashWith("keys", params, { organizationId: "" });
    operatorGet("/organization/get", { id: one.id }, signal).catch(() => one).then((organization) =>
      fill(chosen, chips("Filters", [{ label: `of ${labelOf(organization)}`, current: true, href }])));
  }
  return h("div", { class: "stack tight" }, place, chosen);
}

/** @param {ListedKey} key */
function row(key) {
  return [
    h("span", { class: "line" }, h("strong", {}, clipped(titleOf(key), 40)), key.state === "DEACTIVATED"
      ? h("span", { class: "chip warn" }, `${deactivatedOf(key)} deactivated`) : endOf(key)),
    h("span", {}, clipped(ownerOf(key) || "no user and no organization")),
    h("span", { class: "muted" }, h("code", {}, key.id), " · ", useOf(key), " · created ", time(key.createdAt)),
    h("span", { class: "muted one-line" }, rightsOf(key)),
  ];
}
