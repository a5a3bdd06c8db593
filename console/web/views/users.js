// @ts-check
import { aboutSlug, deactivatedChip, organizationActs, userActs } from "../account-acts.js";
import { ApiError, operatorGet, postOnce } from "../api.js";
import { disputeLine, namedChangeLine, reportLine } from "../asset-lines.js";
import { auditTrail } from "../audit-trail.js";
import { h } from "../dom.js";
import { askInPlace } from "../in-place.js";
import { lacksAdmin, readKeys, rightsOf, titleOf } from "../key-card.js";
import { pagedList } from "../paged-list.js";
import { badge, fact, field, show } from "../parts.js";
import { caller, labelOf, nameOf } from "../people.js";
import { queue } from "../queue.js";
import { clipped, rowText, safeText } from "../safe-text.js";
import { searchInput, tabs } from "../tabs.js";

/** @import { View } from "../parts.js" */
/** @import { Context } from "../account-acts.js" */
/** @import { ListedKey } from "../key-card.js" */
/** @import { Caller } from "../people.js" */
/** @import { Desk } from "../queue.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["Organization"]} Organization */
/** @typedef {components["schemas"]["User"]} User */

/** The tabs by their name in the address. @type {Record<string, string>} */
const places = { users: "Users", organizations: "Organizations", audit: "Audit" };

/** The decisions of a page. */
const shownDecisions = 20;

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function usersView(params, signal) {
  const tab = Object.hasOwn(places, params.get("tab") ?? "") ? String(params.get("tab")) : "users";
  const { element: tabList } = tabs("Lists", Object.entries(places).map(([name, label]) => ({
    label, current: name === tab, href: `#/users${name === "users" ? "" : `?tab=${name}`}`,
  })));
  if (tab === "audit") {
    return { title: "Audit", element: h("div", { class: "stack tight" }, tabList, auditTrail(params, signal)) };
  }
  const { element, shortcuts } = tab === "organizations"
    ? organizations(params, signal, tabList) : users(params, signal, tabList);
  return { title: places[tab] ?? "", element, shortcuts };
}

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @param {HTMLElement} tabList
 */
function users(params, signal, tabList) {
  /** @type {Kind<User>} */
  const kind = {
    noun: "user", parameter: "userId",
    load: async (query) => {
      const { users: items, nextCursor } = await operatorGet("/user/list", query, signal);
      return { items, nextCursor };
    },
    get: (id) => operatorGet("/user/get", { id }, signal),
    item: (user) => [
      h("span", { class: "line" }, h("strong", {}, clipped(nameOf(user), 60)),
        user.automation && h("span", { class: "chip" }, "program"), user.deactivated && deactivatedChip()),
      h("span", { class: "muted" }, clipped(user.email ?? "no e-mail address", 60)),
    ],
    card: (user) => [
      h("h2", { class: "line" }, safeText(nameOf(user)), user.automation && h("span", { class: "chip" }, "program"),
        user.deactivated && deactivatedChip()),
      h("dl", { class: "facts" },
        fact("E-mail", user.email === null ? "none" : safeText(user.email)), fact("ID", String(user.id))),
    ],
    acts: userActs,
    keys: async ({ id }) => (await readKeys("", signal)).items.filter(({ user }) => user?.id === id),
    fields: () => [
      field("Full name", h("input", { name: "fullName", autofocus: true, autocomplete: "off" })),
      field("E-mail", h("input", { name: "email", type: "email", autocomplete: "off" }), "Not needed for a program."),
      h("div", { class: "field" }, h("label", { class: "check" },
        h("input", { type: "checkbox", name: "automation", value: "true" }), "It is a program")),
    ],
    create: (form) => postOnce("/user/create", {
      fullName: String(form.get("fullName")).trim(), email: String(form.get("email")).trim() || null,
      automation: form.has("automation"),
    }),
  };
  return records(params, signal, tabList, kind);
}

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @param {HTMLElement} tabList
 */
