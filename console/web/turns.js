// @ts-check
// Turns of the page's reads, so that the bounds of the server refuse none, and reads that were refused anyway.
import { pause as pauseFor } from "./tasks.js";

/** How often a read is sent at most, the first time included. */
const mostTimes = 5;

/** The pause after the first refusal if the server asks for none. It doubles with each other one. In milliseconds. */
const firstPause = 500;

/** A longer pause is not waited for: the failure says more than a page that does nothing. In seconds. */
const longestPause = 20;

/** How long a read that nobody waits for any more keeps its turn at most. In milliseconds. */
const abandonedFor = 5000;

/**
 * Whether the server has refused a request only because it has too much to do.
 *
 * @param {unknown} error
 * @returns {error is { status: number, retryAfter: number }}
 */
function isRefusal(error) {
  return error instanceof Error && "status" in error && (error.status === 429 || error.status === 503);
}

/**
 * Sends a read again while the server has too much to do, and fails with the last refusal.
 *
 * @template T
 * @param {() => Promise<T>} send
 * @param {AbortSignal} signal ends the pauses
 * @param {(milliseconds: number, signal: AbortSignal) => Promise<void>} [pause]
 * @returns {Promise<T>}
 */
export async function repeated(send, signal, pause = pauseFor) {
  for (let times = 1; ; times++) {
    try {
      return await send();
    } catch (error) {
      if (!isRefusal(error) || times === mostTimes || error.retryAfter > longestPause) {
        throw error;
      }
      await pause(Math.max(error.retryAfter * 1000, firstPause * 2 ** (times - 1)), signal);
    }
  }
}

/** Lets some reads run at the same time, and others wait in the order in which they came. */
export class Turns {
  #free;
  #pause;
  /** @type {{ signal: AbortSignal, go: () => void }[]} */
  #waiting = [];
  /** @type {WeakSet<AbortSignal>} */
  #deferred = new WeakSet();

  /**
   * @param {number} most how many run at the same time
   * @param {(milliseconds: number, signal: AbortSignal) => Promise<void>} [pause]
   */
  constructor(most, pause = pauseFor) {
    this.#free = most;
    this.#pause = pause;
  }

  /**
   * Lets the reads with a signal wait until no other one does, and leave a turn to those that come later.
   *
   * @param {AbortSignal} signal
   */
  defer(signal) {
    this.#deferred.add(signal);
  }

  /**
   * Makes reads that were deferred like any others.
   *
   * @param {AbortSignal} signal
   */
  hurry(signal) {
    this.#deferred.delete(signal);
    this.#next();
  }

  /**
   * Runs a read in turn, and again after refusals.
   *
   * A server finishes a request that its client has given up. So after the signal, run fails at once, but the turn
   * lasts until the reply is there. A read that still waits for its turn is not sent at all.
   *
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} send its signal ends the request itself
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  async run(send, signal = new AbortController().signal) {
    await this.#turn(signal);
    if (signal.aborted) {
      this.#end();
      throw signal.reason;
    }
    const request = new AbortController();
    const work = repeated(() => send(request.signal), signal, this.#pause).finally(() => this.#end());
    return new Promise((resolve, reject) => {
      let timer = 0;
      const leave = () => {
        reject(signal.reason);
        timer = Number(setTimeout(() => request.abort(), abandonedFor));
      };
      signal.addEventListener("abort", leave);
      work.then(resolve, reject).finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
      });
    });
  }

  /** @param {AbortSignal} signal */
  async #turn(signal) {
    signal.throwIfAborted();
    await new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", leave);
        resolve(undefined);
      };
      const read = { signal, go };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(read), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(read);
      this.#next();
    });
  }

  #end() {
    this.#free++;
    this.#next();
  }

  /** Lets the reads go whose turn it is. */
  #next() {
    for (;;) {
      const read = this.#waiting.find(({ signal }) => !this.#deferred.has(signal)) ?? this.#waiting[0];
      if (!read || this.#free <= Number(this.#deferred.has(read.signal))) {
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(read), 1);
      this.#free--;
      read.go();
    }
  }
}
