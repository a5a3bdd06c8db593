// @ts-check
// Which keys the page has: in the header, in the banner of every view, and from links.
import { addresses } from "./api.js";
import { ask } from "./dialog.js";
import { byId, fill, h } from "./dom.js";
import { caller, labelOf } from "./people.js";
import { safeText } from "./safe-text.js";
import { currentKeys, fingerprint, refusedKeys, setKeys } from "./session.js";

/** @import { KeyName } from "./session.js" */
/** @typedef {Record<KeyName, string>} LinkKeys */

/** @type {Record<KeyName, string>} */
const names = { key: "the key of your organization", operatorKey: "your operator key" };

/** Says which keys are missing or refused, in every view. */
export function banner() {
  const { key, operatorKey } = currentKeys();
  const problems = [...refusedKeys()].map((name) => h("p", {},
    h("strong", {}, `The server no longer accepts ${names[name]}.`),
    " It is wrong, has expired or was revoked. What you have entered is kept."));
  if (key === "" && operatorKey === "") {
    problems.push(h("p", {},
      "No key is set. You can recognize contents here, but the server answers only callers with a key.",
      addresses().keysInLink
        && " Open the link that the command has printed, also after a reload: this page forgets its keys, "
          + "unless you let the tab keep them in Settings."));
  }
  fill(byId("banner"),
    problems.length > 0
      && h("section", { class: "notice key", "aria-label": "Keys" },
        problems,
        h("p", {}, h("a", { href: "#/settings" }, "Enter a key in Settings"))));
}

/**
 * Says in the header with which keys the page acts.
 *
 * @param {Element} place
 */
export async function who(place) {
  const keys = currentKeys();
  const rows = await Promise.all([row("key", "organization"), row("operatorKey", "operator")]);
  if (keys === currentKeys()) {
    fill(place, h("a", { class: "who", href: "#/settings", title: "Change the keys in Settings" }, rows));
  }
}

/**
 * Returns for whom a key acts. A key that the server does not know, or that says nothing, has the first
 * digits of its hash.
 *
 * @param {KeyName} which
 * @param {string} role
 */
async function row(which, role) {
  const key = currentKeys()[which];
  if (key === "") {
    return h("span", { class: "muted" }, `No ${role} key`);
  }
  const { organization, user } = await caller(which).catch(() => ({ organization: null, user: null }));
  const person = user && (user.fullName || `user ${user.id}`); // without "(you)"
  const [name, more] = which === "operatorKey" ? [person, role]
    : organization ? [labelOf(organization), person] : [person, `no ${role}`];
  return name
    ? h("span", {}, h("strong", {}, safeText(name)), more && [" ", safeText(more)])
    : h("span", {}, `${role} key `, h("code", {}, await fingerprint(key) || "without a name"));
}

/**
 * Takes the keys of a link out of the address and the history.
 *
 * @returns {LinkKeys | undefined} the keys, if the address had any
 */
export function keysOfLink() {
  const [path = "", query = ""] = location.hash.split("?", 2);
  const params = new URLSearchParams(query);
  if (!params.has("key") && !params.has("operatorKey")) {
    return undefined;
  }
  const keys = { key: params.get("key") ?? "", operatorKey: params.get("operatorKey") ?? "" };
  params.delete("key");
  params.delete("operatorKey");
  history.replaceState(null, "", params.size > 0 ? `${path}?${params}` : path);
  return keys;
}

/**
 * Returns the present keys with those of a link in their places, and whether one of them is replaced.
 *
 * @param {LinkKeys} offered
 */
function merged(offered) {
  const present = currentKeys();
  const next = { ...present, key: offered.key || present.key, operatorKey: offered.operatorKey || present.operatorKey };
  const replaces = /** @type {KeyName[]} */ (["key", "operatorKey"])
    .filter((name) => present[name] !== "" && present[name] !== next[name]);
  return { next, replaces };
}

/**
 * Uses the keys of a link. It asks before it replaces a key: who sends a link could otherwise let others
 * work for another organization.
 *
 * @param {LinkKeys} offered
 * @param {() => void} used is called when the keys are other ones, after a question
 */
export function useKeys(offered, used) {
  const { next, replaces } = merged(offered);
  if (replaces.length === 0) {
    setKeys(next);
    return;
  }
  ask({
    title: "Replace your keys?", action: "Use the keys of the link", cancel: "Keep my keys", careful: true,
    fields: [
      h("p", {}, `The link that you have opened has keys of its own. They would replace ${
        replaces.map((name) => names[name]).join(" and ")}, and what you do next would be done with them.`),
      h("p", {}, "Keep your keys unless you know where the link comes from."),
    ],
    act: async () => {
      setKeys(next);
      return [];
    },
    done: used,
  });
}
