// @ts-check
// The form that adds a list.
import { postOnce } from "./api.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { field, select } from "./parts.js";
import { reasonOptions } from "./reasons.js";

/** @import { components } from "./operator-types.js" */

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

/**
 * Asks for a list and adds it.
 *
 * @param {(name: string) => void} added is called when the dialog is closed
 */
export function addList(added) {
  let name = "";
  const look = { spellcheck: "false", autocomplete: "off" };
  ask({
    title: "Add a list", action: "Add",
    fields: [
      field("Name", h("input", { name: "name", autofocus: true, ...look }),
        "Everybody sees it with what the list blocks, such as: acme-feed. It cannot be changed."),
      field("Format of the files", select("format", "domains", Object.entries(formats))),
      field("Status of its entries", select("status", "BLOCKED", [["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"]])),
      field("Reason", select("reason", "", reasonOptions()), "For everybody who may see the status"),
      field("URL (optional)", h("input", { name: "url", type: "url", ...look }),
        "The server fetches the file from there, now and again. Leave it empty to give it files yourself."),
      field("Fetch every (optional)", h("input", { name: "every", ...look }),
        "Such as 30m or 6h. Leave it empty for every hour."),
    ],
    act: async (form) => {
      const text = (/** @type {string} */ key) => String(form.get(key)).trim();
      const chosen = (/** @type {string} */ key) => /** @type {any} */ (text(key) || null);
      await postOnce("/list/add", {
        name: text("name"), format: chosen("format"), status: chosen("status"), reason: chosen("reason"),
        url: chosen("url"), every: chosen("every"),
      });
      name = text("name");
      return [];
    },
    done: () => added(name),
  });
}
