// @ts-check
// What is wrong with the fields of a form, beside them and in the words of the page.
import { ApiError } from "./api.js";
import { fill, h } from "./dom.js";
import { failure } from "./parts.js";

/**
 * Runs the action of a form, which returns issues, or nothing after success. Shows what was refused or
 * has failed.
 *
 * @param {HTMLFormElement} form
 * @param {Element} place
 * @param {() => Promise<string[]>} act
 */
export async function attempt(form, place, act) {
  fill(place);
  forgetIssues(form);
  try {
    const issues = await act();
    if (issues.length > 0) {
      showIssues(form, place, issues);
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 400 && error.issues.length > 0) {
      showIssues(form, place, error.issues);
    } else {
      fill(place, failure(error), h("p", { class: "hint" }, "What you have entered is kept."));
    }
  }
}

/**
 * Shows issues such as "email: is required" at the fields with these names, and moves the focus to
 * the first of them. What is about no field is shown in a place of its own.
 *
 * @param {HTMLFormElement} form
 * @param {Element} place
 * @param {string[]} issues
 */
function showIssues(form, place, issues) {
  forgetIssues(form);
  /** @type {HTMLElement[]} */
  const wrong = [];
  const others = issues.filter((issue) => {
    const [, name = "", text = ""] = /^(\w+)(?:\[\d+\])?: (.*)$/s.exec(issue) ?? [];
    const control = controlOf(form, name);
    if (!control) {
      return true;
    }
    const colon = control.type === "checkbox" ? ":" : ""; // its label is a sentence
    mark(control, `${labelOf(form, name)}${colon} ${inWords(form, text)}.`);
    wrong.push(control);
    return false;
  });
  fill(place, others.length > 0
    && h("ul", { class: "plain" }, others.map((issue) => h("li", { class: "issue" }, issue))));
  (wrong[0] ?? place).scrollIntoView({ block: "nearest" });
  wrong[0]?.focus({ preventScroll: true });
}

/** @param {HTMLFormElement} form */
function forgetIssues(form) {
  for (const issue of form.querySelectorAll(".field > .issue, fieldset > .issue")) {
    issue.remove();
  }
  for (const control of form.querySelectorAll("[aria-invalid]")) {
    control.removeAttribute("aria-invalid");
    describe(control);
  }
}

/**
 * @param {HTMLElement} control
 * @param {string} text
 */
function mark(control, text) {
  const field = control.closest(".field, fieldset");
  field?.removeAttribute("hidden");
  const known = field?.querySelector(".issue");
  if (known) {
    known.append(` ${text}`);
    return;
  }
  control.id ||= `control-${control.getAttribute("name")}`;
  field?.append(h("p", { class: "issue", role: "alert", id: `${control.id}-issue` }, text));
  control.setAttribute("aria-invalid", "true");
  describe(control);
}

/** Names the texts that are about a control. @param {Element} control */
function describe(control) {
  const texts = [`${control.id}-issue`, `${control.id}-hint`].filter((id) => document.getElementById(id));
  if (texts.length > 0) {
    control.setAttribute("aria-describedby", texts.join(" "));
  } else {
    control.removeAttribute("aria-describedby");
  }
}

/**
 * Returns a text of the server with the labels of the page in place of the names of fields.
 *
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function inWords(form, text) {
  return text.replace(/\b[a-z]+[A-Z]\w*\b/g, (name) => labelOf(form, name));
}

/**
 * Returns a control by its name, the first one of a group.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function controlOf(form, name) {
  const found = form.elements.namedItem(name);
  const control = found instanceof RadioNodeList ? found[0] : found;
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
    || control instanceof HTMLSelectElement ? control : undefined;
}

/**
 * Returns the label of a field or a group without its remarks in parentheses, or its name.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function labelOf(form, name) {
  const control = controlOf(form, name);
  const label = control?.closest("fieldset")?.querySelector("legend") ?? control?.labels?.[0];
  return label?.textContent?.replace(/ \(.*\)$/, "") || name;
}
