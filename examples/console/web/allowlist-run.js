// @ts-check
// A list of contents on its way to the allowlist. It goes on while another view is shown. Each
// batch has one idempotency key and always the same bytes, so a batch whose reply was lost can be
// sent again: the server adds nothing twice.
import { ApiError, post } from "./api.js";
import { rules } from "./core.js";
import { TextProblem, checkSize } from "./lines.js";
import { readLines } from "./read-lines.js";
import { currentKeys, onSessionChange } from "./session.js";
import { nextTask } from "./tasks.js";

/**
 * @typedef {object} Line
 * @property {number} number
 * @property {string} content
 * @property {string} [type]
 * @property {string} [canonical]
 * @property {string} [refusal] what the rules of this page refuse
 * @property {string | undefined} [planned] what the server's dry run says
 * @property {string} [result] what the server has done
 * @property {boolean | undefined} [ok] whether planned or result is good
 */

/** @typedef {{ success: true } | { success: false, error: string }} Result */
/** @typedef {{ start: number, end: number, key: string, done: boolean }} Batch */
/** @typedef {"empty" | "recognizing" | "ready" | "planning" | "sending" | "waiting" | "paused" | "stopped" | "done"} State */

/** The run was stopped, because what is left would go to the organization of another key. */
export class KeyChanged extends Error {
  constructor() {
    super("The key of your organization was changed in Settings.");
  }
}

/** The part of a text that becomes bytes in one task. */
const textPart = 1 << 20;
/** The lines that become rows of a CSV file in one task. */
const csvPart = 1000;

/**
 * What the lines of a list have in common, as the API names it.
 *
 * @typedef {{ name?: string, groupId?: number, expiresAt?: string }} Details
 */

/**
 * Dispatches "change" after each step, and "lines" with the range of the lines that have changed.
 */
export class Run extends EventTarget {
  /** @type {Line[]} */
  lines = [];
  /** The lines of the text, of which some may be still to be recognized. */
  total = 0;
  /** @type {Batch[]} */
  batches = [];
  /** @type {State} */
  state = "empty";
  /** @type {unknown} */
  error;
  counts = noCounts();
  retryIn = 0;
  #work = new AbortController();
  /** @type {Blob | string} */
  #source = "";
  /** The key of the organization that the server's answers are about. */
  #key = "";

  /** What all lines have in common. @type {Details} */
  #details = {};

  constructor() {
    super();
    onSessionChange(() => this.#keyChanged());
  }

  /** Whether all lines of the text are recognized. */
  get complete() {
    return this.total > 0 && this.lines.length === this.total;
  }

  /** Whether lines were sent, or are about to be. */
  get started() {
    return this.counts.sent > 0 || ["sending", "waiting", "paused", "done"].includes(this.state);
  }

  /** Whether lines are left of a run that was started. */
  get unfinished() {
    return this.started && this.state !== "done";
  }

  /** @param {State} state */
  #change(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #linesChanged(start, end) {
    this.dispatchEvent(new CustomEvent("lines", { detail: { start, end } }));
  }

