// @ts-check
import { ApiError, addresses, operatorGet, post } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { forgetDrafts } from "../drafts.js";
import { whoRows } from "../keys.js";
import { field, select } from "../parts.js";
import { currentKeys, onSessionChange, ownFingerprint, setKeys, setTheme, theme } from "../session.js";
import { clipped } from "../safe-text.js";
import { setSingleKeys, singleKeys } from "../shortcuts.js";
import { personNow, signIn, signInAsPerson, signOut } from "../sign-in.js";
import { forgetDecisions } from "../store.js";

/** @import { View } from "../parts.js" */
/** @import { KeyName } from "../session.js" */

/**
 * @param {URLSearchParams} _params
 * @param {AbortSignal} signal
 * @param {string} from the fragment of the view that led here, or empty
 * @returns {View}
 */
export function settingsView(_params, signal, from) {
  const keys = currentKeys();
  const { api, operatorApi, keysInLink, signIn: address } = addresses();
  const signs = address !== "";
  const { person } = personNow();
  const secret = (/** @type {KeyName} */ name) =>
    h("input", { name, value: signs ? "" : keys[name], type: "password", autocomplete: "off", spellcheck: "false" });
  /** @type {Record<KeyName, HTMLElement>} */
  const answers = { key: h("div", { role: "status" }), operatorKey: h("div", { role: "status" }) };
  const saved = h("div", { class: "line", role: "status" });
  const form = h("form", { class: "card stack" },
    h("h2", {}, signs ? "Sign in with a key" : "Keys"),
    h("p", {},
      "The server answers only callers with a key. Operators who administer it create keys, in Keys.",
      signs && " You enter a key once. All tabs of this browser are then signed in, and none of them keeps the key.",
      keysInLink
        && " This is the demo: the command that has started it has printed two keys, and a link that enters them "
          + "for you."),
    h("div", {},
      field("Key of your organization", secret("key"), signs
        ? "For Allowlist, and for Check and Changelog without an operator key."
        : `For Check, Allowlist and Changelog. Sent only to ${api}`),
      answers.key),
    h("div", {},
      field("Operator key", secret("operatorKey"),
        "For Disputes, Reports, Lists, Webhooks, Keys, Users and histories. Leave it empty if you are no operator."
          + (signs ? "" : ` Sent only to ${operatorApi}`)),
      answers.operatorKey),
    !signs && h("label", { class: "check" }, h("input", { type: "checkbox", name: "remember", checked: keys.remember }),
      "Keep the keys until this tab is closed, also after a reload"),
    !signs && h("p", { class: "hint" }, "Otherwise they stay in the memory of this page and are gone after a reload."),
    h("div", { class: "actions" },
      person !== "" && h("button", { type: "button", onclick: enter }, "Sign in as ", clipped(person, 60)),
      h("button", { class: "primary" }, signs ? "Sign in" : "Use these keys"),
      !signs && h("button", { type: "button", onclick: forget }, "Forget keys")), saved);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const given = { key: String(data.get("key")).trim(), operatorKey: String(data.get("operatorKey")).trim() };
    if (!signs) {
      setKeys({ ...given, remember: data.has("remember") });
      fill(saved, "In use. ", back(from));
    }
    for (const name of /** @type {const} */ (["key", "operatorKey"])) {
      void tryKey(name, signs ? given[name] : "", answers[name], signal).then((signedIn) => {
        if (signedIn) {
          /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = ""; // the server has it
          fill(saved, "Signed in. ", back(from));
        }
      });
    }
  });
  async function enter() {
    try {
      await signInAsPerson();
      fill(saved, "Signed in. ", back(from));
    } catch (error) {
      fill(saved, error instanceof ApiError ? error.message : String(error));
    }
  }
  async function forget() {
    if (signs) {
      try {
        await signOut();
      } catch (error) {
        fill(saved, refusal(error));
        return;
      }
    } else {
      setKeys({ key: "", operatorKey: "", remember: false });
    }
    forgetDecisions();
    forgetDrafts();
    form.reset();
    for (const input of form.querySelectorAll("input[type=password]")) {
      /** @type {HTMLInputElement} */ (input).value = "";
    }
    fill(answers.key);
    fill(answers.operatorKey);
    fill(saved, signs ? "Signed out, in all tabs" : "Forgotten");
    form.querySelector("input")?.focus();
  }
  const who = h("p", { class: "stack tight" });
  const me = h("section", { class: "card stack", "aria-label": "Signed in" }, h("h2", {}, "Signed in"), who,
    h("div", { class: "actions" }, h("button", { type: "button", onclick: forget }, "Sign out")));
  const showMe = async () => {
    const { key, operatorKey } = currentKeys();
    me.hidden = !signs || key === "" && operatorKey === "";
    if (!me.hidden) {
      fill(who, await whoRows());
    }
  };
  void showMe();
  const themes = select("theme", theme(), [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]]);
  themes.addEventListener("change", () => {
    setTheme(themes.value);
    announce(`Theme ${themes.value}`);
  });
  const single = h("input", { type: "checkbox", checked: singleKeys() });
  single.addEventListener("change", () => {
    setSingleKeys(single.checked);
    announce(`Single keys are switched ${single.checked ? "on" : "off"}`);
  });
  onSessionChange(() => {
    themes.value = theme();
    void showMe();
  }, signal);
  const element = h("div", { class: "narrow stack" }, me, form,
    h("section", { class: "card stack" }, h("h2", {}, "Appearance"), field("Theme", themes)),
    h("section", { class: "card stack" }, h("h2", {}, "Keyboard"),
      h("label", { class: "check" }, single, "Single keys are shortcuts"),
      h("p", { class: "hint" },
        "Switch them off if you dictate or type by accident. Ctrl K still leads to all commands.")),
    h("section", { class: "card stack" }, h("h2", {}, "Addresses"),
      h("dl", { class: "facts" }, fact("Public API", api), fact("Operators' API", operatorApi)),
      h("p", { class: "hint" },
        "They belong to the installation: config.json and the page's security policy name them.")));
  return { title: "Settings", element };
}

