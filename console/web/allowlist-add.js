// @ts-check
// The tab that adds a list: recognized while it is entered, planned, and sent.
import { askToConfirm, askToTakeBack, askWithoutPlan, confirmTexts } from "./allowlist-confirm.js";
import { outcome } from "./allowlist-lines.js";
import { KeyChanged, Run } from "./allowlist-run.js";
import { linesTable } from "./allowlist-table.js";
import { ApiError } from "./api.js";
import { typesOfLines } from "./chart.js";
import { csv } from "./csv.js";
import { announce, fill, h } from "./dom.js";
import { draftOf, keepDraft } from "./drafts.js";
import { TextProblem, maxBytes, maxLines } from "./lines.js";
import { grouped } from "./numbers.js";
import { empty, failure, field } from "./parts.js";

/** @import { Line } from "./allowlist-lines.js" */

/** From here on, a paste does not go through the field, which takes seconds for long texts. */
const manyLines = 500;

const example = [
  "https://www.acme.example.com", "@acme_official", "t.me/acme_news", "support@acme.example.com",
  "0x00000000219ab540356cBB839Cbe05303d7705Fa", "https://acme.example.com/shop", "this is not an asset",
].join("\n");

/** The draft of what is entered and not sent. */
const draft = "allowlist";

/** A longer text is no draft. */
const longestDraft = 100_000;

const run = new Run();
addEventListener("beforeunload", (event) => {
  const isLost = !run.started && run.state !== "empty" && draftOf(draft).every(([name]) => name !== "text");
  if (run.unfinished || isLost) {
    event.preventDefault();
  }
});
run.addEventListener("change", () => {
  if (run.started && draftOf(draft).length > 0) {
    keepEntered("");
  }
  if (run.error instanceof KeyChanged) {
    announce("The list stopped, because the key was changed.");
  }
});

