// @ts-check
// A question in the place of the buttons that asked it. It needs no dialog: what it is about stays in sight. It is busy
// until its action succeeds, and gone then.
import { forgetWrites } from "./api.js";
import { fill, h } from "./dom.js";
import { draftOf, keepDraft, keepTyped } from "./drafts.js";
import { attempt } from "./issues.js";
import { working } from "./parts.js";

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {HTMLElement[]} fields
 * @property {string | HTMLElement} action
 * @property {boolean} [danger] whether the action cannot be taken back, so that the other button comes first
 * @property {string} [about] what it asks about, if the same title is asked about several things at one address
 * @property {"h2" | "h3"} [heading] that of the title
 * @property {(form: FormData) => Promise<string[]>} act returns issues, or nothing after success
 * @property {() => void} [canceled] is called when the question is canceled
 */

/**
 * Keeps a text for the field of a question that is asked later at this address, unless there is one.
 *
 * @param {string} title that of the question
 * @param {string} name that of the field
 * @param {string} text
 */
export function keepText(title, name, text) {
  const key = draftKey(title, "");
  if (text.trim() !== "" && draftOf(key).length === 0) {
    keepDraft(key, [[name, text]]);
  }
}

/**
 * @param {string} title
 * @param {string} about
 */
function draftKey(title, about) {
  return `${location.hash} ${title} ${about}`;
}

/**
 * Asks in a place, whose content comes back when the question is canceled.
 *
 * @param {Element} place
 * @param {Question} question
 */
export function askInPlace(place, question) {
  const { title, fields, action, danger = false, about = "", heading = "h3", act, canceled } = question;
  const before = [...place.childNodes];
  const opener = place.contains(document.activeElement) ? document.activeElement : null;
  const problems = h("div", { role: "alert", id: "place-problems" });
  const key = draftKey(title, about);
  let busy = false;
  /** @param {boolean} keep whether what was typed is there when the question is asked again */
  const leave = (keep) => {
    if (busy) {
      return;
    }
    if (!keep) {
      keepDraft(key, []);
    }
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
    h("div", { class: "line" }, submit, h("button", { type: "button", onclick: () => leave(false) }, "Cancel")));
  keepTyped(form, key);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    submit.ariaDisabled = "true";
    await working(submit, send());
  });
  const send = async () => {
    let done = false;
    await attempt(form, problems, async () => {
      const issues = await act(new FormData(form));
      done = issues.length === 0;
      return issues;
    });
    if (!done) {
      busy = false;
      submit.ariaDisabled = "false";
      return;
    }
    keepDraft(key, []);
    forgetWrites();
    if (place.contains(form)) { // what comes next is not there yet
      fill(place, h("p", { class: "muted" }, "Stored."));
    }
  };
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      leave(true);
    }
  });
  fill(place, form);
  const first = form.querySelector("textarea") ?? form.querySelector("select, input, [type=button]");
  if (first instanceof HTMLElement) {
    first.focus();
  }
}

/**
 * Asks in a place whether to go on. Its content comes back with either answer.
 *
 * @param {Element} place
 * @param {{ question: string, action: string, go: () => void }} asked
 */
export function askFirst(place, { question, action, go }) {
  const before = [...place.childNodes];
  const opener = place.contains(document.activeElement) ? document.activeElement : null;
  const back = () => {
    fill(place, before);
    if (opener instanceof HTMLElement) {
      opener.focus({ preventScroll: true });
    }
  };
  const on = () => {
    back();
    go();
  };
  // It is the first choice, because a key that was pressed for the button before would go on.
  const no = h("button", { type: "button", class: "primary", onclick: back }, "Cancel");
  const element = h("div", { class: "decision asked", role: "group", "aria-label": question }, h("p", {}, question),
    h("div", { class: "line" }, no, h("button", { type: "button", onclick: on }, action,
      h("kbd", { "aria-hidden": "true" }, "Ctrl ⏎"))));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!event.repeat) { // it may still be held down from the button before
        on();
      }
    } else if (event.key === "Escape") {
      event.preventDefault();
      back();
    }
  });
  fill(place, element);
  no.focus();
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