  #forget() {
    this.#work.abort();
    this.lines = [];
    this.total = 0;
    this.batches = [];
    this.error = undefined;
    this.counts = noCounts();
    this.#linesChanged(0, Infinity);
  }

  /** Stops everything and forgets all lines. */
  clear() {
    this.#forget();
    this.#source = "";
    this.#change("empty");
  }

  /**
   * Sets what all lines have in common, and recognizes them again with it. A list that was
   * started keeps what it has, because a batch is always sent with the same bytes.
   *
   * @param {Details} details
   */
  describe(details) {
    if (!this.started) {
      this.#details = details;
      if (this.state !== "empty") {
        void this.recognizeAgain();
      }
    }
  }

  /**
   * Replaces the lines by those of a text, and recognizes them batch by batch.
   *
   * @param {Blob | string} source
   */
  async recognize(source) {
    this.#forget();
    this.#source = source;
    const { signal } = this.#work = new AbortController();
    this.#change("recognizing");
    try {
      checkSize(typeof source === "string" ? source.length : source.size);
      const text = typeof source === "string" ? await blobOf(source) : source;
      for await (const { lines, total } of readLines(text)) {
        const plan = signal.aborted ? undefined : await rules.plan(bodyOf(lines, this.#details));
        if (!plan || signal.aborted) {
          return;
        }
        this.total = total;
        this.#append(lines, plan);
        this.#change("recognizing");
      }
      if (!signal.aborted) {
        this.#change(this.total > 0 ? "ready" : "empty");
      }
    } catch (error) {
      if (error instanceof TextProblem && !signal.aborted) {
        this.#forget();
        this.error = error;
        this.#change("empty");
      } else {
        this.#stop(error, signal);
      }
    }
  }

  /** Recognizes the same text again. */
  async recognizeAgain() {
    await this.recognize(this.#source);
  }

  /**
   * @param {import("./lines.js").NumberedLine[]} lines
   * @param {import("./rules.js").Plan} plan
   */
  #append(lines, plan) {
    const start = this.lines.length;
    lines.forEach(({ number, content }, index) => {
      /** @type {Line} */
      const line = { number, content };
      const planned = plan.assets[index];
      const refusal = planned ? planned.error : plan.valid ? undefined : plan.issues[0] ?? plan.message;
      if (planned?.type) {
        line.type = planned.type;
        line.canonical = planned.canonical ?? "";
      }
      if (refusal) {
        line.refusal = refusal;
        this.counts.refused++;
      }
      this.lines.push(line);
    });
    this.counts.recognized += lines.length;
    this.batches.push({ start, end: this.lines.length, key: crypto.randomUUID(), done: false });
    this.#linesChanged(start, this.lines.length);
  }

  /** Asks the server for the results of a dry run. */
  async plan() {
    this.#unplan();
    const { signal } = this.#work = new AbortController();
    this.#key = currentKeys().key;
    this.error = undefined;
    this.#change("planning");
    try {
      for (const batch of this.batches) {
        const { results } = await post("/organization/assets", this.#body(batch, true), { signal });
        this.#take(batch, results, (line, result) => {
          line.planned = result.success ? "would be added" : result.error;
        });
        this.counts.planned += results.length;
        this.counts.wouldAdd += results.filter(({ success }) => success).length;
        this.#change("planning");
      }
      this.#change("ready");
    } catch (error) {
      if (!signal.aborted) {
        this.error = error;
        this.#change("ready");
      }
    }
  }

  /** Forgets the results of a dry run. */
  #unplan() {
    if (this.counts.planned > 0) {
      for (const line of this.lines) {
        line.planned = line.ok = undefined;
      }
      this.counts.planned = this.counts.wouldAdd = 0;
      this.#linesChanged(0, this.lines.length);
    }
  }

  /** Sends what is left. It waits while the server is away. */
  async send() {
    const { signal } = this.#work = new AbortController();
    this.#key = currentKeys().key;
    this.error = undefined;
    this.#change("sending");
    try {
      for (const batch of this.batches) {
        if (!batch.done) {
          await this.#sendBatch(batch, signal);
        }
      }
      this.#change("done");
    } catch (error) {
      this.#stop(error, signal);
    }
  }

  /**
   * @param {Batch} batch
   * @param {AbortSignal} signal
   */
  async #sendBatch(batch, signal) {
    for (let attempt = 0; ; attempt++) {
      try {
        const { results } = await post("/organization/assets", this.#body(batch), { idempotencyKey: batch.key, signal });
        this.#take(batch, results, (line, result) => {
          line.result = result.success ? "added" : result.error;
        });
        batch.done = true;
        this.counts.sent += results.length;
        this.counts.added += results.filter(({ success }) => success).length;
        this.#change("sending");
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || !error.temporary) {
          throw error;
        }
        this.error = error;
        this.retryIn = Math.max(Math.min(2 ** attempt, 15), error.retryAfter);
        this.#change("waiting");
        await pause(this.retryIn * 1000, signal);
        this.error = undefined;
      }
    }
  }

  /**
   * Puts the results of a batch beside its lines.
   *
   * @param {Batch} batch
   * @param {Result[]} results
   * @param {(line: Line, result: Result) => void} put
   */
  #take(batch, results, put) {
    if (results.length !== batch.end - batch.start) {
      throw new Error(`the server answered with ${results.length} results for ${batch.end - batch.start} lines`);
    }
    results.forEach((result, index) => {
      const line = /** @type {Line} */ (this.lines[batch.start + index]);
      line.ok = result.success;
      put(line, result);
    });
    this.#linesChanged(batch.start, batch.end);
  }

  /** Stops after the reply in progress is dropped; its batch is sent again with the same key. */
  pause() {
    this.#work.abort();
    this.error = undefined;
    this.#change(this.state === "planning" ? "ready" : "paused");
  }

  /** Stops if what was started for one organization could go on for another. */
  #keyChanged() {
    const same = currentKeys().key === this.#key;
    if (same && this.error instanceof KeyChanged) {
      this.error = undefined;
      this.#change("paused");
    } else if (!same && this.unfinished) {
      this.#work.abort();
      this.error = new KeyChanged();
      this.#change("stopped");
    } else if (!same && (this.state === "planning" || this.counts.planned > 0)) {
      this.#work.abort();
      this.#unplan();
      this.#change("ready");
    }
  }

  /**
   * @param {unknown} error
   * @param {AbortSignal} signal
   */
  #stop(error, signal) {
    if (!signal.aborted) {
      this.error = error;
      this.#change("stopped");
    }
  }

  /**
   * @param {Batch} batch
   * @param {boolean} [dryRun]
   */
  #body(batch, dryRun) {
    return bodyOf(this.lines.slice(batch.start, batch.end), this.#details, dryRun);
  }
}

