// @ts-check
import { ApiError, operatorGet, operatorPost } from "../api.js";
import { rules } from "../core.js";
import { ask } from "../dialog.js";
import { announce, h } from "../dom.js";
import { badge, field, filterForm, select, time } from "../parts.js";
import { queue } from "../queue.js";
import { assetText, safeText } from "../safe-text.js";

/** @import { View } from "../parts.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["Dispute"]} Dispute */
/** @typedef {Dispute["state"]} State */

/**
 * A transition of a dispute.
 *
 * @typedef {object} Transition
 * @property {string} label
 * @property {string} [shortcut]
 * @property {`/dispute/${"startReview" | "release" | "withdraw" | "reopen" | "resolve"}`} path
 */

/**
 * @param {State} from
 * @param {State} to
 * @returns {Transition}
 */
function transition(from, to) {
  switch (to) {
    case "UNDER_REVIEW": return { label: "Take up", shortcut: "t", path: "/dispute/startReview" };
    case "ACCEPTED": return { label: "Accept", shortcut: "a", path: "/dispute/resolve" };
    case "REJECTED": return { label: "Reject", shortcut: "r", path: "/dispute/resolve" };
    case "WITHDRAWN": return { label: "Withdraw", path: "/dispute/withdraw" };
    default: return from === "UNDER_REVIEW"
      ? { label: "Release", path: "/dispute/release" }
      : { label: "Reopen", path: "/dispute/reopen" };
  }
}

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function disputesView(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const filters = filterForm("disputes", [
    field("State",
      select("states", value("states"), [
        ["", "All"], ["OPEN,UNDER_REVIEW", "Undecided"], ["OPEN", "Open"], ["UNDER_REVIEW", "Under review"],
        ["ACCEPTED", "Accepted"], ["REJECTED", "Rejected"], ["WITHDRAWN", "Withdrawn"],
      ])),
    field("Order", select("oldestFirst", value("oldestFirst"), [["", "Newest first"], ["true", "Oldest first"]])),
    field("Content", h("input", { name: "content", value: value("content"), spellcheck: "false" })),
    field("E-mail", h("input", { name: "email", value: value("email"), spellcheck: "false" })),
  ]);
  const { element, shortcuts } = queue({
    view: "disputes", params, filters,
    load: async (cursor) => {
      const query = /** @type {any} */ ({
        states: value("states"), oldestFirst: value("oldestFirst"), content: value("content"), email: value("email"),
        cursor,
      });
      const { disputes, nextCursor } = await operatorGet("/dispute/list", query, signal);
      return { items: disputes, nextCursor };
    },
    item: (dispute) => [
      h("span", { class: "line" }, badge(dispute.state), time(dispute.createdAt)), assetText(dispute.content),
      h("span", { class: "muted" }, safeText(dispute.email)),
    ],
    detail: async (id, _place, refresh) => {
      const dispute = await operatorGet("/dispute/get", { id }, signal);
      return detail(dispute, await rules.transitions(dispute.state), refresh);
    },
  });
  return { title: "Disputes", element, shortcuts };
}

/** What to say above the next detail: the result of the last action. */
let notice = "";

/**
 * @param {Dispute} dispute
 * @param {State[]} next
 * @param {() => void} refresh
 */
