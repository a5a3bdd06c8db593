// @ts-check
// The form that creates a webhook.
import { ApiError, postOnce } from "./api.js";
import { rules } from "./workers.js";
import { ask, showSecret } from "./dialog.js";
import { h } from "./dom.js";
import { field } from "./parts.js";

/** The kinds of events, and what they say. */
export const events = [
  ["asset.status_changed", "the status of an asset changes"],
  ["dispute.created", "a dispute is created"],
  ["dispute.resolved", "a dispute is accepted, rejected or withdrawn"],
  ["pending.created", "an act waits for a second operator"],
];

/**
 * Asks for a webhook, creates it and shows its secret.
 *
 * @param {(id: number) => void} created is called when the secret was shown
 */
export function createWebhook(created) {
  const types = h("select", { name: "types", multiple: true, size: 4 });
  rules.limits().then(({ assetTypes }) => types.append(...assetTypes.map((type) => h("option", {}, type))), () => {});
  let [id, secret] = [0, ""];
  ask({
    title: "Create a webhook", action: "Create",
    fields: [
      field("URL", h("input", { name: "url", type: "url", autofocus: true, spellcheck: "false", autocomplete: "off" }),
        "The address of the receiver, such as https://receiver.example/hook"),
      choices("Send a message when", "events", events, "asset.status_changed"),
      choices("Only changes to (none for all)", "statuses",
        [["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"], ["UNKNOWN", "Unknown"]], ""),
      field("Only assets of the types (none for all)", types),
    ],
    act: async (form) => {
      const chosen = (/** @type {string} */ name) => /** @type {any} */ (form.getAll(name));
      try {
        ({ id, secret } = await postOnce("/webhook/create", {
          url: String(form.get("url")).trim(), events: chosen("events"),
          filter: { types: chosen("types"), statuses: chosen("statuses") },
        }));
        return [];
      } catch (error) {
        if (error instanceof ApiError && error.issues.length > 0) {
          return error.issues;
        }
        throw error;
      }
    },
    done: () => showWebhookSecret(`Secret of webhook #${id}`, secret, () => created(id)),
  });
}

/**
 * @param {string} title
 * @param {string} secret
 * @param {() => void} closed
 */
export function showWebhookSecret(title, secret, closed) {
  showSecret({ title, secret, closed, about: "It signs the messages. Give it to the owner of the receiver." });
}

/**
 * @param {string} legend
 * @param {string} name
 * @param {string[][]} options values and labels
 * @param {string} checked is the value that is checked first
 */
function choices(legend, name, options, checked) {
  return h("fieldset", {}, h("legend", {}, legend),
    options.map(([value, label]) => {
      const box = h("input", { type: "checkbox", name, value, checked: value === checked });
      return h("label", { class: "check" }, box, label);
    }));
}
