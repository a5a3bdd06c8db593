// @ts-check
// Modal dialogs, and one with a secret. They take the focus, and give it back to where it was.
import { forgetWrites } from "./api.js";
import { fill, h } from "./dom.js";
import { keepDraft, keepTyped } from "./drafts.js";
import { rememberFocus } from "./focus.js";
import { attempt } from "./issues.js";
import { field, working } from "./parts.js";

/**
 * Opens a dialog, which is removed when it closes.
 *
 * @param {HTMLDialogElement} dialog
 */
export function openDialog(dialog) {
  const giveBack = rememberFocus();
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (document.activeElement === null || document.activeElement === document.body) {
      giveBack();
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}

export function dialogIsOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** Closes every dialog: the view that it belongs to is left. */
export function closeDialogs() {
  document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
}

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {Node} [about] what the action is about, shown under the title
 * @property {HTMLElement[]} fields
 * @property {string | HTMLElement} action
 * @property {{ label: string, value: string }} [danger] another action, with its value as `choice` in the form
 * @property {string} [cancel] what the button that does nothing says
 * @property {boolean} [careful] whether that button is the first choice
 * @property {(form: FormData) => Promise<string[]>} act returns issues, or nothing after success
 * @property {() => void} [done] is called after success, when the dialog is closed
 */

/**
 * Asks for fields in a dialog, which stays open until act succeeds.
 *
 * @param {Question} question
 */
export function ask({ title, about, fields, action, danger, cancel: no = "Cancel", careful = false, act, done }) {
  const problems = h("div", { role: "alert" });
  const cancel = () => {
    keepDraft(key, []);
    dialog.close();
  };
  const form = h("form", { novalidate: true },
    h("h2", { id: "dialog-title" }, title),
    about && h("p", {}, about),
    fields,
    problems,
    h("div", { class: "actions" },
      h("button", { class: careful ? "" : "primary" }, action),
      danger && h("button", { class: "danger", name: "choice", value: danger.value }, danger.label),
      h("button", { type: "button", class: careful ? "primary" : "", onclick: cancel, autofocus: careful }, no)));
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
  dialog.addEventListener("close", forgetWrites);
  const key = `${location.hash} ${title} ${about?.textContent ?? ""}`;
  let busy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    const pressed = event.submitter ?? form.querySelector("button:not([type=button])");
    await working(pressed, send(new FormData(form, event.submitter)));
    busy = false;
  });
  const send = async (/** @type {FormData} */ data) => {
    await attempt(form, problems, async () => {
      const issues = await act(data);
      if (issues.length === 0) {
        cancel();
        done?.();
      }
      return issues;
    });
  };
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !careful) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  keepTyped(form, key);
  openDialog(dialog);
}

/**
 * Opens a dialog with a secret that cannot be read again, and a button that copies it.
 *
 * @param {object} options
 * @param {string | (Node | string)[]} options.title
 * @param {string} options.about what the secret is for
 * @param {string} [options.label] what the page calls the secret
 * @param {string} options.secret
 * @param {() => void} options.closed is called when the dialog is closed
 */
export function showSecret({ title, about, label = "Secret", secret, closed }) {
  const look = { class: "secret", readonly: true, spellcheck: "false", autocomplete: "off" };
  const input = h("input", { value: secret, ...look });
  const said = h("p", { class: "hint", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      fill(said, "Copied.");
    } catch { // not over http, for example
      input.select();
      fill(said, "This page may not copy. The secret is selected: press Ctrl+C.");
    }
  };
  const stored = h("button", { type: "button", onclick: () => dialog.close() }, "I have stored it");
  const dialog = h("dialog", { "aria-labelledby": "secret-title" },
    h("div", { class: "stack" },
      h("h2", { id: "secret-title" }, title),
      h("p", {}, h("strong", {}, "It is shown only now."), ` ${about}`),
      field(label, input), said,
      h("div", { class: "actions" },
        h("button", { type: "button", class: "primary", autofocus: true, onclick: copy }, "Copy"),
        stored)));
  dialog.addEventListener("close", closed);
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault(); // it cannot be shown again
      stored.focus();
    }
  });
  openDialog(dialog);
}
