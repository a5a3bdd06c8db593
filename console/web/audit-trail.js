// @ts-check
// Who administered what, and when.
import { deferred, operatorGet } from "./api.js";
import { fill, h } from "./dom.js";
import { ownerOf, readKeys, rightsOf } from "./key-card.js";
import { plural } from "./numbers.js";
import { empty, failure, isAbort, time, waiting } from "./parts.js";
import { actsOf } from "./pending-acts.js";
import { labelOf, nameOf } from "./people.js";
import { assetAddress } from "./references.js";
import { clipped, rowText, safeText } from "./safe-text.js";
import { chips, hashWith } from "./tabs.js";
import { events } from "./webhook-form.js";

/** @import { Scope } from "./key-card.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["AuditEntry"]} Entry */
/** @typedef {Entry["kind"]} Kind */
/** @typedef {components["schemas"]["Act"]} Act */

/** @typedef {Map<string, string>} KeyNames the names of keys by their fingerprints, some empty */

/** The kinds of records, as a filter and in a sentence. @type {Record<Kind, [string, string]>} */
const kinds = {
  KEY: ["keys", "the key"], USER: ["users", "the user"], ORGANIZATION: ["organizations", "the organization"],
  GROUP: ["groups", "the group"], WEBHOOK: ["webhooks", "the webhook"], IMPORT: ["imports", "a store"],
  ERASURE: ["erasures", "a person"], LIST: ["lists", "the list"], PRUNING: ["prunings", "old records"],
  PENDING: ["requests", "the request"],
};

/** @type {Record<Entry["action"], string>} */
const actions = {
  CREATED: "created", CHANGED: "changed", REMOVED: "removed", IMPORTED: "imported", ROTATED: "rotated",
  REVOKED: "revoked", EXPIRY_SET: "set the expiry of", PAUSED: "paused", RESUMED: "resumed", REPLAYED: "replayed",
  LIST_STARTED: "started to import a list into", SEEDED: "filled", ERASED: "erased", SYNCED: "synced",
  DEACTIVATED: "deactivated", REACTIVATED: "reactivated", CLEARED: "cleared the allowlist of",
  PRUNED: "pruned", APPROVED: "approved", REJECTED: "rejected",
};

/** @type {Record<Entry["actor"]["channel"], string>} */
const channels = { APPLICATION: "The application", API: "A key of no user", COMMAND_LINE: "The command line" };

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 */
export function auditTrail(params, signal) {
  const kind = params.get("kind") ?? "";
  const userId = params.get("userId") ?? "";
  const list = h("ol", { class: "plain trail" });
  const more = h("div", {});
  const chosen = h("div", {});
  const link = (/** @type {Record<string, string>} */ changes) => hashWith("users", params, changes);
  const find = finder(signal);

  /** @param {number | null} cursor */
  async function page(cursor) {
    fill(more, waiting());
    try {
      const query = /** @type {any} */ ({ kind, userId, cursor });
      const [{ entries, nextCursor }, keys] = await Promise.all([
        operatorGet("/audit/list", query, signal), readKeys("", signal),
      ]);
      const names = new Map(keys.items.map(({ id, name }) => [id, name]));
      list.append(...entries.map((entry) =>
        h("li", {}, time(entry.at), h("span", {}, sentence(entry, names, link, find)))));
      fill(more,
        nextCursor !== null
          && h("button", { type: "button", "data-key": "more", onclick: () => void page(nextCursor) }, "Load more"),
        list.childElementCount === 0 && empty("No entry matches", "Leave a filter out to see others."));
    } catch (error) {
      if (!isAbort(error)) {
        fill(more, failure(error, () => void page(cursor)));
      }
    }
  }

  if (userId !== "") {
    const one = { id: Number(userId), fullName: null };
    operatorGet("/user/get", { id: one.id }, signal).catch(() => one).then((user) => fill(chosen, chips("Person", [
      { label: `by ${nameOf(user)}`, current: true, href: link({ userId: "" }) },
    ])));
  }
  void page(null);
  return h("div", { class: "stack tight" },
    h("div", { class: "line" },
      chips("Filters", Object.entries(kinds).map(([name, [label]]) => ({
        label, current: kind === name, href: link({ kind: kind === name ? "" : name }),
      }))), chosen),
    h("div", { class: "card" }, list, more));
}

/**
 * @param {Entry} entry
 * @param {KeyNames} keys
 * @param {(changes: Record<string, string>) => string} link
 * @param {ReturnType<typeof finder>} find
 */
