// @ts-check
// The lines of a list in batches, with what the rules of the page and the server say about each.
import { newKey } from "./api.js";

/** @import { NumberedLine } from "./lines.js" */
/** @import { Plan } from "./rules.js" */
/** @import { Wide } from "./wide.js" */

/**
 * @typedef {object} Line
 * @property {number} number
 * @property {string} content
 * @property {string} [type]
 * @property {string} [canonical]
 * @property {string} [refusal] what the rules of this page refuse
 * @property {string} [looksLike] the domain that the host of the asset looks like
 * @property {number} [repeats] the number of the line with the same asset
 * @property {string | undefined} [planned] what the server's dry run says
 * @property {string | undefined} [unblocks] what blocks the asset now: adding it allows it for everyone
 * @property {Wide | undefined} [wide] why nobody should allow the asset by accident
 * @property {boolean} [asks] whether it is sent only after a question
 * @property {boolean} [left] whether the user has left it out
 * @property {string} [result] what the server has done
 * @property {number} [added] the ID of the asset that the server has added, until that is taken back
 * @property {boolean | undefined} [ok] whether planned or result is good
 */

/** @typedef {{ success: true, id?: number } | { success: false, error: string }} Result */
/**
 * @typedef {Result & { verdict: string | null, match: { content: string } | null, wide: Wide | null }} PlannedResult
 */

/** What the server says about an asset that the allowlist has. */
const exists = "Asset already exists in organization";
/** What it says about one that is BLOCKED and must not be unblocked. */
const isBlocked = "Asset is blocked";

