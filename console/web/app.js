// @ts-check
// The frame of the page: navigation, routes in the fragment, and shortcuts.
import { addresses, loadConfig } from "./api.js";
import { closeDialogs, dialogIsOpen } from "./dialog.js";
import { announce, byId, fill, h } from "./dom.js";
import { focusHeading } from "./focus.js";
import { banner, keysOfLink, useKeys, who } from "./keys.js";
import { openHelp, openPalette } from "./palette.js";
import { empty, failure } from "./parts.js";
import { safeText } from "./safe-text.js";
import { applyTheme, onSessionChange, restore, setTheme } from "./session.js";

/** @import { View } from "./parts.js" */
/** @typedef {(params: URLSearchParams, signal: AbortSignal, from: string) => View} Open */

/** @typedef {{ label: string, about: string, load: () => Promise<Open> }} Route */

/**
 * The views by their names in the address, in the order of the navigation. Each is loaded when it is
 * opened for the first time.
 *
 * @type {Record<string, Route>}
 */
const routes = {
  overview: {
    label: "Overview", about: "What waits for a decision, and what has happened.",
    load: async () => (await import("./views/overview.js")).overviewView,
  },
  check: {
    label: "Check", about: "Is a link, an account or an address blocked or allowed, and why?",
    load: async () => (await import("./views/check.js")).checkView,
  },
  allowlist: {
    label: "Allowlist", about: "Tell the server what belongs to your organization, so that nobody takes it for a fake.",
    load: async () => (await import("./views/allowlist.js")).allowlistView,
  },
  changelog: {
    label: "Changelog",
    about: "Everything that was blocked, allowed or set back to unknown. Programs follow it to protect their users.",
    load: async () => (await import("./views/changelog.js")).changelogView,
  },
  disputes: {
    label: "Disputes",
    about: "Somebody says that something is blocked by mistake. Operators take the dispute up and decide.",
    load: async () => (await import("./views/disputes.js")).disputesView,
  },
  reports: {
    label: "Reports",
    about: "Organizations propose what should be blocked. An approved proposal changes the status at once.",
    load: async () => (await import("./views/reports.js")).reportsView,
  },
  lists: {
    label: "Lists",
    about: "They block or allow what the files of others, or your own, have. What operators decide counts more.",
    load: async () => (await import("./views/lists.js")).listsView,
  },
  webhooks: {
    label: "Webhooks",
    about: "Other programs that are told of each change of a status. A secret signs what they receive.",
    load: async () => (await import("./views/webhooks.js")).webhooksView,
  },
  keys: {
    label: "Keys", about: "Who and what may use the APIs, for whom, and until when.",
    load: async () => (await import("./views/keys.js")).keysView,
  },
  users: {
    label: "Users", about: "The people, programs and organizations that keys act for, and who administered what.",
    load: async () => (await import("./views/users.js")).usersView,
  },
  settings: {
    label: "Settings", about: "The keys and colors of this browser.",
    load: async () => (await import("./views/settings.js")).settingsView,
  },
};

/** @type {Record<string, () => void>} */
let shortcuts = {};
let leaving = new AbortController();

const links = Object.entries(routes).map(([name, { label }]) =>
  h("a", { href: `#/${name}`, "data-view": name }, label));

/** The view of an address that leads nowhere. @type {Route} */
const unknown = {
  label: "Unknown address", about: "",
  load: async () => () => ({
    title: "Unknown address",
    element: empty("Nothing is here", "No view has this address. Perhaps the link was cut off.",
      h("p", {}, h("code", {}, safeText(location.hash))),
      h("a", { class: "button", href: "#/overview" }, "Go to the overview")),
  }),
};

function frame() {
  const keys = h("div", {});
  fill(byId("top"),
    h("a", { class: "brand", href: "#/overview" },
      h("img", { src: "icon.svg", alt: "", width: 24, height: 24 }), "apguard"),
    h("nav", { "aria-label": "Views" }, links),
    keys,
    h("button", { type: "button", class: "command", onclick: palette, "aria-keyshortcuts": "Control+K Meta+K" },
      "Commands", h("kbd", {}, "Ctrl K")));
  const drawKeys = () => {
    banner();
    void who(keys);
  };
  drawKeys();
  onSessionChange(drawKeys);
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
async function route(event) {
  const offered = addresses().keysInLink ? keysOfLink() : undefined;
  const { name, query } = routeOf(location.hash);
  closeDialogs();
  if (offered) {
    useKeys(offered, () => void route().catch(failed));
  }
  shortcuts = {}; // until the next view is there
  leaving.abort();
  const { signal } = leaving = new AbortController();
  for (const link of links) {
    if (link.dataset["view"] === name) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else {
      link.removeAttribute("aria-current");
    }
  }
  const from = event ? new URL(event.oldURL).hash : "";
  const { load, about } = Object.hasOwn(routes, name) ? /** @type {Route} */ (routes[name]) : unknown;
  const open = await load();
  if (signal.aborted) {
    return; // another view is wanted meanwhile
  }
  const view = open(new URLSearchParams(query), signal, from);
  shortcuts = view.shortcuts ?? {};
  document.title = `${view.title} · apguard console`;
  const main = byId("main");
  const entered = main.dataset["view"] !== name;
  main.dataset["view"] = name;
  fill(main, h("h1", { tabindex: "-1" }, view.title), about !== "" && h("p", { class: "about" }, about), view.element);
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
  return { name: path === "" ? "overview" : path, query };
}

function palette() {
  openPalette([
    ...actions(),
    ...Object.entries(routes).map(([name, { label }], index) =>
      ({ label: `Go to ${label}`, keys: index < 10 ? `g ${index}` : "", run: () => { location.hash = `#/${name}`; } })),
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
  const name = /^\d$/.test(event.key) ? Object.keys(routes)[Number(event.key)] : undefined;
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
  await loadConfig();
  frame();
  addEventListener("storage", applyTheme); // another tab has chosen a theme
  addEventListener("hashchange", (event) => void route(event).catch(failed));
  addEventListener("keydown", onKey);
  // Where only a script has put the focus is shown to those who use the keyboard.
  addEventListener("keydown", () => { document.documentElement.dataset.keys = ""; }, { capture: true });
  addEventListener("pointerdown", () => { delete document.documentElement.dataset.keys; }, { capture: true });
  await route();
}

/** @param {unknown} error */
function failed(error) {
  fill(byId("main"), failure(error));
}

start().catch(failed);
