// @ts-check
// The lines of a list in batches, with what the rules of the page and the server say about each.
import { newKey } from "./api.js";

/** @import { NumberedLine } from "./lines.js" */
/** @import { Plan } from "./rules.js" */

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

/**
 * A batch has one idempotency key.
 *
 * @typedef {{ start: number, end: number, key: string, done: boolean }} Batch
 */

/**
 * What the lines of a list have in common, as the API names it.
 *
 * @typedef {{ name?: string, groupId?: number, expiresAt?: string }} Details
 */

/** Dispatches "lines" with the range of the lines that have changed. */
export class Lines extends EventTarget {
  /** @type {Line[]} */
  all = [];
  /** The number of lines of the text. Some of them may still have to be recognized. */
  total = 0;
  /** @type {Batch[]} */
  batches = [];
  counts = noCounts();

  /** Whether all lines of the text are recognized. */
  get complete() {
    return this.total > 0 && this.all.length === this.total;
  }

  forget() {
    this.all = [];
    this.total = 0;
    this.batches = [];
    this.counts = noCounts();
    this.#changed(0, Infinity);
  }

  /**
   * Adds the next batch, with what the rules say about it.
   *
   * @param {NumberedLine[]} lines
   * @param {Plan} plan
   */
  append(lines, plan) {
    const start = this.all.length;
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
      this.all.push(line);
    });
    this.counts.recognized += lines.length;
    this.batches.push({ start, end: this.all.length, key: newKey(), done: false });
    this.#changed(start, this.all.length);
  }

  /**
   * Takes the results of a dry run.
   *
   * @param {Batch} batch
   * @param {Result[]} results
   */
  planned(batch, results) {
    this.#take(batch, results, (line, result) => {
      line.planned = result.success ? "would be added" : result.error;
    });
    this.counts.planned += results.length;
    this.counts.wouldAdd += results.filter(({ success }) => success).length;
  }

  /** Forgets the results of a dry run. */
  unplan() {
    if (this.counts.planned > 0) {
      for (const line of this.all) {
        line.planned = line.ok = undefined;
      }
      this.counts.planned = this.counts.wouldAdd = 0;
      this.#changed(0, this.all.length);
    }
  }

  /**
   * Takes the results of a batch add.
   *
   * @param {Batch} batch
   * @param {Result[]} results
   */
  sent(batch, results) {
    this.#take(batch, results, (line, result) => {
      line.result = result.success ? "added" : result.error;
    });
    batch.done = true;
    this.counts.sent += results.length;
    this.counts.added += results.filter(({ success }) => success).length;
  }

  /**
   * Puts the results of a batch beside its lines.
   *
   * @param {Batch} batch
   * @param {Result[]} results
   * @param {(line: Line, result: Result) => void} put
   */
  #take({ start, end }, results, put) {
    if (results.length !== end - start) {
      throw new Error(`the server answered with ${results.length} results for ${end - start} lines`);
    }
    results.forEach((result, index) => {
      const line = /** @type {Line} */ (this.all[start + index]);
      line.ok = result.success;
      put(line, result);
    });
    this.#changed(start, end);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #changed(start, end) {
    this.dispatchEvent(new CustomEvent("lines", { detail: { start, end } }));
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
export function bodyOf(lines, details, dryRun = false) {
  const assets = lines.map(({ content }) => ({ content, ...details }));
  return JSON.stringify(dryRun ? { assets, dryRun } : { assets });
}

/**
 * Returns what is known about a line.
 *
 * @param {Line} line
 */
export function outcome(line) {
  return line.result ?? line.planned ?? line.refusal ?? "";
}
