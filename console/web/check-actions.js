// @ts-check
// What can be done about the status of a content: dispute it, or set another one.
import { ApiError, operatorGet, operatorPost, post } from "./api.js";
import { rules } from "./workers.js";
import { ask } from "./dialog.js";
import { announce, fill, h } from "./dom.js";
import { effectOf } from "./effect.js";
import { badge, field, select, stayAllowed } from "./parts.js";
import { reasonOptions } from "./reasons.js";
import { assetText } from "./safe-text.js";
import { currentKeys } from "./session.js";

/**
 * Asks for a dispute of what blocks a content.
 *
 * @param {string} content
 * @param {HTMLElement} place where the result is shown
 */
export function dispute(content, place) {
  const fields = [
    field("E-mail (optional)", h("input", { name: "email", type: "email", autocomplete: "email", autofocus: true }),
      "The address of the person who disputes it. Empty: that of your key's user"),
    field("Description (optional)", h("textarea", { name: "description", rows: 4 }), "Why it should not be blocked"),
  ];
  ask({
    title: "Dispute that this is blocked", about: assetText(content), fields, action: "Create the dispute",
    act: async (form) => {
      const email = String(form.get("email")).trim();
      const description = String(form.get("description")).trim();
      const body = { content, ...(email !== "" ? { email } : {}), ...(description !== "" ? { description } : {}) };
      // Only the server knows whether the user of the key has an address.
      const validity = await rules.validate("/dispute/create", { body, accountEmail: "user@of-the-key.example" });
      if (!validity.valid) {
        return validity.issues.length > 0 ? validity.issues : [validity.message];
      }
      const { id, message } = await post("/dispute/create", body);
      announce(`Dispute #${id} was created.`);
      fill(place, h("div", { class: "notice info" },
        h("p", {}, `Dispute #${id} was created. `, message ?? "An operator decides about it."),
        currentKeys().operatorKey !== "" && h("p", {}, h("a", { href: `#/disputes?id=${id}` }, "Open it"))));
      return [];
    },
  });
}

/**
 * Asks for another status of an asset.
 *
 * @param {string} content
 * @param {() => void} again is called when it is set
 */
export async function setStatus(content, again) {
  let seen = await present(content);
  const status = select("status", "BLOCKED", [["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"], ["UNKNOWN", "Unknown"]]);
  const fields = [
    h("p", {}, "It is now ", badge(seen), "."),
    field("Status", status),
    ...effectOf(content, status),
    field("Reason", select("reason", "", reasonOptions()), "For everybody who may see the status"),
    field("Note (optional)", h("input", { name: "note" }), "More about the reason, for the same people"),
    field("Reference (optional)", h("input", { name: "reference" }), "The record behind the change, such as a ticket"),
    field("Last day (optional, UTC)", h("input", { name: "expiresAt", type: "date" }), "Then it is withdrawn"),
    field("Review on (optional, UTC)", h("input", { name: "reviewAt", type: "date" }),
      "Then it is due for review, and stays as it is"),
  ];
  ask({
    title: "Set the status of this asset", about: assetText(content), fields, action: "Set status",
    act: async (form) => {
      const day = (/** @type {string} */ name, /** @type {string} */ at) =>
        form.get(name) ? `${form.get(name)}T${at}Z` : null;
      /** @type {any} */
      const body = {
        content, status: form.get("status"), reason: String(form.get("reason")) || null,
        note: String(form.get("note")).trim() || null, reference: String(form.get("reference")) || null,
        expiresAt: day("expiresAt", "23:59:59"), reviewAt: day("reviewAt", "00:00:00"),
        confirmProtected: form.has("confirmProtected"), ifStatus: seen,
      };
      const validity = await rules.validate("/asset/setStatus", { body });
      if (!validity.valid) {
        return validity.issues.length > 0 ? validity.issues : [validity.message];
      }
      let set;
      try {
        set = await operatorPost("/asset/setStatus", body);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) {
          throw error;
        }
        seen = await present(content);
        return [`Somebody was faster: the asset is now ${seen}. Set the status again if it still should change.`];
      }
      announce(`Status set.${stayAllowed(set)}`);
      again();
      return [];
    },
  });
}

/**
 * Returns the status of the asset itself. An asset that does not exist is UNKNOWN.
 *
 * @param {string} content
 */
async function present(content) {
  return (await operatorGet("/asset/explain", { content })).asset.status;
}
