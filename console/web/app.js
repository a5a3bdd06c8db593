// @ts-check
// The frame of the page: navigation, routes in the fragment, and shortcuts.
import { addresses, loadConfig } from "./api.js";
import { closeDialogs, dialogIsOpen } from "./dialog.js";
import { announce, byId, fill, h } from "./dom.js";
import { focusHeading } from "./focus.js";
import { banner, keysOfLink, useKeys, who } from "./keys.js";
import { awaySince, followQueues, onConnection, onQueueChange, queuesNow } from "./live.js";
import { grouped } from "./numbers.js";
import { openHelp, openPalette } from "./palette.js";
import { empty, failure } from "./parts.js";
import { actsNow, followActs, onActs } from "./pending-acts.js";
import { isOwn, ownUser } from "./people.js";
import { safeText } from "./safe-text.js";
import { applyTheme, onSessionChange, restore, setTheme } from "./session.js";
import { applySingleKeys, everywhere, keyOf, keysOf, singleKeys } from "./shortcuts.js";
import { startSession } from "./sign-in.js";

/** @import { View } from "./parts.js" */
/** @import { Keys } from "./shortcuts.js" */
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

/** The views that the navigation does not have: links and the palette lead to them. @type {Record<string, Route>} */
const reached = {
  asset: {
    label: "Asset", about: "What is known of a name: its status and why, who decided what, and what waits.",
    load: async () => (await import("./views/asset.js")).assetView,
  },
};

/** @type {Record<string, () => void>} */
let shortcuts = {};
let leaving = new AbortController();

/** How much waits, by the view. On the overview, others wait for this operator. @type {Record<string, HTMLElement>} */
const counts = {
  overview: h("span", { class: "count" }),
  disputes: h("span", { class: "count" }),
  reports: h("span", { class: "count" }),
};

const links = Object.entries(routes).map(([name, { label }]) =>
  h("a", { href: `#/${name}`, "data-view": name }, label, ...(counts[name] ? [" ", counts[name]] : [])));

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

/** Says in the navigation how much waits. */
function showCounts() {
  const now = queuesNow();
  const say = (/** @type {string} */ name, /** @type {number | undefined} */ count) =>
    counts[name]?.replaceChildren(count === undefined ? "" : grouped(count));
  say("disputes", now && now.disputes.open + now.disputes.underReview);
  say("reports", now && now.reports.todo + now.reports.inProgress);
}

/** Says in the navigation how many requests of other operators wait for an answer. */
async function showRequests() {
  const own = await ownUser().catch(() => null);
  const { length } = actsNow().filter(({ actor }) => own !== null && !isOwn(actor.id));
  counts["overview"]?.replaceChildren(length > 0 ? grouped(length) : "");
}

const connection = h("div", { class: "connection", role: "status" });

/** Says since when there is no connection. When there is one again, it tries what has failed meanwhile. */
function showConnection() {
  const since = awaySince();
  fill(connection, since !== "" && h("span", { class: "chip warn" }, "No connection since ",
    h("time", { datetime: since }, since.slice(11, 16))));
  if (since === "") {
    document.querySelectorAll("button[data-away]").forEach((button) =>
      button instanceof HTMLElement && button.click());
  }
}

function frame() {
  const keys = h("div", {});
  fill(byId("top"),
    h("a", { class: "brand", href: "#/overview" },
      h("img", { src: "icon.svg", alt: "", width: 24, height: 24 }), "apguard"),
    h("button", { type: "button", class: "command views", popovertarget: "views" }, "Views"),
    h("nav", { id: "views", popover: "", "aria-label": "Views" }, links), // a popover only where the window is narrow
    connection,
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
  byId("views").hidePopover();
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
  const views = { ...routes, ...reached };
  const { load, about } = Object.hasOwn(views, name) ? /** @type {Route} */ (views[name]) : unknown;
  const [open] = await Promise.all([load(), offered && useKeys(offered, () => void route().catch(failed))]);
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
      ({ label: `Go to ${label}`, keys: wayTo(index), run: () => { location.hash = `#/${name}`; } })),
    ...Object.entries(keysOf(viewNow())).flatMap(([keys, label]) => {
      const run = shortcuts[keys];
      return run ? [{ label, keys, run }] : [];
    }),
    ...[
      ["light", "Light colors"], ["dark", "Dark colors"], ["system", "Colors of the system"],
    ].map(([name = "", label = ""]) => ({ label, run: () => setTheme(name) })),
    { label: "Show shortcuts", keys: "?", run: help },
  ]);
}

/** Returns the keys that lead to a view. @param {number} index */
function wayTo(index) {
  return index < 10 ? `g ${index}` : "";
}

/** Returns the name of the view that is shown. */
function viewNow() {
  return byId("main").dataset["view"];
}