function organizations(params, signal, tabList) {
  /** @type {Kind<Organization>} */
  const kind = {
    noun: "organization", parameter: "organizationId",
    load: async (query) => {
      const { organizations: items, nextCursor } = await operatorGet("/organization/list", query, signal);
      return { items, nextCursor };
    },
    get: (id) => operatorGet("/organization/get", { id }, signal),
    item: (one) => [
      h("span", { class: "line" }, h("strong", {}, clipped(labelOf(one), 60)), one.deactivated && deactivatedChip()),
      h("span", { class: "muted" }, clipped(one.slug, 60)),
    ],
    card: (one) => [
      h("h2", { class: "line" }, safeText(labelOf(one)), one.deactivated && deactivatedChip()),
      h("dl", { class: "facts" }, fact("Slug", safeText(one.slug)), fact("ID", String(one.id))),
    ],
    acts: organizationActs,
    keys: async ({ id }) => (await readKeys(String(id), signal)).items,
    fields: () => [
      field("Name", h("input", { name: "name", autofocus: true, autocomplete: "off" }), "As people call it."),
      field("Slug", h("input", { name: "slug", autocomplete: "off", spellcheck: "false" }),
        "Names it in requests, such as: acme. It cannot be changed."),
    ],
    create: (form) => aboutSlug(postOnce("/organization/create",
      { name: String(form.get("name")).trim(), slug: String(form.get("slug")).trim() })),
  };
  return records(params, signal, tabList, kind);
}

/**
 * @template {User | Organization} T
 * @typedef {object} Kind
 * @property {string} noun
 * @property {(query: { searchQuery: string, cursor?: number }) => Promise<{ items: T[], nextCursor: number | null }>
 *   } load
 * @property {(id: number) => Promise<T>} get
 * @property {(record: T) => (Node | string)[]} item
 * @property {(record: T) => Node[]} card
 * @property {(record: T, context: Context<T>) => HTMLElement} acts
 * @property {(record: T) => Promise<ListedKey[]>} keys
 * @property {string} parameter names the record in the address of a new key
 * @property {() => HTMLElement[]} fields returns those of the form that creates a record
 * @property {(form: FormData) => Promise<T>} create
 */

/**
 * @template {User | Organization} T
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @param {HTMLElement} tabList
 * @param {Kind<T>} kind
 */
function records(params, signal, tabList, kind) {
  const { noun, load } = kind;
  const searchQuery = params.get("search") ?? "";
  const open = () => { desk.open("new"); };
  const button = h("button", { type: "button", class: "primary", "aria-keyshortcuts": "n", onclick: open },
    `Create ${article(noun)}`, h("kbd", { "aria-hidden": "true" }, "n"));
  const toolbar = h("div", { class: "toolbar" }, searchInput("users", params, "search", "Name or ID"), button);
  caller("operatorKey").then((own) => {
    if (lacksAdmin(own) !== "") {
      button.replaceWith(h("p", { class: "hint" }, lacksAdmin(own)));
    }
  }, () => button.remove());
  const { element, desk, shortcuts } = queue({
    view: "users", params, signal, filters: h("div", { class: "stack tight" }, tabList, toolbar),
    load: (cursor) => load({ searchQuery, ...(cursor === null ? {} : { cursor: Number(cursor) }) }),
    item: kind.item,
    detail: async (id, refresh, desk) => {
      const own = await caller("operatorKey");
      return id === "new" ? form(kind, desk, own)
        : card(kind, await kind.get(Number(id)), { own, desk, refresh }, signal);
    },
  });
  return { element, shortcuts };
}

/** @param {string} noun */
function article(noun) {
  return `${noun === "organization" ? "an" : "a"} ${noun}`;
}

/**
 * @template {User | Organization} T
 * @param {Kind<T>} kind
 * @param {T} record
 * @param {Context<T>} context
 * @param {AbortSignal} signal
 */
