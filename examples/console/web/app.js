// @ts-check
// The frame of the page: navigation, routes in the fragment, shortcuts and the banner about keys.
import { addresses, loadConfig } from "./api.js";
import { closeDialogs, dialogIsOpen } from "./dialog.js";
import { announce, byId, fill, h } from "./dom.js";
import { focusHeading } from "./focus.js";
import { openHelp, openPalette } from "./palette.js";
import { failure } from "./parts.js";
import { applyTheme, currentKeys, onSessionChange, refusedKeys, restore, setKeys, setTheme } from "./session.js";
import { allowlistView } from "./views/allowlist.js";
import { changelogView } from "./views/changelog.js";
import { checkView } from "./views/check.js";
import { disputesView } from "./views/disputes.js";
import { reportsView } from "./views/reports.js";
import { settingsView } from "./views/settings.js";
import { webhooksView } from "./views/webhooks.js";

/** @import { View } from "./parts.js" */
/** @typedef {(params: URLSearchParams, signal: AbortSignal, from: string) => View} Open */

/**
 * The views by their names in the address, in the order of the navigation.
 *
 * @type {Record<string, { label: string, about: string, view: Open }>}
 */
const routes = {
  check: { label: "Check", about: "Is a link, an account or an address blocked or allowed, and why?", view: checkView },
  allowlist: {
    label: "Allowlist", about: "Tell the server what belongs to your organization, so that nobody takes it for a fake.",
    view: allowlistView,
  },
  changelog: {
    label: "Changelog",
    about: "Everything that was blocked, allowed or set back to unknown. Programs follow it to protect their users.",
    view: changelogView,
  },
  disputes: {
    label: "Disputes",
    about: "Somebody says that something is blocked by mistake. Operators take the dispute up and decide.",
    view: disputesView,
  },
  reports: {
    label: "Reports",
    about: "Organizations propose what should be blocked. An approved proposal changes the status at once.",
    view: reportsView,
  },
  webhooks: {
    label: "Webhooks",
    about: "Other programs that are told of each change of a status. A secret signs what they receive.",
    view: webhooksView,
  },
  settings: { label: "Settings", about: "The keys and colors of this browser.", view: settingsView },
};

/** @type {Record<string, () => void>} */
let shortcuts = {};
let leaving = new AbortController();

const links = Object.entries(routes).map(([name, { label }]) =>
  h("a", { href: `#/${name}`, "data-view": name }, label));

function frame() {
  fill(byId("top"),
    h("a", { class: "brand", href: "#/check" },
      h("img", { src: "icon.svg", alt: "", width: 24, height: 24 }), "apguard"),
    h("nav", { "aria-label": "Views" }, links),
    h("button", { type: "button", class: "command", onclick: palette, "aria-keyshortcuts": "Control+K Meta+K" },
      "Commands", h("kbd", {}, "Ctrl K")));
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the fragment is the route
    focusHeading();
  });
}

/**
 * Shows the view of the fragment. The focus goes to its first field or its heading, but stays
 * where it is when only the filters of the view have changed.
 *
 * @param {HashChangeEvent} [event]
 */
function route(event) {
  const { name, query } = routeOf(location.hash);
  closeDialogs();
  leaving.abort();
  leaving = new AbortController();
  for (const link of links) {
    if (link.dataset["view"] === name) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else {
      link.removeAttribute("aria-current");
    }
  }
  const from = event ? new URL(event.oldURL).hash : "";
  const { view: open, about } = /** @type {typeof routes[string]} */ (routes[name]);
  const view = open(new URLSearchParams(query), leaving.signal, from);
  shortcuts = view.shortcuts ?? {};
  document.title = `${view.title} · apguard console`;
  const main = byId("main");
  const entered = main.dataset["view"] !== name;
  main.dataset["view"] = name;
  fill(main, h("h1", { tabindex: "-1" }, view.title), h("p", { class: "about" }, about), view.element);
  announce(view.title);
  if (event && entered) {
    scrollTo(0, 0);
  }
  const first = main.querySelector("[autofocus]");
  if (entered && first instanceof HTMLElement) {
    first.focus({ preventScroll: true });
  } else if (event && (entered || !main.contains(document.activeElement))) {
    focusHeading();
  }
}