/** Whether there is a list that is not added yet, or whose results were not looked at. */
export function listInProgress() {
  return run.state !== "empty" || draftOf(draft).length > 0;
}

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
export function addTab(signal) {
  const input = h("textarea", {
    rows: 5, spellcheck: "false", "aria-label": "Contents, one a line",
    placeholder: "One content a line. Paste, type, or drop a text file here.",
  });
  const isShort = (run.list.all.at(-1)?.number ?? 0) <= manyLines;
  input.value = enteredBefore() || (isShort ? textOf(run.list.all) : "");
  const file = h("input", { type: "file", multiple: true, accept: ".txt,.csv,text/plain", "aria-label": "Text file" });
  const bar = h("div", { class: "toolbar" });
  const summary = h("div", { class: "summary" });
  const problem = h("div", {});
  const warning = h("div", {});
  const table = linesTable(() => run.list.all, () => run.planned);
  const nothing = empty("No lines yet",
    "Paste a list of your own links, accounts and addresses. Each line is recognized at once; nothing is sent before "
      + "you say so. What the server adds becomes allowed.",
    button("Try an example", () => { take(example); keepEntered(input.value = example); input.focus(); }));
  const place = h("div", {});
  const chart = h("div", {});
  const limit = `or drop a file of at most ${maxBytes >> 20} MB and ${grouped(maxLines)} lines`;
  const drop = h("section", { class: "card stack drop", "aria-label": "Input" },
    input, h("div", { class: "toolbar" }, file, h("span", { class: "hint" }, limit)), details(() => input.value));

  if (run.state === "empty" && input.value !== "") {
    describe();
    void run.recognize(input.value);
  }
  let typing = 0;
  input.addEventListener("input", () => {
    keepEntered(input.value);
    clearTimeout(typing);
    typing = setTimeout(() => void recognizeTyped(), 250);
  });
  /** Recognizes what was typed last, unless that has begun. */
  async function recognizeTyped() {
    if (typing !== 0) {
      stopTyping();
      await run.recognize(input.value);
    }
  }
  const stopTyping = () => {
    clearTimeout(typing);
    typing = 0;
  };
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length > maxBytes || text.split("\n", manyLines + 1).length > manyLines) {
      event.preventDefault();
      take(text);
    }
  });
  file.addEventListener("click", () => { file.value = ""; }); // so that the same file can be chosen again
  file.addEventListener("change", () => take(...file.files ?? []));
  // Anywhere on the page: a file that misses the field would replace the page.
  document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
  document.addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files ?? [];
    if (files.length > 0 || event.target !== input) {
      event.preventDefault();
      take(...files);
    }
  }, { signal });

  /** @param {...(string | File)} sources */
  function take(...sources) {
    const [first] = sources;
    if (first === undefined || run.started) {
      return;
    }
    stopTyping();
    input.value = "";
    keepEntered("");
    void run.recognize(sources.length === 1 ? first : new Blob(sources.flatMap((source) => [source, "\n"])));
  }

  const draw = () => {
    const { state, started, error, list: { all, batches, counts, total, complete } } = run;
    drop.hidden = started;
    input.rows = run.planned ? 2 : 5;
    bar.setAttribute("aria-busy", String(busy())); // so that the focus comes back to a button that comes back
    // New buttons would lose a press that has begun.
    const kind = error instanceof KeyChanged ? "key" : forbidden() ? "forbidden" : "";
    ifChanged(bar, `${state} ${started} ${total > 0} ${complete} ${run.sameKey} ${kind}`,
      () => fill(bar, buttons()));
    const done = started ? counts.sent - counts.back : state === "planning" ? counts.planned : counts.recognized;
    fill(summary,
      total > 0 && h("p", { class: "figures" }, figure(total, "lines"),
        figure(counts.recognized - counts.refused, "recognized"), figure(counts.refused, "refused here"),
        counts.lookAlikes > 0 && !started && figure(counts.lookAlikes, "look-alikes"),
        counts.planned > 0 && !started && figure(counts.wouldAdd, "would be added"),
        counts.planned > 0 && !started && figure(counts.planned - counts.wouldAdd, "would be refused"),
        counts.left > 0 && figure(counts.left, "left out"),
        started && figure(counts.added - counts.back, "added"),
        started && figure(counts.sent - counts.added, "refused by the server")),
      total > 0 && h("progress", { max: total, value: done, "aria-label": "Progress", class: busy() ? "" : "quiet" }),
      total > 0 && h("p", { class: "state", "data-state": state }, sentence()));
    const texts = run.planned && !started ? confirmTexts(counts) : [];
    ifChanged(warning, texts.join("\n"), () => {
      fill(warning, texts.length > 0 && h("div", { class: "notice grave", role: "alert" },
        texts.map((text) => h("p", {}, h("strong", {}, text)))));
      table.choose(texts.length > 0 ? "confirm" : "all");
    });
    ifChanged(problem, error, () => fill(problem, state !== "waiting" && error !== undefined && notice(error)));
    ifChanged(place, state === "empty", () => fill(place, state === "empty" ? nothing : table.element));
    ifChanged(chart, `${busy()} ${batches[0]?.key} ${counts.planned} ${counts.sent}`,
      () => fill(chart, total > 0 && !busy() && typesOfLines(all)));
    table.draw();
  };

  /** Whether the list is on its way to the server, or back. */
  const underWay = () => ["sending", "takingBack", "waiting"].includes(run.state);
  const busy = () => underWay() || ["recognizing", "planning"].includes(run.state);

  /** Whether the key may add, but not ask for a dry run. */
  const forbidden = () => run.error instanceof ApiError && run.error.status === 403;

  /** Sends the list after the server has planned it, and the user has seen what it would unblock or let through. */
  async function add() {
    await recognizeTyped();
    if (!run.planned) {
      await plan();
    }
    const left = signal.aborted; // a question would be about another view
    if (!run.planned || run.state !== "ready" || left && run.list.counts.toConfirm > 0) {
      return;
    }
    if (run.list.counts.toConfirm > 0) {
      draw(); // the button that was pressed, which the dialog gives the focus back to
      askToConfirm(run.list, () => void run.send());
    } else {
      await run.send();
    }
  }

  /** Plans what was typed last. */
  async function plan() {
    await recognizeTyped();
    if (run.state === "ready") {
      await run.plan();
    }
  }

  async function addWithoutPlan() {
    await recognizeTyped();
    if (run.state === "ready") {
      askWithoutPlan(run.list, () => void run.send());
    }
  }

  function buttons() {
    const { state, started, error, list: { total, complete, counts } } = run;
    const goOn = error instanceof KeyChanged ? "Go on with the new key" : "Try again";
    return [
      state === "ready" && button("Add to the allowlist", () => void add(), "primary"),
      state === "ready" && button("Ask the server first", () => void plan()),
      state === "ready" && forbidden()
        && button("Add without a plan", () => void addWithoutPlan()),
      state === "paused" && button("Resume", () => run.goOn(), "primary"),
      state === "stopped" && complete && !(run.back && error instanceof KeyChanged)
        && button(goOn, () => run.goOn(), "primary"),
      state === "stopped" && !complete && button("Try again", () => run.recognizeAgain(), "primary"),
      underWay() && button("Pause", () => run.pause()),
      (state === "done" || state === "paused" && !run.back) && run.sameKey && counts.added > 0
        && button("Take back …", () => askToTakeBack(run)),
      state === "planning" && button("Cancel", () => run.pause()),
      total > 0 && !busy() && button("Download CSV", () => void download()),
      state !== "empty" && !underWay()
        && button(started ? "Start over" : "Clear", clear),
    ];
  }

  function clear() {
    stopTyping();
    input.value = file.value = "";
    keepEntered("");
    run.clear();
    draw(); // the field is hidden until then
    input.focus();
  }

  function sentence() {
    const { state, list: { counts, total } } = run;
    const left = grouped(run.back ? counts.added - counts.back : total - counts.sent - counts.left);
    switch (state) {
      case "recognizing": return `Recognizing ${grouped(counts.recognized)} of ${grouped(total)} …`;
      case "planning": return `The server plans ${grouped(counts.planned)} of ${grouped(total)} …`;
      case "takingBack": return `Taken back ${grouped(counts.back)} of ${grouped(counts.added)} …`;
      case "takenBack": return `Taken back: ${grouped(counts.back)} of ${grouped(counts.added)}.`;
      case "sending": return `Sent ${grouped(counts.sent)} of ${grouped(total)} …`;
      case "waiting":
        return `${absence()} ${left} lines wait; the next attempt is in ${run.retryIn} s. Nothing is added twice.`;
      case "paused": return `Paused. ${left} lines are left.`;
      case "done":
        return `Done: ${grouped(counts.added)} added, ${grouped(counts.sent - counts.added)} refused.`
          + (counts.refused > 0 && counts.left === 0
            ? ` The server confirmed what was refused here (${grouped(counts.refused)}).` : "")
          + (counts.left > 0 ? ` ${grouped(counts.left)} left out.` : "")
          + (counts.unblocked > 0 ? ` ${grouped(counts.unblocked)} of them were BLOCKED and are ALLOWED now.` : "")
          + (counts.blockedSince > 0 ? ` Blocked since the plan, and not added: ${grouped(counts.blockedSince)}.` : "");
      case "stopped": return run.started ? `Stopped. ${left} lines are left.` : "Stopped.";
      default: return counts.planned > 0
        ? "Planned. Nothing has been added yet."
        : "Recognized. Nothing has been sent yet.";
    }
  }

  let last = "";
  let asked = false;
  run.addEventListener("change", () => {
    if (!asked) {
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        draw();
      });
    }
    if (run.state !== last && ["ready", "waiting", "paused", "done", "takenBack", "stopped"].includes(run.state)) {
      announce(sentence());
    }
    last = run.state;
  }, { signal });
  run.list.addEventListener("lines", (event) => {
    const { start, end } = /** @type {CustomEvent<{ start: number, end: number }>} */ (event).detail;
    table.update(start, end);
  }, { signal });
  draw();
  return h("div", { class: "stack" }, warning, drop, problem,
    h("section", { class: "stack", "aria-label": "Progress of the list" }, bar, summary), place, chart);
}

