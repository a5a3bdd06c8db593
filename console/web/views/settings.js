// @ts-check
import { ApiError, addresses, operatorGet, post } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { field, select } from "../parts.js";
import { currentKeys, fingerprint, onSessionChange, setKeys, setTheme, theme } from "../session.js";

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
  const { api, operatorApi, keysInLink } = addresses();
  const secret = (/** @type {KeyName} */ name) =>
    h("input", { name, value: keys[name], type: "password", autocomplete: "off", spellcheck: "false" });
  /** @type {Record<KeyName, HTMLElement>} */
  const answers = { key: h("div", { role: "status" }), operatorKey: h("div", { role: "status" }) };
  const saved = h("div", { class: "line", role: "status" });
  const form = h("form", { class: "card stack" },
    h("h2", {}, "Keys"),
    h("p", {},
      "The server answers only callers with a key. Operators who administer it create keys, in Keys.",
      keysInLink
        && " This is the demo: the command that has started it has printed two keys, and a link that enters them "
          + "for you."),
    h("div", {},
      field("Key of your organization", secret("key"), `For Check, Allowlist and Changelog. Sent only to ${api}`),
      answers.key),
    h("div", {},
      field("Operator key", secret("operatorKey"),
        "For Disputes, Reports, Lists, Webhooks, Keys, Users and histories. Leave it empty if you are no operator. "
          + `Sent only to ${operatorApi}`),
      answers.operatorKey),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "remember", checked: keys.remember }),
      "Keep the keys until this tab is closed, also after a reload"),
    h("p", { class: "hint" }, "Otherwise they stay in the memory of this page and are gone after a reload."),
    h("div", { class: "actions" },
      h("button", { class: "primary" }, "Use these keys"),
      h("button", { type: "button", onclick: forget }, "Forget keys")), saved);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    setKeys({
      key: String(data.get("key")).trim(), operatorKey: String(data.get("operatorKey")).trim(),
      remember: data.has("remember"),
    });
    fill(saved, "In use. ", back(from));
    void tryKey("key", answers.key, signal);
    void tryKey("operatorKey", answers.operatorKey, signal);
  });
  function forget() {
    setKeys({ key: "", operatorKey: "", remember: false });
    form.reset();
    for (const input of form.querySelectorAll("input[type=password]")) {
      /** @type {HTMLInputElement} */ (input).value = "";
    }
    fill(answers.key);
    fill(answers.operatorKey);
    fill(saved, "Forgotten");
  }
  const themes = select("theme", theme(), [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]]);
  themes.addEventListener("change", () => {
    setTheme(themes.value);
    announce(`Theme ${themes.value}`);
  });
  onSessionChange(() => { themes.value = theme(); }, signal);
  const element = h("div", { class: "narrow stack" }, form,
    h("section", { class: "card stack" }, h("h2", {}, "Appearance"), field("Theme", themes)),
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
 * Asks the server for something small, and shows whether it accepts the key.
 *
 * @param {KeyName} name
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function tryKey(name, place, signal) {
  const key = currentKeys()[name];
  if (key === "") {
    fill(place);
    return;
  }
  fill(place, h("p", { class: "hint" }, "Asking the server …"));
  try {
    await (name === "key"
      ? post("/asset/check", { content: "example.com" }, { signal })
      : operatorGet("/dispute/list", { limit: 1 }, signal));
    const listed = await fingerprint(key);
    fill(place, h("p", { class: "good" }, "The server accepts this key."),
      listed !== ""
        && h("p", { class: "hint" }, "In the lists of your administrator it is ", h("code", {}, listed), "."));
  } catch (error) {
    if (!signal.aborted) {
      fill(place, h("p", { class: "bad" }, refusal(error)));
    }
  }
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
