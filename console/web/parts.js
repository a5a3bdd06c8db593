// @ts-check
// Parts that several views use.
import { ApiError } from "./api.js";
import { fill, h } from "./dom.js";
import { grouped } from "./numbers.js";

/** @typedef {{ title: string, element: HTMLElement, shortcuts?: Record<string, () => void> }} View */

/** @type {Record<string, string>} */
const spelled = { TODO: "to do" };

/**
 * Returns a value of an API in words.
 *
 * @param {string} value
 */
export function inWords(value) {
  return spelled[value] ?? value.replaceAll("_", " ").toLowerCase();
}

/**
 * Returns a value of an API. It is no class, because styles have classes with the same names.
 *
 * @param {string} value
 * @param {string} [label]
 */
export function badge(value, label = inWords(value)) {
  return h("span", { class: "badge", "data-value": value }, label);
}

/**
 * Returns a moment in UTC, to the minute. Its title is exact.
 *
 * @param {string | null} moment
 */
export function time(moment) {
  if (moment === null) {
    return h("span", { class: "muted" }, "unknown");
  }
  return h("time", { datetime: moment, title: exact(moment) }, exact(moment).slice(0, 16));
}

/**
 * Returns how long ago a moment was.
 *
 * @param {string} moment
 */
export function age(moment) {
  return h("time", { datetime: moment, title: exact(moment) }, ago(Date.now() - Date.parse(moment)));
}

/**
 * Returns for how long something has waited since a moment, as short as a row has room for.
 *
 * @param {string} moment
 */
export function waited(moment) {
  const hours = Math.floor((Date.now() - Date.parse(moment)) / 3_600_000);
  const text = hours < 1 ? "< 1 h" : hours < 48 ? `${hours} h` : `${grouped(Math.floor(hours / 24))} d`;
  return h("time", { datetime: moment, title: exact(moment), class: "age" }, text);
}

/** @param {string} moment */
function exact(moment) {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;
}

/** @param {number} milliseconds */
function ago(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  return minutes < 1 ? "just now"
    : hours < 1 ? `${minutes} min ago`
    : hours < 48 ? `${hours} h ago`
    : `${grouped(Math.floor(hours / 24))} days ago`;
}

/**
 * @param {string} heading
 * @param {string} advice
 * @param {...(Node | string)} more
 */
export function empty(heading, advice, ...more) {
  return h("div", { class: "empty" }, h("h2", {}, heading), h("p", {}, advice), more);
}

/**
 * Says how many assets stay allowed below one that was blocked.
 *
 * @param {{ exceptions: unknown[], moreExceptions: boolean }} answer
 */
export function stayAllowed({ exceptions: { length }, moreExceptions }) {
  if (moreExceptions) {
    return length > 0 ? ` ${length} or more assets below it stay allowed.` : " Assets below it may stay allowed.";
  }
  return length === 0 ? "" : ` ${length} ${length === 1 ? "asset below it stays" : "assets below it stay"} allowed.`;
}

/** Returns the outline of what will come. It shows itself only after half a second. */
export function waiting(text = "Loading …") {
  const lines = [h("i", {}), h("i", {}), h("i", {})];
  return h("div", { class: "waiting", role: "status" }, h("span", { class: "sr" }, text), lines);
}

/**
 * Shows on a button that its work is not done yet.
 *
 * @param {Element | null} button
 * @param {Promise<void>} work
 */
