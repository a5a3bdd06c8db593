// @ts-check
// Why somebody should look at a line of a list, which many lines have in common.
import { isProblem, needsConfirmation, outcome } from "./allowlist-lines.js";
import { wideCause } from "./wide.js";

/** @import { Line } from "./allowlist-lines.js" */

/**
 * A cause in words, and the asset that blocks, if it is one. Two causes with one name are the same.
 *
 * @typedef {{ name: string, text: string, blocker?: string }} Cause
 */

/**
 * @param {Line} line
 * @returns {Cause}
 */
export function causeOf(line) {
  const { unblocks, wide } = line;
  const toConfirm = needsConfirmation(line) && line.result === undefined && !line.left;
  if (toConfirm && unblocks !== undefined) {
    const text = wide ? `${wideCause(wide)}, BLOCKED by` : "BLOCKED by";
    return { name: `${text} ${unblocks}`, text, blocker: unblocks };
  }
  if (toConfirm && wide !== undefined) {
    return { name: wideCause(wide), text: wideCause(wide) };
  }
  const text = line.repeats !== undefined && isProblem(line) ? "Repeats an earlier line" : outcome(line);
  return { name: text, text };
}

/**
 * Returns the causes of lines, the most common first, each with its lines.
 *
 * @param {Line[]} lines
 */
export function commonCauses(lines) {
  /** @type {Map<string, Cause & { lines: Line[] }>} */
  const found = new Map();
  for (const line of lines) {
    const cause = causeOf(line);
    const known = found.get(cause.name) ?? { ...cause, lines: [] };
    known.lines.push(line);
    found.set(cause.name, known);
  }
  return [...found.values()].sort((a, b) => b.lines.length - a.lines.length);
}