/** Lists the shortcuts of the view, and those that work everywhere. */
function help() {
  const own = keysOf(viewNow());
  const ways = Object.values(routes).map(({ label }, index) => [wayTo(index), label]).filter(([keys]) => keys !== "");
  openHelp([
    ...Object.keys(own).length > 0 ? [/** @type {[string, Keys]} */ ([routes[viewNow() ?? ""]?.label, own])] : [],
    ["Everywhere", everywhere], ["Go to", Object.fromEntries(ways)],
  ]);
}

/**
 * Returns a command for each button of the view that acts on what is shown. Of several proposals, only the one that
 * keys decide has commands.
 */
function actions() {
  const other = byId("main").querySelector(".proposal[aria-current]") ? ".proposal:not([aria-current])" : ":not(*)";
  return [
    .../** @type {NodeListOf<HTMLButtonElement>} */ (byId("main").querySelectorAll(".actions button, .toolbar button")),
  ]
    .filter((button) => button.checkVisibility() && !button.closest("[inert]") && !button.closest(other))
    .map((button) => ({
      label: button.getAttribute("aria-label") ?? button.firstChild?.textContent ?? "",
      keys: button.getAttribute("aria-keyshortcuts") ?? "",
      run: () => button.click(),
    }));
}

let afterG = false;
/** What is typed this soon after a letter that did nothing is a text as well, and no command. In milliseconds. */
const betweenLetters = 1000;
/** When the last letter did nothing. */
let textAt = -betweenLetters;

/** @param {KeyboardEvent} event */
function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && keyOf(event).toLowerCase() === "k") {
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
  if (!singleKeys()) {
    return;
  }
  const key = keyOf(event);
  if (isText(event, key) || !command(event, key) && key.length === 1) {
    textAt = event.timeStamp;
  }
}

/**
 * Returns whether a key is part of a text for a field that is not there: it is typed in a question that has none, or
 * right after a letter that did nothing, because what it was for was not shown yet.
 *
 * @param {KeyboardEvent} event
 * @param {string} key
 */
function isText(event, key) {
  const follows = event.timeStamp - textAt < betweenLetters;
  if (key === " " && follows) {
    event.preventDefault(); // it presses no button either
  }
  return key.length === 1 && (follows || key !== " " && document.activeElement?.closest(".decision") != null);
}

/**
 * Executes what a key is for in the view, and returns whether it is for anything.
 *
 * @param {KeyboardEvent} event
 * @param {string} key
 */
function command(event, key) {
  const name = /^\d$/.test(key) ? Object.keys(routes)[Number(key)] : undefined;
  const led = afterG && name !== undefined;
  afterG = key === "g";
  if (led) {
    location.hash = `#/${name}`;
  } else if (key === "?") {
    help();
  } else if (key === "/") {
    const search = byId("main").querySelector("textarea, input:not([type=checkbox])");
    if (search instanceof HTMLElement) {
      event.preventDefault();
      search.focus();
    }
  } else if (!Object.hasOwn(keysOf(viewNow()), key)) { // so none works that the list of shortcuts lacks
    return afterG || key === " ";
  } else if (shortcuts[key]) {
    shortcuts[key]();
  } else {
    return press(event, key);
  }
  return true;
}

/**
 * Presses the button whose shortcut is the key, in the list item with the focus, or else the first, and returns whether
 * there is one.
 *
 * @param {KeyboardEvent} event
 * @param {string} key
 */
function press(event, key) {
  const selector = `main [aria-keyshortcuts="${CSS.escape(key)}"]:not([inert] *)`;
  const button = document.activeElement?.closest("li")?.querySelector(selector) ?? document.querySelector(selector);
  if (button instanceof HTMLElement) {
    event.preventDefault(); // the key must not be typed into the dialog that opens
    button.click();
  }
  return button instanceof HTMLElement;
}

async function start() {
  applyTheme();
  applySingleKeys();
  const { signIn } = await loadConfig();
  if (signIn === "") {
    restore();
  } else {
    await startSession();
  }
  frame();
  onQueueChange("disputes", showCounts);
  onQueueChange("reports", showCounts);
  onActs(() => void showRequests());
  onSessionChange(() => void showRequests());
  onConnection(showConnection);
  followActs();
  followQueues();
  addEventListener("storage", applyTheme); // another tab has chosen a theme
  addEventListener("hashchange", (event) => void route(event).catch(failed));
  addEventListener("keydown", onKey);
  // Where only a script has put the focus is shown to those who use the keyboard.
  addEventListener("keydown", () => { document.documentElement.dataset.keys = ""; }, { capture: true });
  addEventListener("pointerdown", () => { delete document.documentElement.dataset.keys; }, { capture: true });
  await route().catch(failed);
}

/** @param {unknown} error */
function failed(error) {
  fill(byId("main"), failure(error, () => void route().catch(failed)));
}

start().catch((error) => fill(byId("main"), failure(error, () => location.reload())));
