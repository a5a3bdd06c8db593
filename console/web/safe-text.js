// @ts-check
// Shows text of strangers. What cannot be seen is shown as a code point, the direction of the text
// does not leave its element, nothing becomes a link, and long text is clipped until asked for.
import { fill, h } from "./dom.js";
import { grouped } from "./numbers.js";
import { rules } from "./workers.js";

const hidden = new RegExp(
  "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\u00a0\\u034f\\u115f\\u1160\\u2000-\\u200a"
    + "\\u202f\\u205f\\u2800\\u3000\\u3164\\uffa0]|[\\ud800-\\udfff]", "gu");
const anyHidden = new RegExp(hidden.source, "u");
const punycode = /(^|[./@])xn--/i;
const scripts = ["Latin", "Cyrillic", "Greek", "Han", "Arabic", "Hebrew", "Armenian"]
  .map((script) => new RegExp(`\\p{Script=${script}}`, "u"));
const ascii = /^[ -~]*$/;
const clipAt = 300;

/**
 * Returns an element with the text. With `lines`, line breaks stay line breaks.
 *
 * @param {string} text
 * @param {{ lines?: boolean, clip?: number, tag?: "bdi" | "p" }} [options]
 */
export function safeText(text, { lines = false, clip = clipAt, tag = "bdi" } = {}) {
  const element = h(tag, { class: lines ? "text lines" : "text", dir: "auto" });
  const shown = [...text.slice(0, clip * 2)].slice(0, clip).join("");
  element.append(...pieces(shown, lines));
  if (shown.length < text.length) {
    const button = h("button", { type: "button", class: "link", "aria-expanded": "false" },
      `Show all ${grouped(text.length)} characters`);
    button.addEventListener("click", () => {
      fill(element, pieces(text, lines));
    });
    element.append("… ", button);
  }
  return element;
}

/**
 * @param {string} text
 * @param {boolean} lines
 * @returns {(Node | string)[]}
 */
function pieces(text, lines) {
  if (ascii.test(text)) {
    return [text]; // most texts of a long list
  }
  const found = [];
  let end = 0;
  for (const match of text.matchAll(hidden)) {
    if (lines && match[0] === "\n") {
      continue;
    }
    found.push(text.slice(end, match.index), codePoint(match[0]));
    end = match.index + match[0].length;
  }
  found.push(text.slice(end));
  return found;
}

/** @param {string} character */
function codePoint(character) {
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return h("span", { class: "chip hidden-character", title: "A character that cannot be seen" }, name);
}

/**
 * Returns what is suspicious about how a text looks, for marks beside it.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function suspicions(text) {
  const found = [];
  const plain = ascii.test(text);
  if (!plain && anyHidden.test(text)) {
    found.push("hidden characters");
  }
  if (punycode.test(text)) {
    found.push("punycode");
  }
  if (!plain && scripts.filter((script) => script.test(text)).length > 1) {
    found.push("mixed scripts");
  }
  return found;
}

/**
 * Returns the marks of a content. What its letters look like follows when the rules have said it.
 *
 * @param {string} content
 */
function marks(content) {
  const found = suspicions(content);
  const chips = found.map((mark) => h("span", { class: "chip warn" }, mark));
  if (found.includes("punycode") || found.includes("mixed scripts")) {
    const alike = h("span", { class: "chip warn", hidden: true });
    rules.explain(content).then(({ looksLike }) => {
      if (looksLike !== undefined) {
        fill(alike, "looks like ", clipped(looksLike));
        alike.hidden = false;
      }
    }, () => {}); // a failure of the rules is shown where they decide something
    chips.push(alike);
  }
  return chips;
}

const rowClip = 120;

/**
 * Returns the beginning of a text for a row or a button, which have no place for a button that shows the rest.
 *
 * @param {string} text
 * @param {number} [clip]
 */
export function clipped(text, clip = rowClip) {
  const shown = [...text.slice(0, clip * 2)].slice(0, clip).join("");
  const element = safeText(shown, { clip });
  if (shown.length < text.length) {
    element.append("…");
  }
  return element;
}

/**
 * Returns the beginning of a content for a row of a list. checkLink leads to all of it.
 *
 * @param {string} content
 */
export function rowText(content) {
  return h("span", { class: "asset" }, clipped(content), marks(content));
}

/** A host of letters that nothing hides in, and what follows it. */
const plainHost = /^([\w.-]+)([/:][!-~]*)?$/;
/** How many characters the end of a host has that is cut last: whole labels, or else the usual number. */
const tails = { least: 12, usual: 18, most: 20 };

/**
 * Returns a content for a narrow place, without the scheme of a link that every reader adds. The end of a host, which
 * says whose it is, is cut last.
 *
 * @param {string} content
 */
export function shortText(content) {
  const short = content.replace(/^https?:\/\//i, "");
  const [, host = "", path = ""] = plainHost.exec(short.slice(0, rowClip)) ?? [];
  const cut = tailAt(host);
  const element = cut <= 0 ? rowText(short)
    : h("span", { class: "asset" }, h("span", { class: "sr" }, short),
      h("span", { class: "text split", "aria-hidden": "true" }, h("span", {}, host.slice(0, cut)),
        h("span", { class: "tail" }, host.slice(cut)), h("span", { class: "path" }, path)), marks(content));
  element.title = content;
  return element;
}

/**
 * Returns where the end of a host begins, which may be before the host.
 *
 * @param {string} host
 */
function tailAt(host) {
  const { least, usual, most } = tails;
  const dots = [...host.matchAll(/\./g)].map(({ index }) => index);
  return dots.find((at) => host.length - at >= least && host.length - at <= most) ?? host.length - usual;
}

/**
 * Returns the address of the view that checks a content, never of the content.
 *
 * @param {string} content
 */
export function checkAddress(content) {
  return `#/check?${new URLSearchParams({ content })}`;
}

/** @param {string} content */
export function checkLink(content) {
  return h("a", { href: checkAddress(content) }, "Check");
}

/**
 * Returns a content with marks for what is suspicious about it.
 *
 * @param {string} content
 */
export function assetText(content) {
  return h("span", { class: "asset" }, safeText(content), marks(content));
}
