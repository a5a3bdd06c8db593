// @ts-check
// What was typed in questions and not sent. It outlasts a reload of the tab, but no sign-out and no other user.

const item = "apguard-drafts";
const ownerItem = "apguard-drafts-user";

/** By the key of a question. @type {Map<string, [string, string][]>} */
const drafts = kept();

function kept() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(item) ?? "[]"));
  } catch {
    return new Map(); // they are not of this version of the page
  }
}

/** @param {string} key that of a question */
export function draftOf(key) {
  return drafts.get(key) ?? [];
}

/**
 * Keeps the values of a question, or forgets them if there are none.
 *
 * @param {string} key
 * @param {[string, string][]} values
 */
export function keepDraft(key, values) {
  if (values.length > 0) {
    drafts.set(key, values);
  } else {
    drafts.delete(key);
  }
  try {
    sessionStorage.setItem(item, JSON.stringify([...drafts]));
  } catch {
    sessionStorage.removeItem(item); // it is too long for a browser, and only in memory
  }
}

/**
 * Enters in the form of a question what was typed before, and keeps what is typed from now on, but no file.
 *
 * @param {HTMLFormElement} form
 * @param {string} key
 */
export function keepTyped(form, key) {
  restore(form, draftOf(key));
  form.addEventListener("input", () => keepDraft(key, [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [])));
}

/**
 * Enters values in a form again, if there are any. A confirmation is given each time.
 *
 * @param {HTMLFormElement} form
 * @param {[string, string][]} values
 */
function restore(form, values) {
  for (const box of values.length > 0 ? form.querySelectorAll("[type=checkbox]") : []) {
    if (box instanceof HTMLInputElement) {
      box.checked = !["confirmProtected", "confirmWide"].includes(box.name)
        && values.some(([name, value]) => name === box.name && value === box.value);
    }
  }
  for (const [name, value] of values) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
      || control instanceof HTMLSelectElement) {
      control.value = value;
      control.dispatchEvent(new Event("change")); // what follows from a choice is shown for this one
    }
  }
}

/**
 * Says who uses the page now, and forgets what another user has typed.
 *
 * @param {number} user
 */
export function draftsBelongTo(user) {
  if (![null, String(user)].includes(sessionStorage.getItem(ownerItem))) {
    forgetDrafts();
  }
  sessionStorage.setItem(ownerItem, String(user));
}

export function forgetDrafts() {
  drafts.clear();
  sessionStorage.removeItem(item);
  sessionStorage.removeItem(ownerItem);
}