function detail(dispute, next, refresh) {
  const said = notice;
  notice = "";
  return h("article", { class: "card stack" },
    said !== "" && h("p", { class: "notice info", role: "status" }, said),
    h("h2", {}, `Dispute #${dispute.id} `, badge(dispute.state)),
    h("dl", { class: "facts" },
      h("div", {}, h("dt", {}, "Content"), h("dd", {}, assetText(dispute.content))),
      h("div", {}, h("dt", {}, "From"), h("dd", {}, safeText(dispute.email))),
      h("div", {}, h("dt", {}, "Created"), h("dd", {}, time(dispute.createdAt), " UTC")),
      h("div", {}, h("dt", {}, "Asset"),
        h("dd", {}, h("a", { href: `#/check?${new URLSearchParams({ content: dispute.content })}` }, "Check it")))),
    dispute.description === ""
      ? h("p", { class: "muted" }, "No description.")
      : safeText(dispute.description, { lines: true, clip: 4000, tag: "p" }),
    h("div", { class: "actions" },
      next.map((to) => action(transition(dispute.state, to), to === "ACCEPTED" ? "primary" : "",
        () => decide(dispute, to, refresh))),
      action({ label: "Comment", shortcut: "c" }, "", () => comment(dispute, refresh))),
    h("h3", {}, "Notes"),
    dispute.notes.length === 0 ? h("p", { class: "muted" }, "No notes yet.")
      : h("ol", { class: "timeline notes" },
        dispute.notes.map((note) => h("li", {},
          h("span", { class: "line" }, time(note.createdAt),
            note.state ? badge(note.state) : badge("TYPE", note.kind.toLowerCase().replaceAll("_", " ")),
            note.author !== null && h("span", { class: "muted" }, `user ${note.author}`)),
        note.text !== "" && safeText(note.text, { lines: true, clip: 4000, tag: "p" })))));
}

/**
 * @param {{ label: string, shortcut?: string }} name
 * @param {string} look
 * @param {() => void} act
 */
function action({ label, shortcut }, look, act) {
  return h("button", { type: "button", class: look, "aria-keyshortcuts": shortcut, onclick: act },
    label, shortcut && h("kbd", { "aria-hidden": "true" }, shortcut));
}

/**
 * @param {Dispute} dispute
 * @param {State} to
 * @param {() => void} refresh
 */
function decide(dispute, to, refresh) {
  const { label, path } = transition(dispute.state, to);
  const decides = path === "/dispute/resolve";
  const reason = h("textarea", { name: "reason", rows: 4, autofocus: true });
  const fields = [field(decides ? "Reason" : "Reason (optional)", reason)];
  if (to === "ACCEPTED") {
    fields.unshift(field("New status of the asset",
      select("assetStatus", "UNKNOWN",
        [["UNKNOWN", "Unknown: its domain and the external lists decide"], ["ALLOWED", "Allowed"]])));
  }
  ask({
    title: `${label} dispute #${dispute.id}`, about: assetText(dispute.content), fields, action: label,
    act: (form) => {
      /** @type {any} */
      const body = { id: dispute.id, reason: String(form.get("reason")) };
      if (decides) {
        body.state = to;
      }
      if (to === "ACCEPTED") {
        body.assetStatus = form.get("assetStatus");
      }
      return act(path, body, refresh, `Dispute #${dispute.id}: ${to.toLowerCase().replaceAll("_", " ")}.`);
    },
  });
}

/**
 * @param {Dispute} dispute
 * @param {() => void} refresh
 */
function comment(dispute, refresh) {
  ask({
    title: `Comment on dispute #${dispute.id}`, about: assetText(dispute.content),
    fields: [field("Comment", h("textarea", { name: "text", rows: 4, autofocus: true }))], action: "Add comment",
    act: (form) => act("/dispute/addNote", { id: dispute.id, text: String(form.get("text")) }, refresh,
      "Comment added."),
  });
}

/**
 * Sends an action after the rules have accepted it, and returns issues to show. If somebody was
 * faster, it reads the dispute again and says who.
 *
 * @param {Transition["path"] | "/dispute/addNote"} path
 * @param {any} body
 * @param {() => void} refresh
 * @param {string} success
 * @returns {Promise<string[]>}
 */
async function act(path, body, refresh, success) {
  const validity = await rules.validate(path, { body });
  if (!validity.valid) {
    return validity.issues.length > 0 ? validity.issues : [validity.message];
  }
  try {
    await operatorPost(path, body);
    notice = success;
    announce(success);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) {
      throw error;
    }
    const now = await operatorGet("/dispute/get", { id: body.id });
    const last = now.notes.findLast((note) => note.state !== null);
    const state = now.state.toLowerCase().replaceAll("_", " ");
    notice = `Somebody was faster${last?.author ? ` (user ${last.author})` : ""}: the dispute is now ${state}. `
      + "Your action was not done.";
    announce(notice);
  }
  refresh();
  return [];
}
