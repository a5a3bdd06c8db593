// @ts-check
// Keeps the keyboard's focus when a part of the page is replaced.

const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";

/** The control that a place will have again when its content has loaded. @type {WeakMap<Element, string>} */
const awaited = new WeakMap();

/**
 * Replaces the content of a place. If the focus was in it, it moves to the same control of the new
 * content. If there is none, it moves to the place, and while that is busy, the control is awaited.
 *
 * @param {Element} place
 * @param {() => void} replace
 */
export function keepFocus(place, replace) {
  const active = document.activeElement;
  const control = active === place
    ? awaited.get(place)
    : active && place.contains(active)
    ? identity(active)
    : undefined;
  replace();
  if (control !== undefined) {
    focusIn(place, control);
  }
}

/**
 * Returns a function that brings the focus back to the element that has it now. If that is no
 * longer on the page, it brings the focus to what took its place.
 *
 * @returns {() => void}
 */
export function rememberFocus() {
  const control = document.activeElement;
  if (!control || control === document.body) {
    return focusHeading;
  }
  const name = identity(control);
  /** @type {Element[]} */
  const around = [];
  for (let element = control.parentElement; element; element = element.parentElement) {
    around.push(element);
  }
  return () => {
    const place = around.find((element) => element.isConnected);
    if (control.isConnected && control instanceof HTMLElement) {
      control.focus();
    } else if (place) {
      focusIn(place, name);
    }
  };
}

/** Moves the focus to the heading of the view. */
export function focusHeading() {
  document.querySelector("h1")?.focus({ preventScroll: true });
}

/**
 * @param {Element} place
 * @param {string} control
 */
function focusIn(place, control) {
  awaited.delete(place);
  const same = [...place.querySelectorAll(focusable)].find((element) => identity(element) === control);
  if (same instanceof HTMLElement) {
    same.focus({ preventScroll: true });
    return;
  }
  if (place.getAttribute("aria-busy") === "true") {
    awaited.set(place, control);
  }
  focusPlace(place);
}

/** @param {Element} place */
function focusPlace(place) {
  if (!place.matches(focusable)) {
    place.setAttribute("tabindex", "-1");
  }
  if (place instanceof HTMLElement) {
    place.focus({ preventScroll: true });
  }
  if (document.activeElement !== place) {
    focusHeading();
  }
}

/**
 * Returns what a control has in common with the one that replaces it.
 *
 * @param {Element} element
 */
function identity(element) {
  const name = ["data-id", "data-key", "name", "aria-label"].map((attribute) => element.getAttribute(attribute))
    .find(Boolean);
  return `${element.tagName} ${name ?? element.textContent}`;
}
