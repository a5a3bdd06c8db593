// @ts-check
// CSV files that a spreadsheet opens without running anything.
import { nextTask } from "./tasks.js";

/** The rows that are written in one task. */
const taskRows = 1000;

/**
 * Returns a CSV file with a row for each item.
 *
 * @template T
 * @param {string[]} header
 * @param {readonly T[]} items
 * @param {(item: T) => string[]} cells
 */
export async function csv(header, items, cells) {
  const parts = [new Blob([row(header)])];
  for (let start = 0; start < items.length; start += taskRows) {
    parts.push(new Blob(items.slice(start, start + taskRows).map((item) => row(cells(item)))));
    await nextTask();
  }
  return new Blob(parts, { type: "text/csv" });
}

/** @param {string[]} cells */
function row(cells) {
  return `${cells.map(cell).join(",")}\r\n`;
}

/**
 * A spreadsheet would run a cell that begins like a formula, some also one with fullwidth signs.
 *
 * @param {string} text
 */
function cell(text) {
  const safe = /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
