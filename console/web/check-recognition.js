// @ts-check
// What the rules say about a content: its type and canonical form, and whose status counts for it.
import { h } from "./dom.js";
import { grouped } from "./numbers.js";
import { badge } from "./parts.js";
import { assetText, checkLink, safeText } from "./safe-text.js";

/** @import { Cover, Explained } from "./rules.js" */
/** @import { components } from "./api-types.js" */
/** @typedef {components["schemas"]["CheckResponse"]} Checked */

/** @type {Record<string, string>} */
export const kinds = {
  EXACT: "the asset itself", URL: "a link to it", PAGE: "its page", DOMAIN: "its domain", ACCOUNT: "its account",
};

/**
 * @param {Explained} explained
 * @param {Checked} [checked] what the server says about the same content
 */
export function recognition(explained, checked) {
  if (explained.refused) {
    const { message, character } = explained.refused;
    return h("div", { class: "card stack" }, h("h2", {}, "Not recognized"), h("p", {}, safeText(message)),
      character
        && h("p", {}, "The first forbidden character is ", h("code", {}, character),
          character === "U+0020" && ", a space",
          character === "U+000A" && ", a new line. One content is checked at a time", "."),
      explained.refanged
        && h("p", { class: "line" }, "It means", assetText(explained.refanged), checkLink(explained.refanged)),
      explained.opens
        && [h("p", {}, "This is not an asset, but a browser opens it as a link: "),
          h("p", {}, assetText(explained.opens)), ...covers(explained, checked)],
      tried(explained));
  }
  return h("div", { class: "card stack" }, h("h2", {}, "Recognized"),
    h("dl", { class: "facts" },
      h("div", {}, h("dt", {}, "Type"), h("dd", {}, badge("TYPE", explained.type))),
      h("div", {}, h("dt", {}, "Canonical form"), h("dd", {}, assetText(explained.canonical))),
      explained.network && h("div", {}, h("dt", {}, "Network"), h("dd", {}, explained.network)),
      h("div", {}, h("dt", {}, "By the rule"), h("dd", {}, words(explained.rule ?? ""))),
      h("div", {}, h("dt", {}, "Rewritten"), h("dd", {}, explained.rewrites.length === 0 ? "nothing"
        : h("ul", { class: "plain" }, explained.rewrites.map((rewrite) => h("li", {}, words(rewrite))))))),
    covers(explained, checked),
    tried(explained));
}

/**
 * Returns the asset that decides, and folded behind it the others. As long as none decides, the
 * first one stands for them.
 *
 * @param {Explained} explained
 * @param {Checked} [checked]
 */
function covers({ covers: all }, checked) {
  const deciding = all.find(({ canonical }) => canonical === checked?.match?.content);
  const first = deciding ?? all[0];
  const others = all.filter((cover) => cover !== first);
  return [
    h("h3", {}, "Whose status counts"),
    first && h("ol", { class: "covers" },
      item(first, deciding && checked && badge(checked.status, `${checked.status.toLowerCase()}: this decides`))),
    others.length > 0
      && h("details", { class: "others" },
        h("summary", {}, `${grouped(others.length)} ${others.length === 1 ? "other" : "others"}`),
        h("p", { class: "hint" },
          "The first number that has an allowed or blocked asset decides. Blocked wins over allowed."),
        h("ol", { class: "covers" }, others.map((cover) => item(cover)))),
  ];
}

/**
 * @param {Cover} cover
 * @param {Node} [mark]
 */
function item({ canonical, step, effect, kind }, mark) {
  return h("li", { value: String(step + 1) }, assetText(canonical),
    h("span", { class: "muted" }, effect === "WITHHOLDS" ? "if blocked, its page does not allow this"
      : `${kinds[kind] ?? kind}${effect === "BLOCKS" ? ", which can only block" : ""}`), mark);
}

/** @param {Explained} explained */
function tried(explained) {
  return explained.tried.length > 0
    && h("details", {}, h("summary", {}, `Rules that were tried before (${explained.tried.length})`),
      h("ul", {}, explained.tried.map(({ rule, reason }) => h("li", {}, words(rule), reason && `: ${words(reason)}`))));
}

/**
 * Returns a name of the rules as words.
 *
 * @param {string} name
 */
function words(name) {
  const text = name.toLowerCase().replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