/** @param {string} hash */
function routeOf(hash) {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { name: Object.hasOwn(routes, path) ? path : "check", query };
}

const keyNames = { key: "the key of your organization", operatorKey: "your operator key" };

/** Says which keys are missing or refused, in every view. */
function banner() {
  const { key, operatorKey } = currentKeys();
  const problems = [...refusedKeys()].map((name) => h("p", {},
    h("strong", {}, `The server no longer accepts ${keyNames[name]}.`),
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

function palette() {
  openPalette([
    ...actions(),
    ...Object.entries(routes).map(([name, { label }], index) =>
      ({ label: `Go to ${label}`, keys: `g ${index + 1}`, run: () => { location.hash = `#/${name}`; } })),
    ...[
      ["light", "Light colors"], ["dark", "Dark colors"], ["system", "Colors of the system"],
    ].map(([name = "", label = ""]) => ({ label, run: () => setTheme(name) })),
    { label: "Show shortcuts", keys: "?", run: openHelp },
  ]);
}

/** Returns a command for each button of the view that acts on what is shown. */
function actions() {
  return [
    .../** @type {NodeListOf<HTMLButtonElement>} */ (byId("main").querySelectorAll(".actions button, .toolbar button")),
  ]
    .filter((button) => button.checkVisibility())
    .map((button) => ({
      label: button.getAttribute("aria-label") ?? button.firstChild?.textContent ?? "",
      keys: button.getAttribute("aria-keyshortcuts") ?? "",
      run: () => button.click(),
    }));
}

/** Takes keys from a link of the demo, and removes them from the address and the history. */
function takeKeysOfLink() {
  const [path = "", query = ""] = location.hash.split("?", 2);
  const params = new URLSearchParams(query);
  if (params.has("key") || params.has("operatorKey")) {
    setKeys({ key: params.get("key") ?? "", operatorKey: params.get("operatorKey") ?? "", remember: false });
    params.delete("key");
    params.delete("operatorKey");
    history.replaceState(null, "", params.size > 0 ? `${path}?${params}` : path);
  }
}

let afterG = false;

/** @param {KeyboardEvent} event */
function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    palette();
    return;
  }
  const target = event.target;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    || target instanceof HTMLSelectElement;
  if (typing || event.ctrlKey || event.metaKey || event.altKey || dialogIsOpen()) {
    return;
  }
  const name = Object.keys(routes)[Number(event.key) - 1];
  if (afterG && name) {
    location.hash = `#/${name}`;
  } else if (event.key === "?") {
    openHelp();
  } else if (event.key === "/") {
    const search = byId("main").querySelector("textarea, input:not([type=checkbox])");
    if (search instanceof HTMLElement) {
      event.preventDefault();
      search.focus();
    }
  } else if (shortcuts[event.key]) {
    shortcuts[event.key]?.();
  } else {
    press(event);
  }
  afterG = event.key === "g";
}

/**
 * Presses the button whose shortcut is the key: in the list item with the focus, or else the first.
 *
 * @param {KeyboardEvent} event
 */
function press(event) {
  const selector = `main [aria-keyshortcuts="${CSS.escape(event.key)}"]`;
  const button = document.activeElement?.closest("li")?.querySelector(selector) ?? document.querySelector(selector);
  if (button instanceof HTMLElement) {
    event.preventDefault(); // the key must not be typed into the dialog that opens
    button.click();
  }
}

async function start() {
  applyTheme();
  restore();
  const config = await loadConfig();
  if (config.keysInLink) {
    takeKeysOfLink();
  }
  frame();
  banner();
  onSessionChange(banner);
  addEventListener("storage", applyTheme); // another tab has chosen a theme
  addEventListener("hashchange", route);
  addEventListener("keydown", onKey);
  route();
}

start().catch((error) => fill(byId("main"), failure(error)));
