// @ts-check
// Modal dialogs. They take the focus, and give it back to where it was.
import { forgetWrites } from "./api.js";
import { fill, h } from "./dom.js";
import { rememberFocus } from "./focus.js";
import { failure, waiting } from "./parts.js";

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
 * What was typed in dialogs whose action failed, until it succeeds or is canceled.
 *
 * @type {Map<string, [string, string][]>}
 */
const drafts = new Map();

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {Node} [about] what the action is about, shown under the title
 * @property {HTMLElement[]} fields
 * @property {string} action
 * @property {(form: FormData) => Promise<string[]>} act returns issues, or nothing after success
 * @property {() => void} [done] is called after success, when the dialog is closed
 */

/**
 * Asks for fields in a dialog, which stays open until act succeeds.
 *
 * @param {Question} question
 */
export function ask({ title, about, fields, action, act, done }) {
  const problems = h("div", { role: "alert", id: "dialog-problems" });
  const cancel = () => {
    drafts.delete(draft);
    dialog.close();
  };
  const form = h("form", { novalidate: true },
    h("h2", { id: "dialog-title" }, title),
    about && h("p", {}, about),
    fields,
    problems,
    h("div", { class: "actions" },
      h("button", { class: "primary" }, action),
      h("button", { type: "button", onclick: cancel }, "Cancel")));
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
  dialog.addEventListener("close", forgetWrites);
  const draft = `${location.hash} ${title} ${about?.textContent ?? ""}`;
  let busy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    const data = new FormData(form);
    drafts.set(draft, [...data].map(([name, value]) => [name, String(value)]));
    fill(problems, waiting("Sending …"));
    try {
      const issues = await act(data);
      if (issues.length > 0) {
        refuse(form, problems, issues);
      } else {
        cancel();
        done?.();
      }
    } catch (error) {
      fill(problems, failure(error), h("p", { class: "hint" }, "What you have entered is kept."));
    }
    busy = false;
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  dialog.addEventListener("cancel", () => drafts.delete(draft));
  restore(form, drafts.get(draft) ?? []);
  openDialog(dialog);
}

/**
 * Shows issues and moves the focus to the field of the first one.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement} problems
 * @param {string[]} issues
 */
function refuse(form, problems, issues) {
  fill(problems, h("ul", { class: "issues" }, issues.map((issue) => h("li", {}, issue))));
  for (const control of form.elements) {
    control.removeAttribute("aria-invalid");
  }
  const wrong = issues.map((issue) => form.elements.namedItem(/^\w*/.exec(issue)?.[0] ?? ""))
    .find((control) => control instanceof HTMLElement);
  if (wrong instanceof HTMLElement) {
    wrong.closest("[hidden]")?.removeAttribute("hidden");
    wrong.setAttribute("aria-invalid", "true");
    wrong.setAttribute("aria-describedby", problems.id);
    wrong.focus();
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {[string, string][]} values
 */
function restore(form, values) {
  for (const [name, value] of values) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
      || control instanceof HTMLSelectElement) {
      control.value = value;
    }
  }
}
