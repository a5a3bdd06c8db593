// @ts-check
// The forms that add a list, and change one.
import { postOnce } from "./api.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { field, select } from "./parts.js";
import { reasonOptions } from "./reasons.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["List"]} List */

/** The formats of files, in words. @type {Record<components["schemas"]["ListFormat"], string>} */
export const formats = {
  domains: "Domains, one a line",
  hosts: "A hosts file",
  lines: "Links, accounts and addresses, one a line",
  adblock: "Filters of ad blockers",
  rpz: "A response policy zone (RPZ)",
  csv: "CSV with a header",
  jsonl: "JSON, an object a line",
  "eth-phishing-detect": "The configuration of eth-phishing-detect",
};

const look = { spellcheck: "false", autocomplete: "off" };

/**
 * Asks for a list and adds it.
 *
 * @param {(name: string) => void} added is called when the dialog is closed
 */
export function addList(added) {
  let name = "";
  ask({
    title: "Add a list", action: "Add",
    fields: [
      field("Name", h("input", { name: "name", autofocus: true, ...look }),
        "Everybody sees it with what the list blocks, such as: acme-feed. It cannot be changed."),
      ...describing({ format: "domains", status: "BLOCKED", reason: null, url: null, every: null },
        "Leave it empty for every hour."),
    ],
    act: async (form) => {
      const chosen = (/** @type {string} */ key) => /** @type {any} */ (textOf(form, key) || null);
      name = textOf(form, "name");
      await postOnce("/list/add", {
        name, format: chosen("format"), status: chosen("status"), reason: chosen("reason"),
        url: chosen("url"), every: chosen("every"),
      });
      return [];
    },
    done: () => added(name),
  });
}

/**
 * Asks what describes a list, and changes that. What others have changed meanwhile stays, unless it is changed here.
 *
 * @param {List} list
 * @param {() => void} changed is called when the dialog is closed
 */
export function changeList(list, changed) {
  ask({
    title: `Change ${list.name}`, action: "Change",
    about: h("span", {}, "What it holds changes with its next sync. A list with a URL is fetched at once."),
    fields: describing(list, "Leave it empty to keep it."),
    act: async (form) => {
      /** Returns a value unless it is that of the list. @param {keyof Described} key */
      const other = (key) => {
        const text = textOf(form, key);
        return /** @type {any} */ (text === (list[key] ?? "") ? null : text);
      };
      await postOnce("/list/update", {
        name: list.name, format: other("format"), status: other("status"), reason: other("reason"),
        url: other("url"), every: other("every") || null,
      });
      return [];
    },
    done: changed,
  });
}

/** @typedef {Pick<List, "format" | "status" | "reason" | "url" | "every">} Described */

/**
 * Returns the fields of what describes a list and can be changed.
 *
 * @param {Described} list
 * @param {string} withoutTime what an empty time does
 */
function describing({ format, status, reason, url, every }, withoutTime) {
  const reasons = reasonOptions().filter(([value]) => value !== "" || reason === null);
  return [
    field("Format of the files", select("format", format, Object.entries(formats))),
    field("Status of its entries", select("status", status, [["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"]])),
    field("Reason", select("reason", reason ?? "", reasons), "For everybody who may see the status"),
    field("URL (optional)", h("input", { name: "url", type: "url", value: url, ...look }),
      "The server fetches the file from there, now and again. Leave it empty to give it files yourself."),
    field("Fetch every (optional)", h("input", { name: "every", value: every, ...look }),
      `Such as 30m or 6h. ${withoutTime}`),
  ];
}

/**
 * @param {FormData} form
 * @param {string} name
 */
function textOf(form, name) {
  return String(form.get(name)).trim();
}