function card({ card: facts, acts, keys, parameter }, record, context, signal) {
  const place = h("div", {});
  void show(place, async () => keyList(await keys(record)));
  return h("article", { class: "card stack" }, facts(record), h("h3", {}, "Keys"), place,
    parameter === "userId" && decided(record.id, signal),
    h("div", { class: "actions" },
      h("a", { class: "button", href: `#/keys?id=new&${parameter}=${record.id}` }, "Create a key"),
      parameter === "userId"
        && h("a", { class: "button", href: `#/users?tab=audit&userId=${record.id}` }, "What this user administered")),
    acts(record, context));
}

/**
 * Returns what a user has decided. Each part is read when it is unfolded.
 *
 * @param {number} userId
 * @param {AbortSignal} signal
 */
function decided(userId, signal) {
  const limit = shownDecisions;
  return [
    folded("What this user decided", () => pagedList(async (/** @type {string | undefined} */ cursor) => {
      const { changes: items, nextCursor } =
        await operatorGet("/decision/list", { userId, limit, ...(cursor && { cursor }) }, signal);
      return { items, nextCursor };
    }, namedChangeLine, "This user has changed no status.")),
    folded("Disputes that this user took up or closed", () =>
      pagedList(async (/** @type {string | undefined} */ cursor) => {
        const { disputes: items, nextCursor } =
          await operatorGet("/dispute/list", { assigneeId: userId, limit, ...(cursor && { cursor }) }, signal);
        return { items, nextCursor };
      }, (dispute) => [...disputeLine(dispute), rowText(dispute.content)], "This user has taken up no dispute.")),
    folded("Reports that this user reviewed", () => pagedList(async (/** @type {number | undefined} */ cursor) => {
      const { reports: items, nextCursor } =
        await operatorGet("/report/list", { reviewedByUserId: userId, limit, ...(cursor && { cursor }) }, signal);
      return { items, nextCursor };
    }, (report) => reportLine(report, ""), "This user has reviewed no report.")),
  ];
}

/**
 * @param {string} summary
 * @param {() => Promise<Node>} read
 */
function folded(summary, read) {
  const place = h("div", {});
  return h("details", {
    ontoggle: (/** @type {Event} */ { currentTarget }) =>
      currentTarget instanceof HTMLDetailsElement && currentTarget.open && show(place, read),
  }, h("summary", {}, summary), place);
}

/** @param {ListedKey[]} keys */
const activeFirst = (keys) => keys.toSorted((a, b) => Number(b.state === "ACTIVE") - Number(a.state === "ACTIVE"));

/** @param {ListedKey[]} keys */
function keyList(keys) {
  return keys.length === 0
    ? h("p", { class: "muted" }, "None.")
    : h("ul", { class: "plain key-list" }, activeFirst(keys).map((key) => h("li", {}, badge(key.state),
      h("div", {}, h("a", { href: `#/keys?id=${key.id}` }, clipped(titleOf(key), 60)), " ",
        key.name !== "" && h("code", { class: "muted" }, key.id), h("p", { class: "hint" }, rightsOf(key))))));
}

/**
 * @template {User | Organization} T
 * @param {Kind<T>} kind
 * @param {Desk<T>} desk
 * @param {Caller} own
 */
function form({ noun, fields, create }, desk, own) {
  const title = `Create ${article(noun)}`;
  if (lacksAdmin(own) !== "") {
    return h("article", { class: "card stack" }, h("h2", {}, title), h("p", {}, lacksAdmin(own)));
  }
  const place = h("article", { class: "card" });
  askInPlace(place, {
    title, fields: fields(), action: "Create", heading: "h2", canceled: desk.close,
    act: async (data) => {
      try {
        const { id } = await create(data);
        desk.tell("Created. Next, create a key.");
        desk.open(id);
      } catch (error) {
        if (error instanceof ApiError && error.temporary) {
          return [`${error.message}. It may have been created all the same. Look for it in the list before you try `
            + "again."];
        }
        throw error;
      }
      return [];
    },
  });
  return place;
}
