// @ts-check
// Shows a secret that cannot be read again.
import { openDialog } from "./dialog.js";
import { fill, h } from "./dom.js";
import { field } from "./parts.js";

/**
 * Opens a dialog with a secret and a button that copies it.
 *
 * @param {string} title
 * @param {string} secret
 * @param {() => void} closed is called when the dialog is closed
 */
export function showSecret(title, secret, closed) {
  const input = h("input", { value: secret, readonly: true, spellcheck: "false", autocomplete: "off" });
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
  const dialog = h("dialog", { "aria-labelledby": "secret-title" },
    h("div", { class: "stack" },
      h("h2", { id: "secret-title" }, title),
      h("p", {}, "It signs the messages. Give it to the owner of the receiver. It is shown only now."),
      field("Secret", input), said,
      h("div", { class: "actions" },
        h("button", { type: "button", class: "primary", autofocus: true, onclick: copy }, "Copy"),
        h("button", { type: "button", onclick: () => dialog.close() }, "I have stored it"))));
  dialog.addEventListener("close", closed);
  openDialog(dialog);
}