/** What was entered for all lines, also for the next visit of the view. */
const entered = { name: "", group: "", lastDay: "" };

/** Gives the run what was entered for all lines. */
function describe() {
  const { name, group, lastDay } = entered;
  run.describe({
    ...(name !== "" ? { name } : {}),
    ...(group !== "" ? { groupId: Number(group) } : {}),
    ...(lastDay !== "" ? { expiresAt: `${lastDay}T23:59:59Z` } : {}),
  });
}

/**
 * Keeps what is entered for a reload, if it is not too long.
 *
 * @param {string} text
 */
function keepEntered(text) {
  keepDraft(draft, text === "" || text.length > longestDraft ? [] : [["text", text], ...Object.entries(entered)]);
}

/** Enters for all lines what was entered before a reload, and returns the text of then. */
function enteredBefore() {
  const { text = "", ...all } = Object.fromEntries(draftOf(draft));
  Object.assign(entered, all);
  return text;
}

/**
 * Returns fields for what all lines have in common.
 *
 * @param {() => string} text returns the text that is entered
 */
function details(text) {
  const control = (/** @type {keyof typeof entered} */ name, /** @type {Record<string, unknown>} */ props) => {
    const input = h("input", { name, value: entered[name], ...props });
    input.addEventListener("change", () => {
      entered[name] = input.value.trim();
      keepEntered(text());
      describe();
    });
    return input;
  };
  return h("details", { open: Object.values(entered).some(Boolean) },
    h("summary", {}, "For all lines: a name, a group, an end"),
    h("div", { class: "filters" },
      field("Name", control("name", { spellcheck: "false" })),
      field("Group", control("group", { type: "number", min: "1", step: "1" }),
        "The ID of a group of your organization"),
      field("Last day (UTC)", control("lastDay", { type: "date" }), "Then they leave the allowlist")));
}

