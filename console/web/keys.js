// @ts-check
// Which keys the page has: in the header, in the banner of every view, and from links.
import { addresses } from "./api.js";
import { ask } from "./dialog.js";
import { byId, fill, h } from "./dom.js";
import { caller, labelOf } from "./people.js";
import { safeText } from "./safe-text.js";
import { currentKeys, fingerprint, ownFingerprint, refusedKeys, setKeys } from "./session.js";
import { personNow, signInWith } from "./sign-in.js";

/** @import { KeyName } from "./session.js" */
/** @typedef {Record<KeyName, string>} LinkKeys */

/** @type {Record<KeyName, string>} */
const names = { key: "the key of your organization", operatorKey: "your operator key" };

/** Says which keys are missing or refused, in every view. */
export function banner() {
  const { key, operatorKey } = currentKeys();
  const signs = addresses().signIn !== "";
  const problems = [...refusedKeys()].map((name) => h("p", {},
    h("strong", {}, `The server no longer accepts ${names[name]}.`),
    " It is wrong, has expired or was revoked. What you have entered is kept."));
  if (key === "" && operatorKey === "") {
    problems.push(h("p", {},
      signs ? "You are not signed in. " : "No key is set. ",
      "You can recognize contents here, but the server answers only callers with a key.",
      addresses().keysInLink && " Open the link that the command has printed."));
    const { person, refusal } = personNow();
    problems.push(...refusal === "" ? [] : [h("p", {}, "The server does not sign ", safeText(person),
      ` in without a key: ${refusal}.`)]);
  }
  fill(byId("banner"),
    problems.length > 0
      && h("section", { class: "notice key", "aria-label": "Keys" },
        problems,
        h("p", {}, h("a", { href: "#/settings" }, signs ? "Sign in" : "Enter a key in Settings"))));
}

/**
 * Says in the header with which keys the page acts.
 *
 * @param {Element} place
 */
export async function who(place) {
  const keys = currentKeys();
  const rows = await whoRows();
  if (keys === currentKeys()) {
    fill(place, h("a", { class: "who", href: "#/settings", title: "Change the keys in Settings" }, rows));
  }
}

/** Returns for whom each key acts. */
export function whoRows() {
  return Promise.all([row("key", "organization"), row("operatorKey", "operator")]);
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
    : h("span", {}, `${role} key `, h("code", {}, await ownFingerprint(which) || "without a name"));
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
 * Returns which keys of a link the page does not have, and which of its own they would replace. A page that signs in
 * knows its keys by their fingerprints.
 *
 * @param {LinkKeys} offered
 */
async function compared(offered) {
  const present = currentKeys();
  /** @type {LinkKeys} */
  const others = { key: "", operatorKey: "" };
  for (const name of /** @type {const} */ (["key", "operatorKey"])) {
    const comparable = addresses().signIn === "" ? offered[name] : await fingerprint(offered[name]);
    if (offered[name] !== "" && comparable !== present[name]) {
      others[name] = offered[name];
    }
  }
  const replaces = /** @type {KeyName[]} */ (["key", "operatorKey"])
    .filter((name) => others[name] !== "" && present[name] !== "");
  return { others, replaces };
}

/** @param {LinkKeys} others */
async function adopt(others) {
  if (addresses().signIn !== "") {
    await signInWith(others);
    return;
  }
  const present = currentKeys();
  setKeys({ ...present, key: others.key || present.key, operatorKey: others.operatorKey || present.operatorKey });
}

/**
 * Uses the keys of a link. It asks before it replaces a key: who sends a link could otherwise let others
 * work for another organization.
 *
 * @param {LinkKeys} offered
 * @param {() => void} used is called when the keys are other ones, after a question
 */
export async function useKeys(offered, used) {
  const { others, replaces } = await compared(offered);
  if (replaces.length === 0) {
    await adopt(others);
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
      await adopt(others);
      return [];
    },
    done: used,
  });
}
