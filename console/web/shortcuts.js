// @ts-check
// Shortcuts: those of each view, whether this browser has those of a single key, and which key was pressed.

const item = "apguard-single-keys";

/** Shortcuts with what they do. @typedef {Record<string, string>} Keys */

/** @type {Keys} */
export const everywhere = {
  "Ctrl K": "Commands, and records by number, asset or name", "/": "Go to the first field", "?": "Show this list",
  Esc: "Close a dialog or a question", "Ctrl Enter": "Confirm it",
};

/** @type {Keys} */
const list = { j: "Next record", k: "Previous record" };

/** @type {Map<string | undefined, Keys>} */
const views = new Map(Object.entries({
  overview: { z: "Undo the last decision" },
  allowlist: { e: "Entries", n: "New entries" },
  disputes: {
    ...list, t: "Take up, or take over", a: "Accept", r: "Reject", c: "Comment", z: "Undo the last decision",
  },
  reports: {
    ...list, a: "Approve the proposal with the focus, or the first", r: "Reject it", s: "Skip it",
    A: "Approve all proposals", e: "Escalate what is undecided", z: "Undo the last decision",
  },
  asset: { z: "Undo the last decision" },
  check: { z: "Undo the last decision" },
  lists: { ...list, n: "Add a list" },
  webhooks: { ...list, n: "Create a webhook" },
  keys: { ...list, n: "Create a key", r: "Rotate the key", x: "Revoke the key" },
  users: { ...list, n: "Create a user or an organization" },
}));

/**
 * Returns the shortcuts of a view. The view has no others.
 *
 * @param {string | undefined} view
 */
export function keysOf(view) {
  return views.get(view) ?? {};
}

/** Whether a single key is a shortcut. Programs that turn speech into keys need them off. */
export function singleKeys() {
  return localStorage.getItem(item) !== "off";
}

/** @param {boolean} on */
export function setSingleKeys(on) {
  localStorage.setItem(item, on ? "on" : "off");
  applySingleKeys();
}

/** Hides the keys beside the buttons that they do not press. */
export function applySingleKeys() {
  document.documentElement.dataset["singleKeys"] = singleKeys() ? "on" : "off";
}

/**
 * Returns the character of a key. One that is not in ASCII, as on a Cyrillic or a Greek keyboard, has the character
 * of its place on a Latin keyboard.
 *
 * @param {Pick<KeyboardEvent, "key" | "code">} event
 */
export function keyOf({ key, code }) {
  if (/^[ -~]*$/.test(key)) {
    return key;
  }
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? key;
}
