// @ts-check
// A key of the APIs: what it may do, for whom, until when; its rotation and its revocation.
import { allPages, operatorGet, postOnce } from "./api.js";
import { showSecret } from "./dialog.js";
import { fill, h } from "./dom.js";
import { askInPlace } from "./in-place.js";
import { age, badge, fact, field, select, time } from "./parts.js";
import { labelOf, nameOf } from "./people.js";
import { clipped, safeText } from "./safe-text.js";
import { useKey } from "./sign-in.js";

/** @import { Desk } from "./queue.js" */
/** @import { KeyName } from "./session.js" */
/** @import { Caller } from "./people.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Key"]} Key */
/** @typedef {components["schemas"]["Scope"]} Scope */

/** @typedef {Key["state"] | "DEACTIVATED"} State that of an active key whose organization or user is deactivated */
/** @typedef {Omit<Key, "state"> & { id: string, state: State }} ListedKey a key whose ID is its fingerprint */

/**
 * @typedef {object} Context
 * @property {Caller} own whose operator key the page has
 * @property {KeyName | undefined} use which key of the page it is
 * @property {Desk<ListedKey>} desk
 * @property {() => void} refresh shows the key and the list as they are now
 */

/** What a scope lets a key do: in short, and in a sentence. @type {Record<Scope, [string, string]>} */
export const rights = {
  check: ["check assets", "Ask whether assets are blocked or allowed."],
  changelog: ["read the changelog", "Read every change of a status, and follow new ones."],
  allowlist: [
    "change the allowlist",
    "Add assets to the allowlist of its organization and remove them. What it adds becomes ALLOWED for everyone.",
  ],
  dispute: ["create disputes", "Say that an asset is blocked by mistake, and ask what became of it."],
  reports: ["read reports", "Read the reports of its organization, and what operators made of them."],
  "report:write": ["file reports", "Report assets for its organization. Operators decide what becomes of them."],
  "operator:read": [
    "read everything", "Read disputes, reports, histories, lists, webhooks and keys of all organizations.",
  ],
  "operator:write": ["decide", "Decide disputes and reports, set statuses, and manage lists and webhooks."],
  "operator:admin": [
    "administer", "Create users and organizations, and create, rotate and revoke keys of all organizations.",
  ],
};

const day = 24 * 60 * 60;
const soon = 14 * day;

/** More keys are not read: the filter of an organization finds others. */
const most = 2000;

/**
 * Reads all keys, or those of an organization.
 *
 * @param {string} organizationId or empty
 * @param {AbortSignal} signal
 */