/** What a place shows. @type {WeakMap<Element, unknown>} */
const shown = new WeakMap();

/**
 * Draws a place only if what it shows has changed, so that the focus and the position stay.
 *
 * @param {Element} place
 * @param {unknown} value
 * @param {() => void} drawPlace
 */
function ifChanged(place, value, drawPlace) {
  if (!shown.has(place) || shown.get(place) !== value) {
    shown.set(place, value);
    drawPlace();
  }
}

/** Says why lines wait. */
function absence() {
  const status = run.error instanceof ApiError ? run.error.status : 0;
  switch (status) {
    case 0: return "The server is away.";
    case 409: return "The server still works on an earlier attempt.";
    case 429: return "The server asks to wait.";
    default: return `The server fails (${status}).`;
  }
}

/** @param {unknown} error */
function notice(error) {
  if (error instanceof TextProblem) {
    return h("p", { class: "notice error", role: "alert" }, error.message);
  }
  if (error instanceof KeyChanged) {
    return h("div", { class: "notice key", role: "alert" }, h("p", {}, h("strong", {}, error.message)),
      h("p", {}, "What was sent until then is on the allowlist of the earlier key's organization. What is left would ",
        "go to the organization of the new key. To go on where it began, enter the earlier key again."));
  }
  return failure(error);
}

/**
 * Returns lines as a text in which they have the same numbers.
 *
 * @param {Line[]} lines
 */
function textOf(lines) {
  /** @type {string[]} */
  const texts = [];
  for (const { number, content } of lines) {
    texts[number - 1] = content;
  }
  return texts.join("\n"); // blank lines have no element
}

/**
 * @param {string} label
 * @param {() => void} act
 * @param {string} [look]
 */
function button(label, act, look = "") {
  return h("button", { type: "button", class: look, onclick: act }, label);
}

/**
 * @param {number} value
 * @param {string} label
 */
function figure(value, label) {
  return h("span", { class: "figure" }, h("strong", {}, grouped(value)), ` ${label}`);
}

async function download() {
  const file = await csv(["line", "content", "type", "canonical", "result"], run.list.all,
    (line) => [String(line.number), line.content, line.type ?? "", line.canonical ?? "", outcome(line)]);
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: "allowlist.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
