// @ts-check
import { post } from "../api.js";
import { recognition } from "../check-recognition.js";
import { pending, verdict } from "../check-verdict.js";
import { rules } from "../workers.js";
import { announce, fill, h } from "../dom.js";
import { empty, failure, show, working } from "../parts.js";
import { assetText } from "../safe-text.js";
import { undoList } from "../undo-list.js";

/** @import { View } from "../parts.js" */
/** @import { Checked } from "../check-recognition.js" */

const examples = [
  "https://WWW.Bad.Example.com:443/login?x=1", "@acme_giveaway", "login.acme.example.com",
  "0x00000000219ab540356cBB839Cbe05303d7705Fa",
];

/** A browser refuses to keep very long texts in its history. */
const maxDraft = 20_000;

/** The milliseconds without a key after which the server is asked. */
const pauseOfTyping = 350;

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function checkView(params, signal) {
  const input = h("textarea", {
    rows: 2, "aria-label": "Content to check", placeholder: "Paste a link, a handle, an address …",
    spellcheck: "false", autofocus: true,
  });
  input.value = draft() ?? params.get("content") ?? "";
  const said = h("div", { role: "status" });
  const status = h("section", { "aria-label": "Status" });
  const recognized = h("section", { "aria-label": "Recognized" });
  const past = h("section", { "aria-label": "History" });
  const submit = h("button", { class: "primary" }, "Check");
  const form = h("form", { class: "card check-form" }, input, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void enter();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void enter();
    }
  });
  let typing = 0;
  let asking = new AbortController();
  input.addEventListener("input", () => {
    forget();
    void recognize();
    clearTimeout(typing);
    typing = setTimeout(() => {
      keepDraft();
      ask();
    }, pauseOfTyping);
  });
  input.addEventListener("change", keepDraft);
  signal.addEventListener("abort", () => clearTimeout(typing));

  /** Keeps what was typed for the time when the user comes back. */
  function keepDraft() {
    if (!signal.aborted) {
      const checked = input.value === params.get("content");
      history.replaceState(checked ? null : { draft: input.value.slice(0, maxDraft) }, "");
    }
  }

  /** Takes away the answer about what was in the field before. */
  function forget() {
    asking.abort();
    status.removeAttribute("aria-busy");
    past.removeAttribute("aria-busy");
    fill(said);
    fill(status);
    fill(past);
  }

  /** @param {Checked} [checked] */
  async function recognize(checked) {
    const content = input.value;
    if (content.trim() === "") {
      fill(recognized, start());
      return;
    }
    try {
      const explained = await rules.explain(content);
      if (content === input.value) {
        fill(recognized, recognition(explained, checked));
      }
    } catch (error) {
      fill(recognized, failure(error, () => void recognize(checked)));
    }
  }

  /** Checks what is in the field. */
  function check() {
    const content = input.value;
    if (content.trim() !== "") {
      clearTimeout(typing);
      keepAddress(content);
      void recognize();
      ask();
    }
  }

  /** Checks what was entered. What is disarmed for display is read as what it means. */
  async function enter() {
    const content = input.value;
    const { refanged } = await rules.explain(content).catch(() => ({ refanged: undefined })); // check shows the failure
    if (refanged !== undefined && content === input.value) {
      input.value = refanged;
      fill(said, h("div", { class: "notice info" },
        h("p", { class: "line" }, assetText(content), "is read as", assetText(refanged))));
    }
    check();
  }

  /**
   * Keeps what was checked in the address. If it is there, nothing is replaced: a browser may drop a step back
   * that begins at the same time.
   *
   * @param {string} content
   */
  function keepAddress(content) {
    if (params.get("content") !== content || draft() !== undefined) {
      params.set("content", content);
      history.replaceState(null, "", `#/check?${params}`);
    }
  }

  /** Asks the server, unless the rules know that it refuses the content. */
  function ask() {
    const content = input.value;
    asking.abort();
    asking = new AbortController();
    const stop = AbortSignal.any([signal, asking.signal]);
    if (content.trim() === "") {
      return;
    }
    void working(submit, show(status, async () => {
      const { covers, looksLike } = await rules.explain(content);
      if (covers.length === 0) {
        return [];
      }
      const result = await post("/asset/check", { content }, { signal: stop });
      stop.throwIfAborted();
      keepAddress(content);
      void recognize(result);
      return verdict(result, looksLike, past, stop, (done) => {
        fill(said, done ?? "");
        check();
      });
    }, { meanwhile: pending() }));
  }

  function start() {
    return empty("What is this, and may it be shown?",
      "Paste anything that somebody could be tricked with. The page recognizes it while you type, and the server says "
        + "whether it is blocked.",
      h("p", {}, "Try one:"),
      h("ul", { class: "plain" }, examples.map((example) => {
        const tryIt = () => { input.value = example; check(); input.focus(); };
        return h("li", {}, h("button", { type: "button", class: "link", onclick: tryIt }, example));
      })));
  }

  if (draft() === undefined && input.value !== "") {
    check();
  } else {
    void recognize();
    ask();
  }
  const mine = undoList({
    kind: "asset", signal,
    undone: (text) => {
      announce(text);
      fill(said, h("p", { class: "notice info" }, text));
      check();
    },
  });
  const element = h("div", { class: "stack" },
    form, mine, said, status, h("div", { class: "columns" }, recognized, past));
  return { title: "Check", element };
}

/** @returns {string | undefined} what was typed here before the user went elsewhere */
function draft() {
  return history.state?.draft;
}