/**
 * Returns a link to the view that led here.
 *
 * @param {string} from
 */
function back(from) {
  return from !== "" && !from.startsWith("#/settings") && h("a", { href: from }, "Go back to where you were");
}

/**
 * Signs in with a key, if one is given. Then it asks the server for something small, and shows whether it accepts
 * the key.
 *
 * @param {KeyName} name
 * @param {string} given
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether somebody has signed in
 */
async function tryKey(name, given, place, signal) {
  if (given === "" && currentKeys()[name] === "") {
    fill(place);
    return false;
  }
  fill(place, h("p", { class: "hint" }, "Asking the server …"));
  let signedIn = false;
  try {
    if (given !== "") {
      await signIn(name, given);
      signedIn = true;
    }
    await (name === "key"
      ? post("/asset/check", { content: "example.com" }, { signal })
      : operatorGet("/dispute/list", { limit: 1 }, signal));
    const listed = await ownFingerprint(name);
    fill(place, h("p", { class: "good" }, "The server accepts this key."),
      listed !== ""
        && h("p", { class: "hint" }, "In the lists of your administrator it is ", h("code", {}, listed), "."));
  } catch (error) {
    if (!signal.aborted) {
      fill(place, h("p", { class: "bad" }, refusal(error)));
    }
  }
  return signedIn;
}

/** @param {unknown} error */
function refusal(error) {
  if (!(error instanceof ApiError)) {
    return String(error);
  }
  return error.status === 401 ? "The server does not accept this key. It is wrong, has expired or was revoked."
    : error.status === 403 ? "The server knows this key, but it is for something else."
      : error.message;
}

/**
 * @param {string} name
 * @param {string} value
 */
function fact(name, value) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, h("code", {}, value)));
}
