// @ts-check
// A question in the place of the buttons that asked it. It needs no dialog: what it is about stays in sight.
import { forgetWrites } from "./api.js";
import { restore } from "./dialog.js";
import { fill, h } from "./dom.js";
import { attempt } from "./issues.js";
import { working } from "./parts.js";

/** What was typed and not sent, by the question. @type {Map<string, [string, string][]>} */
const drafts = new Map();

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {HTMLElement[]} fields
 * @property {string} action
 * @property {boolean} [danger] whether the action cannot be taken back, so that the other button comes first
 * @property {"h2" | "h3"} [heading] that of the title
 * @property {(form: FormData) => Promise<string[]>} act returns issues, or nothing after success
 * @property {() => void} [canceled] is called when the question is canceled
 */

/**
 * Asks in a place, whose content comes back when the question is canceled.
 *
 * @param {Element} place
 * @param {Question} question
 */
export function askInPlace(place, { title, fields, action, danger = false, heading = "h3", act, canceled }) {
  const before = [...place.childNodes];
  const opener = place.contains(document.activeElement) ? document.activeElement : null;
  const problems = h("div", { role: "alert", id: "place-problems" });
  const draft = `${location.hash} ${title}`;
  const cancel = () => {
    drafts.delete(draft);
    forgetWrites();
    fill(place, before);
    if (opener instanceof HTMLElement) {
      opener.focus({ preventScroll: true });
    }
    canceled?.();
  };
  const submit = h("button", { class: danger ? "danger" : "primary" }, action,
    h("kbd", { "aria-hidden": "true" }, "Ctrl ⏎"));
  const form = h("form", { class: "decision", novalidate: true, "aria-label": title },
    h(heading, {}, title), fields, problems,
    h("div", { class: "line" }, submit, h("button", { type: "button", onclick: cancel }, "Cancel")));
  restore(form, drafts.get(draft) ?? []);
  form.addEventListener("input", () => drafts.set(draft, entriesOf(form)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.ariaDisabled === "true") {
      return;
    }
    submit.ariaDisabled = "true";
    await working(submit, send());
    submit.ariaDisabled = "false";
  });
  const send = () => attempt(form, problems, async () => {
    const issues = await act(new FormData(form));
    if (issues.length === 0) {
      drafts.delete(draft);
      forgetWrites();
    }
    return issues;
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      cancel();
    }
  });
  fill(place, form);
  const first = form.querySelector("textarea") ?? form.querySelector("select, input, [type=button]");
  if (first instanceof HTMLElement) {
    first.focus();
  }
}

/**
 * @param {HTMLFormElement} form
 * @returns {[string, string][]}
 */
function entriesOf(form) {
  return [...new FormData(form)].map(([name, value]) => [name, String(value)]);
}

/**
 * Runs the action of a button once at a time, and shows that it runs. The button keeps the focus.
 *
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} act
 */
export async function runFrom(button, act) {
  if (button.ariaBusy === "true") {
    return;
  }
  button.ariaBusy = "true";
  try {
    await act();
  } finally {
    button.ariaBusy = "false";
  }
}
