// @ts-check
import { addTab, listInProgress } from "../allowlist-add.js";
import { entriesTab } from "../allowlist-entries.js";
import { h } from "../dom.js";
import { tabs } from "../tabs.js";

/** @import { View } from "../parts.js" */

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function allowlistView(params, signal) {
  const adds = params.has("tab") ? params.get("tab") === "add" : listInProgress();
  const href = (/** @type {string} */ tab) => `#/allowlist?tab=${tab}`;
  const element = h("div", { class: "stack" },
    tabs("Parts of the allowlist", [
      { href: href("entries"), label: "Entries", current: !adds },
      { href: href("add"), label: "Add", current: adds },
    ]).element,
    adds ? addTab(signal) : entriesTab(params, signal));
  const go = (/** @type {string} */ tab) => () => { location.hash = href(tab); };
  return { title: "Allowlist", element, shortcuts: { e: go("entries"), n: go("add") } };
}
