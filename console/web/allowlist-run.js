// @ts-check
// A list of contents on its way to the allowlist. It goes on while another view is shown. Each
// batch has one idempotency key and always the same bytes, so a batch whose reply was lost can be
// sent again: the server adds nothing twice.
import { Lines, bodyOf } from "./allowlist-lines.js";
import { ApiError, post } from "./api.js";
import { rules } from "./workers.js";
import { TextProblem, checkSize } from "./lines.js";
import { blobOf, readLines } from "./read-lines.js";
import { currentKeys, onSessionChange } from "./session.js";
import { pause } from "./tasks.js";

/** @import { Batch, Details, PlannedResult } from "./allowlist-lines.js" */

/**
 * @typedef {"empty" | "recognizing" | "ready" | "planning" | "sending" | "waiting" | "paused" | "stopped" | "done"
 *   | "takingBack" | "takenBack"} State
 */

/** The states after which nothing is left to do. @type {State[]} */
const ended = ["done", "takenBack"];

/** The run was stopped, because what is left would go to the organization of another key, or to none. */
export class KeyChanged extends Error {
  constructor() {
    super(currentKeys().key === "" ? "The page no longer has the key of your organization."
      : "The key of your organization was changed in Settings.");
  }
}

/** Dispatches "change" after each step. */
export class Run extends EventTarget {
  list = new Lines();
  /** @type {State} */
  state = "empty";
  /** @type {unknown} */
  error;
  retryIn = 0;
  #work = new AbortController();
  /** @type {Blob | string} */
  #source = "";
  /** The key of the organization that the server's answers are about. */
  #key = "";
  /** What all lines have in common. @type {Details} */
  #details = {};
  /** Whether what was added is being taken back. */
  back = false;

  constructor() {
    super();
    onSessionChange(() => this.#keyChanged());
  }

  /** Whether lines were sent, or are about to be. */
  get started() {
    return this.list.counts.sent > 0 || ["sending", "waiting", "paused", ...ended].includes(this.state);
  }

  /** Whether the server has said about each line what it would do. */
  get planned() {
    const { counts, total } = this.list;
    return total > 0 && counts.planned === total;
  }

  /** Whether the key is still that of the organization that the lines were added for. */
  get sameKey() {
    return currentKeys().key === this.#key;
  }

  /** Whether lines are left of a run that was started. */
  get unfinished() {
    return this.started && !ended.includes(this.state);
  }

  /** @param {State} state */
  #change(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }

  #forget() {
    this.#work.abort();
    this.error = undefined;
    this.back = false;
    this.list.forget();
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
        this.list.total = total;
        this.list.append(lines, plan);
        this.#change("recognizing");
      }
      if (!signal.aborted) {
        this.#change(this.list.total > 0 ? "ready" : "empty");
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

  /** Asks the server for the results of a dry run. */
  async plan() {
    this.list.unplan();
    const signal = this.#begin("planning");
    try {
      for (const batch of this.list.batches) {
        const { results } = await post("/organization/assets", this.#body(batch, true), { signal });
        this.list.planned(batch, /** @type {PlannedResult[]} */ (results));
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

  /** Sends what is left. It waits while the server is away. */
  async send() {
    const isLeft = (/** @type {Batch} */ batch) => !batch.done && this.list.linesOf(batch).length > 0;
    await this.#each("sending", "done", isLeft, async (batch, signal) => {
      const { results } = await post("/organization/assets", this.#body(batch), { idempotencyKey: batch.key, signal });
      this.list.sent(batch, results);
    });
  }

  /** Removes what was added, with the key that it was added with. It waits while the server is away. */
  async takeBack() {
    this.back = true;
    const isLeft = (/** @type {Batch} */ batch) => this.list.addedOf(batch).length > 0;
    await this.#each("takingBack", "takenBack", isLeft, async (batch, signal) => {
      const ids = this.list.addedOf(batch).flatMap(({ added }) => added ?? []);
      const once = { idempotencyKey: batch.keyBack, signal };
      const { results } = await post("/organization/assets/remove", { ids }, once);
      this.list.tookBack(batch, results);
    });
  }

  /** Goes on with what was paused or has stopped. */
  async goOn() {
    await (this.back ? this.takeBack() : this.send());
  }

  /**
   * Works on the batches of which something is left, one after the other.
   *
   * @param {State} state
   * @param {State} end the state after that
   * @param {(batch: Batch) => boolean} isLeft
   * @param {(batch: Batch, signal: AbortSignal) => Promise<void>} work
   */
  async #each(state, end, isLeft, work) {
    const signal = this.#begin(state);
    try {
      for (const batch of this.list.batches) {
        if (isLeft(batch)) {
          await this.#insist(() => work(batch, signal), signal);
          this.#change(state);
        }
      }
      this.#change(end);
    } catch (error) {
      this.#stop(error, signal);
    }
  }

  /**
   * Begins to ask the server.
   *
   * @param {State} state
   */
  #begin(state) {
    this.#work = new AbortController();
    this.#key = currentKeys().key;
    this.error = undefined;
    this.#change(state);
    return this.#work.signal;
  }

  /**
   * Works until the server answers. What it has done already, it does not do again.
   *
   * @param {() => Promise<void>} work
   * @param {AbortSignal} signal
   */
  async #insist(work, signal) {
    for (let attempt = 0; ; attempt++) {
      try {
        await work();
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

  /** Stops after the reply in progress is dropped; its batch is sent again with the same key. */
  pause() {
    this.#work.abort();
    this.error = undefined;
    this.#change(this.state === "planning" ? "ready" : "paused");
  }

  /** Stops if what was started for one organization could go on for another. */
  #keyChanged() {
    const same = this.sameKey;
    if (same && this.error instanceof KeyChanged) {
      this.error = undefined;
      this.#change("paused");
    } else if (!same && this.unfinished) {
      this.#work.abort();
      this.error = new KeyChanged();
      this.#change("stopped");
    } else if (!same && !this.started && (this.state === "planning" || this.list.counts.planned > 0)) {
      this.#work.abort();
      this.list.unplan();
      this.#change("ready");
    } else {
      this.#change(this.state);
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
    return bodyOf(this.list.linesOf(batch), this.#details, dryRun);
  }
}