export async function working(button, work) {
  button?.setAttribute("aria-busy", "true");
  try {
    await work;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

/**
 * Returns what went wrong and what to do.
 *
 * @param {unknown} error
 * @param {() => void} [retry]
 */
export function failure(error, retry) {
  if (error instanceof ApiError && error.aboutKey) {
    return keyProblem(error);
  }
  const known = error instanceof ApiError;
  const away = known ? error.away : isUnreached(error);
  const text = known ? error.message : away ? "The server cannot be reached" : `The console failed: ${error}`;
  return h("div", { class: known && error.waits ? "notice info" : "notice error", role: "alert" },
    h("p", {}, h("strong", {}, text)),
    known && error.issues.length > 0 && h("ul", {}, error.issues.map((issue) => h("li", {}, issue))),
    away && h("p", {}, "See that it runs and that you are online, then try again."),
    retry && h("button", { type: "button", onclick: retry, "data-away": away }, "Try again"));
}

/**
 * Whether an error of the browser says that a response, or a part of the page itself, did not arrive.
 *
 * @param {unknown} error
 */
function isUnreached(error) {
  return error instanceof TypeError
    && /^(failed to fetch|network ?error|load failed|error loading|importing a module)/i.test(error.message);
}

/** @param {ApiError} error */
export function keyProblem(error) {
  const name = error.which === "key" ? "the key of your organization" : "your operator key";
  const text = error.message === "No key is set" ? `This needs ${name}.`
    : error.status === 401 ? `The server does not accept ${name}.`
      : `The server does not let you do this with ${name}.`;
  return h("div", { class: "notice key", role: "alert" }, h("p", {}, h("strong", {}, text)),
    error.status === 403 && h("p", {}, "It lacks a scope that this needs. An administrator can create a key with it."),
    h("p", {}, h("a", { href: "#/settings", class: "button" }, "Open Settings")));
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * Fills a place with the element that load returns. Until then it has its present content, or if
 * that must not stay, a sign of progress.
 *
 * @param {HTMLElement} place
 * @param {() => Promise<Node | Node[]>} load
 * @param {{ keep?: boolean, meanwhile?: Node }} [options] whether the present content stays until then, and
 *   otherwise what is there
 */
export async function show(place, load, { keep = false, meanwhile = waiting() } = {}) {
  const token = {};
  shown.set(place, token);
  place.setAttribute("aria-busy", "true");
  if (!keep) {
    fill(place, meanwhile);
  }
  let content;
  try {
    content = await load();
  } catch (error) {
    if (isAbort(error)) {
      return;
    }
    content = failure(error, () => void show(place, load, { meanwhile }));
  }
  if (shown.get(place) === token) {
    place.removeAttribute("aria-busy");
    fill(place, content);
  }
}

/** The latest load of each place: an earlier one that ends later is dropped. @type {WeakMap<HTMLElement, object>} */
const shown = new WeakMap();

/**
 * Returns the number that a card is about, large unless it is 0, and what follows it.
 *
 * @param {number} count
 * @param {...any} more
 */
export function total(count, ...more) {
  return h("p", { class: count === 0 ? "total none" : "total" }, h("strong", {}, grouped(count)), more);
}

/**
 * Returns the number of what fails, and what follows it.
 *
 * @param {number} count
 * @param {...any} more
 */
export function failing(count, ...more) {
  const element = total(count, ...more);
  element.firstElementChild?.classList.toggle("bad", count > 0);
  return element;
}

/**
 * Returns a line of a list of facts.
 *
 * @param {string} name
 * @param {...any} values
 */
export function fact(name, ...values) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, ...values));
}

let fields = 0;

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  control.id = `field-${++fields}`;
  if (hint) {
    control.setAttribute("aria-describedby", `${control.id}-hint`);
  }
  return h("div", { class: "field" },
    h("label", { for: control.id }, label),
    control,
    hint && h("p", { class: "hint", id: `${control.id}-hint` }, hint));
}

/**
 * @param {string} value
 * @param {[string, string][]} options values and labels
 * @param {string} name
 */
export function select(name, value, options) {
  return h("select", { name },
    options.map(([option, label]) => h("option", { value: option, selected: option === value }, label)));
}

/**
 * Returns a form of filters, which are parameters in the address of a view.
 *
 * @param {string} view the name of the view in the address
 * @param {HTMLElement[]} fields
 * @param {string} [look] that of the button
 */
export function filterForm(view, fields, look = "") {
  const form = h("form", { class: "filters" }, fields, h("button", { class: look }, "Filter"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const search = new URLSearchParams();
    new FormData(form).forEach((text, name) => text !== "" && search.set(name, String(text)));
    location.hash = `#/${view}?${search}`;
  });
  return form;
}