export function readKeys(organizationId, signal) {
  const filter = organizationId === "" ? {} : { organizationId: Number(organizationId) };
  return allPages(async (/** @type {string | null} */ cursor) => {
    const query = { ...filter, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const { keys, nextCursor } = await operatorGet("/key/list", query, signal);
    return { items: keys.map((key) => ({ ...key, id: key.fingerprint, state: stateOf(key) })), nextCursor };
  }, most);
}

/**
 * @param {Key} key
 * @returns {State}
 */
function stateOf({ state, organizationDeactivated, userDeactivated }) {
  return state === "ACTIVE" && (organizationDeactivated || userDeactivated) ? "DEACTIVATED" : state;
}

/**
 * Says whose deactivation makes a key useless.
 *
 * @param {ListedKey} key
 */
export function deactivatedOf({ organizationDeactivated, userDeactivated }) {
  return [userDeactivated && "user", organizationDeactivated && "organization"].filter(Boolean).join(" and ");
}

/**
 * Returns for whom a key acts, or nothing if it has no user and no organization.
 *
 * @param {Pick<Key, "user" | "organization">} key
 */
export function ownerOf({ user, organization }) {
  const names = [...(user === null ? [] : [nameOf(user)]), ...(organization === null ? [] : [labelOf(organization)])];
  return names.join(" for ");
}

/**
 * Says what a key may do.
 *
 * @param {Pick<Key, "scopes">} key
 * @param {"and" | "or"} [last] the word before the last of several rights
 */
export function rightsOf({ scopes }, last = "and") {
  const type = last === "and" ? "conjunction" : "disjunction";
  const words = Object.entries(rights).filter(([scope]) => scopes.includes(/** @type {Scope} */ (scope)));
  return new Intl.ListFormat("en-GB", { type }).format(words.map(([, [short]]) => short)) || "nothing";
}

/**
 * Says when a key ends or has ended. An end that is near is marked.
 *
 * @param {ListedKey} key
 */
export function endOf({ state, expiresAt, revokedAt }) {
  if (state === "REVOKED" && revokedAt !== null) {
    return h("span", {}, "revoked ", age(revokedAt));
  }
  if (expiresAt === null) {
    return h("span", { class: "muted" }, "never expires");
  }
  if (state === "EXPIRED") {
    return h("span", {}, "expired ", age(expiresAt));
  }
  const seconds = (Date.parse(expiresAt) - Date.now()) / 1000;
  const [count, unit] = seconds < 2 * day ? [Math.ceil(seconds / 3600), "h"] : [Math.ceil(seconds / day), "days"];
  return h("span", { class: seconds < soon ? "chip warn" : "muted" }, `expires in ${count} ${unit}`);
}

/** @param {ListedKey} key */
export function useOf({ lastUsedAt }) {
  return lastUsedAt === null ? "never used" : ["used ", age(lastUsedAt)];
}

/** @param {Pick<Key, "name" | "fingerprint">} key */
export function titleOf({ name, fingerprint }) {
  return name === "" ? `Key ${fingerprint}` : name;
}

/**
 * Says why the caller cannot administer, or returns nothing.
 *
 * @param {Caller} own
 */
export function lacksAdmin({ scopes, user }) {
  return !scopes.includes("operator:admin")
    ? "Your operator key may look at this, but not change it: it lacks the scope operator:admin."
    : user === null ? "Your operator key may look at this, but not change it: it belongs to no user." : "";
}

/**
 * @param {ListedKey} key
 * @param {Context} context
 */
export function keyCard(key, context) {
  const { organization, user } = key;
  const { own, use } = context;
  const place = h("div", { class: "place stack" });
  const ended = key.state === "EXPIRED" || key.state === "REVOKED";
  fill(place, ended ? "" : buttons(key, context, place));
  return h("article", { class: "card stack" },
    h("h2", { class: "line" }, safeText(titleOf(key)), badge(key.state),
      use && h("span", { class: "chip" }, "this page uses it")),
    key.state === "DEACTIVATED" && h("p", { class: "notice warn" }, h("strong", {}, "It does not work, "),
      `because its ${deactivatedOf(key)} is deactivated. After a reactivation it works again.`),
    h("p", { class: "title" }, safeText(ownerOf(key) || "Its holder"), ...may(key)),
    h("dl", { class: "facts" },
      fact("End", endOf(key), ...(key.expiresAt !== null && !ended
        ? [" (", time(key.expiresAt), ")"] : [])),
      fact("Last use", key.lastUsedAt === null ? "never" : [age(key.lastUsedAt), " (", time(key.lastUsedAt), ")"]),
      fact("Created", time(key.createdAt)),
      organization !== null && fact("Organization",
        h("a", { href: `#/users?tab=organizations&id=${organization.id}` }, clipped(labelOf(organization)))),
      user !== null && fact("User", h("a", { href: `#/users?id=${user.id}` }, clipped(nameOf(user)))),
      fact("Fingerprint", h("code", {}, key.fingerprint)),
      fact("Rights", h("ul", { class: "plain rights" }, key.scopes.map((scope) => h("li", {},
        h("strong", {}, rights[scope][0]), " ", h("span", { class: "muted" }, rights[scope][1])))))),
    !ended && lacksAdmin(own) !== "" && h("p", { class: "muted" }, lacksAdmin(own)),
    place);
}

/**
 * Says what the holder of a key may do with it, or could do until it ended.
 *
 * @param {ListedKey} key
 */
function may(key) {
  const ended = {
    ACTIVE: "", EXPIRED: " until it expired", REVOKED: " until it was revoked",
    DEACTIVATED: ` until its ${deactivatedOf(key)} was deactivated`,
  }[key.state];
  return [ended === "" ? " may " : " could ", rightsOf(key), ended, "."];
}

/**
 * @param {ListedKey} key
 * @param {Context} context
 * @param {HTMLElement} place
 */
function buttons(key, context, place) {
  const { own } = context;
  if (lacksAdmin(own) !== "") {
    return "";
  }
  const missing = key.scopes.filter((scope) => !own.scopes.includes(scope));
  const button = (/** @type {string} */ label, /** @type {string} */ shortcut, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", "aria-keyshortcuts": shortcut, onclick }, label,
      h("kbd", { "aria-hidden": "true" }, shortcut));
  return h("div", { class: "actions" },
    missing.length === 0 && button("Rotate", "r", () => rotate(key, context, place)),
    button("Revoke", "x", () => revoke(key, context, place)),
    missing.length > 0 && h("span", { class: "hint" },
      `You cannot rotate it, because you would see a key with rights that yours lacks: ${
        rightsOf({ scopes: missing })}.`));
}

/** Says who notices when a key stops to work. @param {ListedKey} key */
function usage({ lastUsedAt }) {
  return h("p", {}, lastUsedAt === null ? "It was never used."
    : ["It was last used ", age(lastUsedAt), ", so something may depend on it."]);
}

/**
 * @param {ListedKey} key
 * @param {Context} context
 * @param {HTMLElement} place
 */
function rotate(key, { use, desk }, place) {
  askInPlace(place, {
    title: "Rotate this key", action: "Rotate",
    fields: [
      h("p", {}, "A new key with the same rights replaces it. After the time below, ",
        safeText(ownerOf(key) || "its holder"),
        " can no longer ", rightsOf(key, "or"), " with the old one."),
      usage(key),
      h("p", { hidden: !use }, h("strong", {}, "This page uses it, and goes on with the new one.")),
      field("The old key stays valid for", select("graceSeconds", String(day), [
        [String(60 * 60), "an hour"], [String(day), "a day"], [String(7 * day), "7 days"],
        ["0", "no time: it stops working at once"],
      ])),
    ],
    act: async (form) => {
      const made = await postOnce("/key/rotate",
        { fingerprint: key.fingerprint, graceSeconds: Number(form.get("graceSeconds")) });
      if (use) {
        await useKey(use, made.key);
      }
      showKey("The new key of", made, () => {
        desk.tell("This key replaces ", h("a", { href: `#/keys?id=${key.fingerprint}` }, key.fingerprint), ".");
        desk.open(made.fingerprint);
      });
      return [];
    },
  });
}

/**
 * @param {ListedKey} key
 * @param {Context} context
 * @param {HTMLElement} place
 */
function revoke(key, { use, desk, refresh }, place) {
  askInPlace(place, {
    title: "Revoke this key", action: "Revoke for good", danger: true,
    fields: [
      h("p", {}, "At once and for good, ", safeText(ownerOf(key) || "its holder"), " can no longer ",
        rightsOf(key, "or"), " with this key."),
      usage(key),
      h("p", { class: "bad", hidden: !use }, h("strong", {},
        "This page uses it. You then need another key to go on: rotate it instead to get one.")),
    ],
    act: async () => {
      await postOnce("/key/revoke", { fingerprint: key.fingerprint });
      desk.tell("Revoked. Other servers may accept it for one more second.");
      refresh();
      return [];
    },
  });
}

/**
 * Shows the text of a new key.
 *
 * @param {string} what the words before the name of the key
 * @param {Key & { key: string }} made
 * @param {() => void} closed is called when it is no longer shown
 */
export function showKey(what, made, closed) {
  const about = "Anyone with this text can do what the key may do. Send it to its owner in a safe way.";
  showSecret({ title: [what, " “", safeText(titleOf(made)), "”"], about, label: "Key", secret: made.key, closed });
}
