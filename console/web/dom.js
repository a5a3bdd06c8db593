// @ts-check
// Elements without markup: text becomes text nodes, never HTML.
import { keepFocus } from "./focus.js";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Returns a new element. A property that starts with "on" is a listener, `class` and everything
 * else is an attribute. True sets an empty attribute; false, null and undefined set none.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  setProps(element, props);
  append(element, children);
  return element;
}

/**
 * Returns a new SVG element.
 *
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 */
export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setProps(element, props);
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, any>} props
 */
function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function append(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * Replaces the children of an element. The focus stays at the same control, or moves to the element.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  keepFocus(element, () => {
    element.replaceChildren();
    append(element, children);
  });
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) {
    throw new Error(`no element ${id}`);
  }
  return element;
}

/**
 * Tells screen readers a text.
 *
 * @param {string} text
 */
export function announce(text) {
  byId("live").textContent = text;
}
