// @ts-check
// The keys and the theme. A page that signs in has only fingerprints in place of keys: the server keeps what a
// cookie stands for, which scripts cannot read. Else keys are in memory, or in the session of the tab if the user
// asks.

/** @typedef {{ key: string, operatorKey: string, remember: boolean }} Keys */
/** @typedef {"key" | "operatorKey"} KeyName */

const item = "apguard-keys";
const changed = new EventTarget();

/** @type {Keys} */
let keys = { key: "", operatorKey: "", remember: false };

/** Whether the page signs in. */
let session = false;

/** The present keys that the server has refused. @type {Set<KeyName>} */
const refused = new Set();

/** Makes the page one that signs in. It forgets what an earlier one has kept. */
export function keepNoKeys() {
  session = true;
  sessionStorage.removeItem(item);
}

/** Reads what an earlier page of the tab has kept. */
export function restore() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(item) ?? "null");
    if (kept && typeof kept.key === "string" && typeof kept.operatorKey === "string") {
      keys = { key: kept.key, operatorKey: kept.operatorKey, remember: true };
    }
  } catch {
    sessionStorage.removeItem(item);
  }
}

export function currentKeys() {
  return keys;
}

/** @param {Keys} next */
export function setKeys(next) {
  keys = next;
  refused.clear();
  if (next.remember) {
    sessionStorage.setItem(item, JSON.stringify({ key: next.key, operatorKey: next.operatorKey }));
  } else {
    sessionStorage.removeItem(item);
  }
  changed.dispatchEvent(new Event("change"));
}

/**
 * Returns which key a request to an API acts with. An operator who has signed in needs no other key to check and
 * to read the changelog.
 *
 * @param {KeyName} api
 * @param {string} path
 * @returns {KeyName}
 */
export function actingKey(api, path) {
  return session && keys[api] === "" && path.startsWith("/asset/") ? "operatorKey" : api;
}

/** Returns whether the page has a key with which it can check and read the changelog. */
export function canCheck() {
  return keys[actingKey("key", "/asset/check")] !== "";
}

/**
 * Returns the header of a request that acts with a key of the page. With a fingerprint, the server refuses the
 * request if another tab has signed in with another key meanwhile.
 *
 * @param {string} key
 * @returns {Record<string, string>}
 */
export function authorization(key) {
  return session ? { "X-Session-Key": key } : { "X-API-Key": key };
}

/**
 * Notes that the server does not accept a key. A reply to a key that was replaced meanwhile says
 * nothing about the present one.
 *
 * @param {KeyName} name
 * @param {string} key
 */
export function keyRefused(name, key = keys[name]) {
  if (keys[name] === key && !refused.has(name)) {
    refused.add(name);
    changed.dispatchEvent(new Event("change"));
  }
}

/** @returns {ReadonlySet<KeyName>} */
export function refusedKeys() {
  return refused;
}

/**
 * Calls a function after the keys, what is known about them, or the theme has changed.
 *
 * @param {() => void} listener
 * @param {AbortSignal} [signal]
 */
export function onSessionChange(listener, signal) {
  changed.addEventListener("change", listener, signal ? { signal } : {});
}

/**
 * Returns the fingerprint of a key that the page has.
 *
 * @param {KeyName} name
 */
export async function ownFingerprint(name) {
  return session ? keys[name] : fingerprint(keys[name]);
}

/**
 * Returns the first digits of a key's hash, by which the server's administrator lists keys, or
 * nothing for no key. Browsers only hash for pages of safe origins.
 *
 * @param {string} key
 */
export async function fingerprint(key) {
  if (key === "" || !isSecureContext) {
    return "";
  }
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return [...hash.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @returns {string} system, light or dark */
export function theme() {
  return localStorage.getItem("apguard-theme") ?? "system";
}

/** @param {string} name */
export function setTheme(name) {
  localStorage.setItem("apguard-theme", name);
  applyTheme();
  changed.dispatchEvent(new Event("change"));
}

export function applyTheme() {
  document.documentElement.dataset["theme"] = theme();
}
