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