/**
 * A batch has one idempotency key, and another one for taking it back.
 *
 * @typedef {{ start: number, end: number, key: string, keyBack: string, done: boolean }} Batch
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
  /** The first line of each asset that the rules accept. @type {Map<string, number>} */
  #first = new Map();

  /** Whether all lines of the text are recognized. */
  get complete() {
    return this.total > 0 && this.all.length === this.total;
  }

  forget() {
    this.all = [];
    this.total = 0;
    this.batches = [];
    this.counts = noCounts();
    this.#first.clear();
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
      if (planned?.type) {
        line.type = planned.type;
        line.canonical = planned.canonical ?? "";
      }
      if (planned?.looksLike) {
        line.looksLike = planned.looksLike;
      }
      const refusal = planned ? planned.error : plan.valid ? undefined : plan.issues[0] ?? plan.message;
      this.#repeat(line, refusal);
      if (refusal || line.repeats !== undefined) {
        line.refusal = refusal ?? exists;
        this.counts.refused++;
      }
      if (isLookAlike(line)) {
        this.counts.lookAlikes++;
      }
      this.all.push(line);
    });
    this.counts.recognized += lines.length;
    this.batches.push({ start, end: this.all.length, key: newKey(), keyBack: newKey(), done: false });
    this.#changed(start, this.all.length);
  }

  /**
   * Notes the first line of an asset on each later one. The server refuses those, wherever they are in
   * the list, but its dry run of a batch knows nothing of the batches before.
   *
   * @param {Line} line
   * @param {string | undefined} refusal
   */
  #repeat(line, refusal) {
    if (!line.type || refusal && refusal !== exists) {
      return;
    }
    const asset = `${line.type} ${line.canonical}`;
    const first = this.#first.get(asset);
    if (first === undefined) {
      this.#first.set(asset, line.number);
    } else {
      line.repeats = first;
    }
  }

  /**
   * Returns the lines of a batch that are sent.
   *
   * @param {Batch} batch
   */
  linesOf({ start, end }) {
    return this.all.slice(start, end).filter(({ left }) => !left);
  }

  /**
   * Takes the results of a dry run.
   *
   * @param {Batch} batch
   * @param {PlannedResult[]} results
   */
  planned(batch, results) {
    this.#take(batch, results, (line, result) => {
      const refusal = result.success ? line.refusal : result.error;
      line.ok = refusal === undefined;
      line.planned = refusal ?? "would be added";
      this.counts.planned++;
      if (line.ok) {
        this.counts.wouldAdd++;
      }
      if (line.ok && line.looksLike !== undefined) {
        line.planned = `would be added, and looks like ${line.looksLike}`;
        this.counts.wouldMislead++;
      }
      if (line.ok && result.wide) {
        line.wide = result.wide;
        line.planned = "would be added, and allows everything below it";
        this.counts.wouldWiden++;
      }
      if (line.ok && result.verdict === "BLOCKED") {
        line.unblocks = result.match?.content ?? "an external list";
        line.planned = "would be added, and is BLOCKED now";
        this.counts.wouldUnblock++;
      }
      line.asks = line.ok && (line.looksLike ?? line.wide ?? line.unblocks) !== undefined;
      if (line.asks) {
        this.counts.toConfirm++;
      }
    });
  }

  /** Forgets the results of a dry run. */
  unplan() {
    if (this.counts.planned > 0) {
      for (const line of this.all) {
        line.planned = line.ok = line.unblocks = line.wide = undefined;
        line.asks = line.left = false;
      }
      Object.assign(this.counts, {
        planned: 0, wouldAdd: 0, wouldUnblock: 0, wouldWiden: 0, wouldMislead: 0, toConfirm: 0, left: 0,
      });
      this.#changed(0, this.all.length);
    }
  }

  /** Leaves out what needs a confirmation, wherever it is in the list. */
  leaveOut() {
    const numbers = new Set(this.all.filter(needsConfirmation).map(({ number }) => number));
    for (const line of this.all) {
      if (numbers.has(line.repeats ?? line.number)) {
        line.left = true;
        line.planned = "left out";
        line.ok = false;
        this.counts.left++;
      }
    }
    this.#changed(0, this.all.length);
  }

  /**
   * Takes the results of a batch add.
   *
   * @param {Batch} batch
   * @param {Result[]} results
   */
  sent(batch, results) {
    this.#take(batch, results, (line, result) => {
      if (line.ok && !result.success && result.error === isBlocked) {
        this.counts.blockedSince++;
      }
      line.ok = result.success;
      line.result = result.success ? "added" : result.error;
      this.counts.sent++;
      if (result.success) {
        line.added = result.id ?? 0;
        this.counts.added++;
        this.counts.unblocked += line.unblocks === undefined ? 0 : 1;
      }
    });
    batch.done = true;
  }

  /**
   * Returns the lines of a batch that are added, and not taken back.
   *
   * @param {Batch} batch
   */
  addedOf(batch) {
    return this.linesOf(batch).filter(({ added }) => added !== undefined);
  }

  /**
   * Takes the results of a removal of the lines that a batch has added.
   *
   * @param {Batch} batch
   * @param {Result[]} results
   */
  tookBack(batch, results) {
    this.#put(this.addedOf(batch), results, (line, result) => {
      delete line.added;
      delete line.ok;
      delete line.refusal;
      line.result = result.success ? "taken back" : "somebody else has removed it";
      this.counts.back++;
    });
    this.#changed(batch.start, batch.end);
  }

  /**
   * Puts the results of a batch beside its lines.
   *
   * @template {Result} R
   * @param {Batch} batch
   * @param {R[]} results
   * @param {(line: Line, result: R) => void} put
   */
  #take(batch, results, put) {
    this.#put(this.linesOf(batch), results, put);
    this.#changed(batch.start, batch.end);
  }

  /**
   * @template {Result} R
   * @param {Line[]} lines
   * @param {R[]} results
   * @param {(line: Line, result: R) => void} put
   */
  #put(lines, results, put) {
    if (results.length !== lines.length) {
      throw new Error(`the server answered with ${results.length} results for ${lines.length} lines`);
    }
    results.forEach((result, index) => put(/** @type {Line} */ (lines[index]), result));
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
  return {
    recognized: 0, refused: 0, lookAlikes: 0, planned: 0, wouldAdd: 0, wouldUnblock: 0, wouldWiden: 0, wouldMislead: 0,
    toConfirm: 0, left: 0, sent: 0, added: 0, unblocked: 0, blockedSince: 0, back: 0,
  };
}

/**
 * Returns the body of a batch add, always the same for the same lines and details. The user was asked only
 * about the lines that the server's dry run would unblock, so the server must refuse the others if they are
 * BLOCKED by now.
 *
 * @param {(NumberedLine & Pick<Line, "planned" | "unblocks">)[]} lines
 * @param {Details} details
 * @param {boolean} [dryRun]
 */
export function bodyOf(lines, details, dryRun = false) {
  const assets = lines.map(({ content, planned, unblocks }) => ({
    content, ...details, ...(planned !== undefined && unblocks === undefined ? { refuseBlocked: true } : {}),
  }));
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

/**
 * Whether a line is not added, or would not be.
 *
 * @param {Line} line
 */
export function isProblem({ ok, refusal }) {
  return ok === undefined ? refusal !== undefined : !ok;
}

/**
 * Whether a line is sent only after a question: it would unblock its asset, allow everything below a host, or looks
 * like another domain.
 *
 * @param {Line} line
 */
export function needsConfirmation({ asks = false }) {
  return asks;
}

/**
 * Whether a line that this page does not refuse looks like another domain.
 *
 * @param {Line} line
 */
export function isLookAlike({ looksLike, refusal }) {
  return looksLike !== undefined && refusal === undefined;
}
