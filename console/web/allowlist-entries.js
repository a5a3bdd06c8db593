// @ts-check
// The tab with what is on the allowlist: search, filters, and removal.
import { get, newKey, post } from "./api.js";
import { rules } from "./workers.js";
import { ask } from "./dialog.js";
import { announce, fill, h } from "./dom.js";
import { grouped } from "./numbers.js";
import { badge, empty, failure, field, isAbort, select, time, waiting, working } from "./parts.js";
import { checkLink, clipped, rowText, safeText } from "./safe-text.js";

/** @import { components } from "./api-types.js" */
/** @typedef {components["schemas"]["Entry"]} Entry */

/** The milliseconds without a key after which the server is asked. */
const pauseOfTyping = 250;
const pageSize = 100;

/** The names of the filters in the address, which are those of the API. */
const filters = ["prefix", "status", "groupId"];

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 */
export function entriesTab(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const search = h("input", {
    name: "prefix", type: "search", value: value("prefix"), spellcheck: "false", autocomplete: "off",
  });
  const status = select("status", value("status"),
    [["", "Any"], ["ALLOWED", "Allowed"], ["BLOCKED", "Blocked"], ["UNKNOWN", "Unknown"]]);
  const group = select("groupId", value("groupId"), [["", "Any"]]);
  const toolbar = h("div", { class: "toolbar" });
  const rows = h("tbody", {});
  const table = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Entries" },
    h("table", {},
      h("thead", {}, h("tr", {}, ["Select", "Asset", "Status", "Name", "Group", "Added", "Expires", "Actions"]
        .map((column) => h("th", { scope: "col" }, column)))),
      rows));
  const below = h("div", {});
  /** The entries that are shown, with their rows. @type {Map<Entry, HTMLElement>} */
  const entries = new Map();
  /** @type {Set<number>} */
  const selected = new Set();
  /** @type {Set<number>} */
  const groups = new Set();
  /** The latest load: an earlier one that ends later is dropped. */
  let latest = {};
  /** @type {number | null} */
  let nextCursor = null;

  /** @param {number | null} cursor */
  async function read(cursor) {
    return get("/organization/assets", /** @type {any} */ ({
      prefix: await canonical(value("prefix")), status: value("status"), groupId: value("groupId"),
      limit: pageSize, cursor,
    }), signal);
  }

  /** @param {number | null} cursor */
  async function load(cursor) {
    const token = latest = {};
    if (cursor === null) {
      fill(below, waiting());
    }
    try {
      let page = await read(cursor);
      while (page.assets.length === 0 && page.nextCursor !== null && token === latest) {
        page = await read(page.nextCursor); // the server examines a part of a long list for each page
      }
      if (token === latest) {
        if (cursor === null) {
          entries.clear();
          fill(rows);
        }
        page.assets.forEach(append);
        nextCursor = page.nextCursor;
        draw();
        announce(`${grouped(entries.size)} entries`);
      }
    } catch (error) {
      if (token === latest && !isAbort(error)) {
        fill(below, failure(error, () => void load(cursor)));
      }
    }
  }

  function foot() {
    const next = nextCursor;
    if (entries.size === 0 && next === null) {
      return filters.some(value) ? nothingFound() : empty("The allowlist is empty",
        "Nothing of your organization is allowed yet. What you add becomes allowed for everyone.",
        h("a", { class: "button primary", href: "#/allowlist?tab=add" }, "Add the first entries"));
    }
    const press = (/** @type {MouseEvent} */ { currentTarget }) =>
      void working(/** @type {Element} */ (currentTarget), load(next));
    return h("div", { class: "toolbar" },
      h("span", { class: "muted" }, `${grouped(entries.size)} ${entries.size === 1 ? "entry" : "entries"}`
        + (next === null ? "." : " are shown, and there are more.")),
      next !== null && h("button", { type: "button", onclick: press }, "Load more"));
  }

  function nothingFound() {
    const typed = value("prefix");
    const advice = "No entry matches. The search compares the beginning, as the list shows it.";
    if (typed === "" || typed.includes("://")) {
      return empty("No entries", advice);
    }
    const link = `https://${typed}`;
    return empty("No entries", advice,
      h("button", { type: "button", onclick: () => { search.value = link; filter(); } },
        "Search for links: ", clipped(link, 60)));
  }

  /** @param {Entry} entry */
  function append(entry) {
    const { groupId } = entry;
    const element = row(entry);
    entries.set(entry, element);
    rows.append(element);
    if (groupId !== null && !groups.has(groupId)) {
      groups.add(groupId);
      group.append(h("option", { value: groupId }, groupName(groupId)));
    }
  }

  function draw() {
    table.hidden = entries.size === 0;
    drawToolbar();
    fill(below, foot());
  }

  function drawToolbar() {
    const chosen = [...entries.keys()].filter(({ id }) => selected.has(id));
    fill(toolbar, chosen.length > 0
      && h("button", { type: "button", onclick: () => remove(chosen) }, `Remove ${grouped(chosen.length)} selected`));
  }

  /** @param {Entry} entry */
  function row(entry) {
    const { id, content, name, groupId, addedAt, expiresAt } = entry;
    const short = content.slice(0, 60);
    const box = h("input", {
      type: "checkbox", checked: selected.has(id), "aria-label": `Select ${short}`, "data-id": `select-${id}`,
    });
    box.addEventListener("change", () => {
      selected[box.checked ? "add" : "delete"](id);
      drawToolbar();
    });
    const button = h("button", {
      type: "button", "aria-label": `Remove ${short}`, "data-id": `remove-${id}`, onclick: () => remove([entry]),
    }, "Remove");
    // A label is for narrow windows, which have no head of columns.
    return h("tr", {},
      h("td", {}, box),
      h("td", {}, h("span", { class: "line" }, rowText(content), checkLink(content))),
      h("td", {}, badge(entry.status)),
      h("td", { "data-label": "Name:" }, name !== null && safeText(name, { clip: 60 })),
      h("td", {}, groupId !== null && groupName(groupId)),
      h("td", { "data-label": "Added" }, time(addedAt)),
      h("td", { "data-label": "Expires" }, expiresAt !== null && time(expiresAt)),
      h("td", {}, button));
  }

  /** @param {Entry[]} gone */
  function remove(gone) {
    const idempotencyKey = newKey();
    const [first] = gone;
    const many = `${grouped(gone.length)} entries`;
    ask({
      title: gone.length === 1 ? "Remove from the allowlist?" : `Remove ${many} from the allowlist?`,
      ...(gone.length === 1 && first ? { about: rowText(first.content) } : {}),
      fields: [h("p", {}, "Other allowlists and operators then give the status, and otherwise it is unknown.")],
      action: gone.length === 1 ? "Remove" : `Remove ${many}`,
      act: async () => {
        const body = { ids: gone.map(({ id }) => id) };
        const { results } = await post("/organization/assets/remove", body, { idempotencyKey });
        const failed = results.flatMap((result) => (result.success ? [] : [result.error]));
        for (const entry of gone) {
          entries.get(entry)?.remove();
          entries.delete(entry);
          selected.delete(entry.id);
        }
        draw();
        announce(`${grouped(results.length - failed.length)} removed.`);
        return [];
      },
    });
  }

  function filter() {
    for (const [name, control] of Object.entries({ prefix: search, status, groupId: group })) {
      if (control.value.trim() === "") {
        params.delete(name);
      } else {
        params.set(name, control.value.trim());
      }
    }
    params.set("tab", "entries");
    history.replaceState(null, "", `#/allowlist?${params}`);
    void load(null);
  }

  let typing = 0;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => signal.aborted || filter(), pauseOfTyping);
  });
  status.addEventListener("change", filter);
  group.addEventListener("change", filter);
  if (value("groupId") !== "") {
    groups.add(Number(value("groupId")));
    group.append(h("option", { value: value("groupId"), selected: true }, groupName(Number(value("groupId")))));
  }
  table.hidden = true;
  void load(null);
  return h("section", { class: "stack", "aria-label": "Entries of the allowlist" },
    h("div", { class: "card filters search" },
      field("Begins with", search), field("Status", status), field("Group", group)),
    toolbar, table, below);
}

/**
 * Returns what a group is called. No operation has the names of groups.
 *
 * @param {number} id
 */
function groupName(id) {
  return `Group ${id}`;
}

/**
 * Returns a text as the list has it, if it is an asset in another spelling.
 *
 * @param {string} text
 */
async function canonical(text) {
  const [found] = text === "" ? [] : await rules.classify([text]);
  return found?.canonical ?? text;
}
