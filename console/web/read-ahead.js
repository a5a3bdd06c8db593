// @ts-check
// Reads one record before somebody opens it, after everything that somebody waits for.

/** @import { Turns } from "./turns.js" */

/**
 * @template {{ id: number | string }} T
 * @template C
 */
export class ReadAhead {
  #read;
  #turns;
  #signal;
  /** @type {{ row: T, leaving: AbortController, signal: AbortSignal, work: Promise<C> } | undefined} */
  #early;

  /**
   * @param {(id: string, signal: AbortSignal) => Promise<C>} read
   * @param {Pick<Turns, "defer" | "hurry">} turns those of the reads
   * @param {AbortSignal} signal ends all
   */
  constructor(read, turns, signal) {
    this.#read = read;
    this.#turns = turns;
    this.#signal = signal;
  }

  /**
   * Reads the record of a row, if that is another one, or the row has changed. What was read before is dropped.
   *
   * @param {T | undefined} row
   */
  want(row) {
    if (row === this.#early?.row) {
      return;
    }
    this.#early?.leaving.abort();
    this.#early = undefined;
    if (row === undefined) {
      return;
    }
    const leaving = new AbortController();
    const signal = AbortSignal.any([this.#signal, leaving.signal]);
    this.#turns.defer(signal);
    const work = this.#read(String(row.id), signal);
    work.catch(() => {}); // who opens the record reads it again
    this.#early = { row, leaving, signal, work };
  }

  /**
   * Returns what is read ahead of a record, if that is the one. Somebody waits for it from now on.
   *
   * @param {string} id
   * @returns {Promise<C> | undefined}
   */
  take(id) {
    const early = this.#early;
    if (early === undefined || String(early.row.id) !== id) {
      return undefined;
    }
    this.#early = undefined;
    this.#turns.hurry(early.signal);
    return early.work;
  }
}