function noCounts() {
  return { recognized: 0, refused: 0, planned: 0, wouldAdd: 0, sent: 0, added: 0 };
}

/**
 * Returns the body of a batch add, always the same for the same contents and details.
 *
 * @param {{ content: string }[]} lines
 * @param {Details} details
 * @param {boolean} [dryRun]
 */
function bodyOf(lines, details, dryRun = false) {
  const assets = lines.map(({ content }) => ({ content, ...details }));
  return JSON.stringify(dryRun ? { assets, dryRun } : { assets });
}

/**
 * Returns a text as bytes, which a worker can take over.
 *
 * @param {string} text
 */
async function blobOf(text) {
  const parts = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + textPart, text.length);
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) {
      end++; // a character of two units stays whole
    }
    parts.push(new Blob([text.slice(start, end)]));
    await nextTask();
  }
  return new Blob(parts);
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

/**
 * Returns the lines and their results as a CSV file.
 *
 * @param {Line[]} lines
 */
export async function csv(lines) {
  const parts = [new Blob([csvRow(["line", "content", "type", "canonical", "result"])])];
  for (let start = 0; start < lines.length; start += csvPart) {
    const rows = lines.slice(start, start + csvPart).map((line) => csvRow([String(line.number), line.content, line.type ?? "", line.canonical ?? "", outcome(line)]));
    parts.push(new Blob(rows));
    await nextTask();
  }
  return new Blob(parts, { type: "text/csv" });
}

/** @param {string[]} cells */
function csvRow(cells) {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** @param {Line} line */
export function outcome(line) {
  return line.result ?? line.planned ?? line.refusal ?? "";
}

/**
 * A spreadsheet would run a cell that begins like a formula.
 *
 * @param {string} text
 */
function cell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