function sentence(entry, keys, link, find) {
  const { actor: { user, key, channel }, kind, action } = entry;
  return [
    user === null
      ? h("span", { class: "muted" }, channels[channel])
      : h("a", { href: link({ userId: String(user.id) }) }, clipped(nameOf(user))),
    " ",
    kind === "PENDING" ? request(entry, find) : [
      `${actions[action]} ${kinds[kind][1]} `,
      subjectOf(entry, keys),
      (kind === "KEY" || kind === "GROUP") && ownerOf(entry) !== "" ? [" of ", safeText(ownerOf(entry))] : [],
      detailOf(entry, keys),
    ],
    h("span", { class: "muted" }, key !== null && [" (with the key ", keyLink(key, keys), ")"],
      user !== null && channel === "COMMAND_LINE" && " (on the command line)"),
  ].flat(2);
}

/**
 * Returns a function that finds a request to a second operator by its ID. All are read when the first one is sought.
 *
 * @param {AbortSignal} signal
 */
function finder(signal) {
  /** @type {Promise<Map<number | null, Act>> | undefined} */
  let all;
  const read = async () => {
    const states = /** @type {const} */ (["PENDING", "APPROVED", "REJECTED", "EXPIRED"]);
    const pages = await Promise.all(states.map((state) => actsOf(state, deferred(signal))));
    return new Map(pages.flatMap(({ items }) => items).map((act) => [act.id, act]));
  };
  return async (/** @type {number} */ id) => {
    all ??= read().catch((error) => {
      all = undefined;
      throw error;
    });
    return (await all).get(id);
  };
}

/**
 * Says what was done with a request, and what that is about as soon as it is found.
 *
 * @param {Entry} entry
 * @param {ReturnType<typeof finder>} find
 */
function request({ action, subject, actor: { user } }, find) {
  const place = h("span", {}, `${actions[action]} ${kinds.PENDING[1]} #${subject}`);
  find(Number(subject)).then((act) => {
    if (act) {
      const of = action === "CREATED" ? "asked a second operator to "
        : action === "REJECTED" && user?.id === act.actor.id ? "withdrew the request to "
          : [`${actions[action]} the request of `, clipped(nameOf(act.actor)), " to "];
      fill(place, of, requested(act), ` (#${subject})`);
    }
  }, () => {}); // the number stays
  return place;
}

/** @param {Act} act */
function requested({ kind, assets: [first, ...others], list }) {
  if (!first) {
    return [kind === "SYNC_LIST" ? "sync the list " : "remove the list ", safeText(list?.name ?? "")];
  }
  return ["block ", h("a", { href: assetAddress(first.content) }, rowText(first.content)),
    others.length > 0 && ` and ${plural(others.length, "other asset")}`];
}

/**
 * Returns what an act was about, as a link if it is still there.
 *
 * @param {Entry} entry
 * @param {KeyNames} keys
 */
function subjectOf({ kind, subject, action, user, organization }, keys) {
  if (subject === null || kind === "LIST") { // the detail has the name of a list
    return "";
  }
  if (kind === "KEY") {
    return keyLink(subject, keys);
  }
  /** @type {Partial<Record<Kind, string>>} */
  const addresses = { USER: "users?id", ORGANIZATION: "users?tab=organizations&id", WEBHOOK: "webhooks?id" };
  const address = action === "REMOVED" ? undefined : addresses[kind];
  const text = kind === "USER" && user !== null ? clipped(nameOf(user))
    : kind === "ORGANIZATION" && organization !== null ? clipped(labelOf(organization)) : `#${subject}`;
  return address === undefined ? text : h("a", { href: `#/${address}=${subject}` }, text);
}

/**
 * @param {string} fingerprint
 * @param {KeyNames} keys
 */
function keyLink(fingerprint, keys) {
  const name = keys.get(fingerprint);
  const text = name ? clipped(name, 60) : h("code", {}, fingerprint);
  return name === undefined ? text : h("a", { href: `#/keys?id=${fingerprint}` }, text);
}

/**
 * @param {Entry} entry
 * @param {KeyNames} keys
 */
function detailOf({ kind, action, detail }, keys) {
  if (action === "EXPIRY_SET") {
    return [" to ", detail === null ? "none" : time(detail)];
  }
  if (detail === null) {
    return [];
  }
  if (action === "ROTATED") {
    return [", whose successor is ", h("a", { href: `#/keys?id=${detail}` }, h("code", {}, detail))];
  }
  if (kind === "KEY") {
    return [", which may ", rightsOf({ scopes: /** @type {Scope[]} */ (detail.split(",")) })];
  }
  if (kind === "WEBHOOK") {
    const when = detail.split(",").map((part) => events.find(([event]) => event === part)?.[1] ?? part);
    return [" for when ", when.join(", or ")];
  }
  if (kind === "LIST") {
    const { name, added, withdrawn, changed } = Object.fromEntries(detail.split(",").map((part) => part.split("=")));
    return [safeText(name), action === "SYNCED" ? `: ${added} added, ${withdrawn} withdrawn`
      : action === "CHANGED" ? `: ${changed.replaceAll("+", ", ")}` : ""];
  }
  if (action === "ERASED") {
    return [` and their disputes (${detail})`];
  }
  return [": ", safeText(detail)];
}
