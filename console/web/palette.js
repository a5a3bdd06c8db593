// @ts-check
// The palette of commands, which also finds records, and the list of shortcuts.
import { dialogIsOpen, openDialog } from "./dialog.js";
import { fill, h } from "./dom.js";
import { grouped } from "./numbers.js";
import { isAbort } from "./parts.js";
import { singleKeys } from "./shortcuts.js";
import { pause } from "./tasks.js";

/** @import { Keys } from "./shortcuts.js" */
/** @typedef {{ label: string, about?: Node | undefined, keys?: string, run: () => void }} Command */

/** The milliseconds without a key after which the server is asked. */
const pauseOfTyping = 200;

/** @param {Command[]} commands */
export function openPalette(commands) {
  if (dialogIsOpen()) {
    return;
  }
  const input = h("input", {
    type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "commands", "aria-autocomplete": "list",
    "aria-label": "Command or record", autocomplete: "off", spellcheck: "false",
    placeholder: "A command, #12, an asset, a name …",
  });
  const list = h("ul", { id: "commands", role: "listbox", "aria-label": "Commands and records" });
  const state = h("p", { class: "hint", role: "status" });
  const dialog = h("dialog", { class: "palette", "aria-label": "Commands" }, input, list, state);
  const finding = import("./palette-find.js"); // it loads the rules, which not every view needs
  let matching = commands;
  let chosen = 0;
  /** Ends the search for what was typed before. */
  let searching = new AbortController();
  /** What the rules of the page say about what is typed. Keys that choose wait for it. */
  let recognizing = Promise.resolve();

  const choose = (/** @type {number} */ index) => {
    chosen = index;
    for (const [place, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(place === chosen));
    }
    const option = list.children[chosen];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  };
  const render = () => {
    fill(list, matching.map((command, index) =>
      h("li", { id: `command-${index}`, role: "option", onclick: () => run(command) },
        h("span", { class: "line" }, command.label, command.about),
        command.keys && h("kbd", {}, spelled(command.keys)))));
    list.hidden = matching.length === 0;
    input.setAttribute("aria-expanded", String(matching.length > 0));
    choose(Math.min(chosen, Math.max(matching.length - 1, 0)));
  };
  const run = (/** @type {Command | undefined} */ command) => {
    if (command) {
      dialog.close();
      command.run();
    }
  };
  /** Says how much is offered. @param {string} [more] */
  const say = (more) => {
    const { length } = matching;
    fill(state, more ?? (length === 0 ? "No command, record or name has these letters." : ""),
      length > 0 && h("span", { class: "sr" }, ` ${grouped(length)} ${length === 1 ? "result" : "results"}`));
  };

  /** Offers what belongs to what is typed. What is found later is added behind it, so that the choice stays. */
  const search = () => {
    searching.abort();
    const { signal } = searching = new AbortController();
    const typed = input.value.trim();
    const add = (/** @type {Command[]} */ found) => {
      if (!signal.aborted && found.length > 0) {
        matching = [...matching, ...found];
        render();
      }
    };
    matching = commands.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
    chosen = 0;
    render();
    if (typed === "") {
      say();
      return;
    }
    say("Searching …");
    const instant = finding.then(async ({ named, recognized }) => {
      add(named(typed));
      add(await recognized(typed));
    });
    recognizing = instant.catch(() => {}); // the commands are still there
    instant.then(async () => {
      await pause(pauseOfTyping, signal);
      const { people, records } = await finding;
      await Promise.all([people, records].map(async (find) => add(await find(typed, signal))));
      say();
    }).catch((error) => isAbort(error) || signal.aborted || say("Records could not be searched."));
  };
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 && event.key !== "Enter") {
      return;
    }
    event.preventDefault();
    const { signal } = searching;
    void recognizing.then(() => signal.aborted || (step === 0 ? run(matching[chosen])
      : choose((chosen + step + matching.length) % Math.max(matching.length, 1))));
  });
  dialog.addEventListener("close", () => searching.abort());
  openDialog(dialog);
  render();
}

/**
 * Lists shortcuts.
 *
 * @param {[string, Keys][]} sections
 */
export function openHelp(sections) {
  if (dialogIsOpen()) {
    return;
  }
  const close = h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { "aria-labelledby": "help-title" }, h("h2", { id: "help-title" }, "Shortcuts"),
    !singleKeys() && h("p", { class: "notice info" }, "Single keys are switched off in Settings."),
    sections.map(([where, keys]) => h("section", { class: "shortcuts" }, h("h3", {}, where),
      h("dl", {}, Object.entries(keys).map(([key, text]) =>
        h("div", {}, h("dt", {}, h("kbd", {}, spelled(key))), h("dd", {}, text)))))),
    h("div", { class: "actions" }, close));
  openDialog(dialog);
}

/** Returns the name of a key. @param {string} key */
function spelled(key) {
  return /^[A-Z]$/.test(key) ? `Shift ${key}` : key;
}
