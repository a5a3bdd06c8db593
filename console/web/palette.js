// @ts-check
// The palette of commands, and the list of shortcuts.
import { dialogIsOpen, openDialog } from "./dialog.js";
import { fill, h } from "./dom.js";

/** @typedef {{ label: string, keys?: string, run: () => void }} Command */

/** @param {Command[]} commands */
export function openPalette(commands) {
  if (dialogIsOpen()) {
    return;
  }
  const input = h("input", {
    type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "commands", "aria-label": "Command",
    autocomplete: "off", spellcheck: "false", placeholder: "What do you want to do?",
  });
  const list = h("ul", { id: "commands", role: "listbox", "aria-label": "Commands" });
  const none = h("p", { class: "hint", role: "status" });
  const dialog = h("dialog", { class: "palette", "aria-label": "Commands" }, input, list, none);
  let matching = commands;
  let chosen = 0;

  const render = () => {
    const options = matching.map((command, index) => {
      const id = `command-${index}`;
      return h("li", { id, role: "option", "aria-selected": String(index === chosen), onclick: () => run(command) },
        h("span", {}, command.label), command.keys && h("kbd", {}, command.keys));
    });
    fill(list, options);
    list.hidden = options.length === 0;
    fill(none, options.length === 0 && "No command has these letters.");
    input.setAttribute("aria-activedescendant", options[chosen]?.id ?? "");
    options[chosen]?.scrollIntoView({ block: "nearest" });
  };
  const run = (/** @type {Command | undefined} */ command) => {
    if (command) {
      dialog.close();
      command.run();
    }
  };
  input.addEventListener("input", () => {
    const typed = input.value.trim().toLowerCase();
    matching = commands.filter(({ label }) => label.toLowerCase().includes(typed));
    chosen = 0;
    render();
  });
  input.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      chosen = (chosen + step + matching.length) % Math.max(matching.length, 1);
      render();
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(matching[chosen]);
    }
  });
  openDialog(dialog);
  render();
}

const shortcuts = [
  [
    "Everywhere",
    [
      ["Ctrl K", "commands"], ["g 0 … g 9", "go to a view"], ["/", "go to the first field"], ["?", "this list"],
      ["Esc", "close a dialog or a question"], ["Ctrl Enter", "confirm it"],
    ],
  ],
  ["Allowlist", [["e, n", "entries, new entries"]]],
  ["Lists beside a detail", [["j, k", "next and previous record"]]],
  ["Disputes", [["t", "take up"], ["a, r", "accept, reject"], ["c", "comment"], ["z", "undo the decision"]]],
  ["Keys, Users and Organizations", [["n", "create one"], ["r, x", "rotate, revoke a key"]]],
  [
    "Reports",
    [["a, r", "approve, reject the proposal with the focus, or the first"], ["e", "escalate"], ["z", "undo"]],
  ],
];

export function openHelp() {
  if (dialogIsOpen()) {
    return;
  }
  const close = h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { "aria-labelledby": "help-title" }, h("h2", { id: "help-title" }, "Shortcuts"),
    shortcuts.map(([where, rows]) => h("section", { class: "shortcuts" }, h("h3", {}, /** @type {string} */ (where)),
      h("dl", {},
        /** @type {string[][]} */ (rows).map(([keys = "", text = ""]) =>
          h("div", {}, h("dt", {}, h("kbd", {}, keys)), h("dd", {}, text)))))),
    h("div", { class: "actions" }, close));
  openDialog(dialog);
}
