// @ts-check
// Signs in and out. The server keeps the keys of the browser, so that every tab, a reload and a link have them.
import { ApiError, addresses, refusal, unreachable } from "./api.js";
import { currentKeys, keepNoKeys, keyRefused, onSessionChange, refusedKeys, setKeys } from "./session.js";

/** @import { KeyName } from "./session.js" */
/**
 * Fingerprints, and the e-mail address of whoever can sign in without a key.
 *
 * @typedef {{ public: string | null, operator: string | null, person: string | null }} Session
 */

/** What says, in all tabs, that somebody has signed out, and does not want to be signed in without being asked. */
const out = "apguard-signed-out";

/** Who can sign in without a key, or nothing, and why the server does not let them. */
let known = { person: "", refusal: "" };

/** Tells the other tabs that somebody has signed in or out. */
const tabs = new BroadcastChannel("apguard-session");

/** Makes the page one that signs in, and finds out who has. */
export async function startSession() {
  keepNoKeys();
  await follow();
  const again = () => void follow().catch(() => {}); // the next request says what is wrong
  tabs.addEventListener("message", again);
  onSessionChange(() => refusedKeys().size > 0 && again()); // the session may have ended
}

/** Finds out who has signed in, and signs in whoever needs no key, unless they have signed out. */
async function follow() {
  take(await request("GET", "/current", "key"));
  const { operatorKey } = currentKeys();
  const needed = operatorKey === "" || refusedKeys().has("operatorKey");
  if (known.person !== "" && needed && localStorage.getItem(out) === null) {
    await signInAsPerson().catch(() => {
      if (operatorKey === "") {
        setKeys({ ...currentKeys() }); // the banner says why
      }
    });
  }
}

/** Returns who can sign in without a key, or nothing, and why the server does not let them, if it has said so. */
export function personNow() {
  return known;
}

/** Signs in whoever needs no key, in all tabs. It throws an ApiError if the server does not let them. */
export async function signInAsPerson() {
  localStorage.removeItem(out);
  const own = latest.catch(() => {}).then(() => request("POST", "/person", "operatorKey"));
  latest = own;
  try {
    take(await own);
  } catch (error) {
    known = { ...known, refusal: error instanceof ApiError ? error.message : String(error) };
    throw error;
  }
  tabs.postMessage("changed");
}

/** @param {Session} session */
function take({ public: key, operator: operatorKey, person }) {
  if (person !== known.person || operatorKey !== null) {
    known = { person: person ?? "", refusal: "" };
  }
  const next = { key: key ?? "", operatorKey: operatorKey ?? "", remember: false };
  const present = currentKeys();
  if (next.key !== present.key || next.operatorKey !== present.operatorKey) {
    setKeys(next);
  }
}

/** The sign-in in progress. Each changes the cookie, so another one waits. @type {Promise<unknown>} */
let latest = Promise.resolve();

/**
 * Signs in with a key, in all tabs. It throws an ApiError if the server does not accept the key.
 *
 * @param {KeyName} name
 * @param {string} key
 */
export async function signIn(name, key) {
  const path = name === "key" ? "/public" : "/operator";
  const own = latest.catch(() => {}).then(() => request("POST", path, name, key));
  latest = own;
  take(await own);
  tabs.postMessage("changed");
}

/**
 * Signs in with the keys of a link. One that the server does not accept is in the banner of every view.
 *
 * @param {Record<KeyName, string>} offered empty for none
 */
export async function signInWith(offered) {
  /** @type {KeyName[]} */
  const wrong = [];
  for (const name of /** @type {const} */ (["key", "operatorKey"])) {
    if (offered[name] !== "") {
      await signIn(name, offered[name]).catch((error) => {
        if (!(error instanceof ApiError) || error.status !== 401) {
          throw error;
        }
        wrong.push(name);
      });
    }
  }
  wrong.forEach((name) => keyRefused(name));
}

/** Signs out, in all tabs. */
export async function signOut() {
  if (known.person !== "") {
    localStorage.setItem(out, "true");
  }
  take(await request("POST", "/end", "key"));
  tabs.postMessage("changed");
}

/**
 * Goes on with another key in the place of a present one.
 *
 * @param {KeyName} name
 * @param {string} key
 */
export async function useKey(name, key) {
  if (addresses().signIn === "") {
    setKeys({ ...currentKeys(), [name]: key });
  } else {
    await signIn(name, key);
  }
}

/**
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {KeyName} name
 * @param {string} [key]
 * @returns {Promise<Session>}
 */
async function request(method, path, name, key) {
  try {
    const response = await fetch(addresses().signIn + path, {
      method, cache: "no-store", redirect: "error", headers: key === undefined ? {} : { "X-API-Key": key },
    });
    if (!response.ok) {
      throw await refusal(response, name);
    }
    return await response.json();
  } catch (error) {
    throw error instanceof ApiError ? error : unreachable(error, name);
  }
}
