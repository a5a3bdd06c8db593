// @ts-check
// Why somebody should look at a line of a list, which many lines have in common.
import { isProblem, needsConfirmation, outcome } from "./allowlist-lines.js";
import { wideCause } from "./wide.js";

/** @import { Line } from "./allowlist-lines.js" */
/** @import { Wide } from "./wide.js" */

/**
 * A cause in words, and the asset that blocks, if it is one. Two causes with one name are the same. One that asks is to
 * be confirmed.
 *
 * @typedef {{ name: string, text: string, blocker?: string, asks?: boolean }} Cause
 */

/**
 * @param {Line} line
 * @returns {Cause}
 */
export function causeOf(line) {
  if (needsConfirmation(line) && line.result === undefined && !line.left) {
    return doubtOf(line);
  }
  const text = line.repeats !== undefined && isProblem(line) ? "Repeats an earlier line" : outcome(line);
  return { name: text, text };
}

/**
 * Returns why a line should be confirmed.
 *
 * @param {Line} line
 * @returns {Cause}
 */
export function doubtOf(line) {
  const { unblocks } = line;
  const doubts = doubtText(line, wideCause);
  if (unblocks === undefined) {
    return { name: doubts, text: doubts, asks: true };
  }
  const text = doubts === "" ? "BLOCKED by" : `${doubts}, BLOCKED by`;
  return { name: `${text} ${unblocks}`, text, blocker: unblocks, asks: true };
}

/**
 * Returns why a line should be confirmed, apart from what blocks it.
 *
 * @param {Line} line
 * @param {(wide: Wide) => string} say
 */
export function doubtText({ wide, looksLike }, say) {
  const below = wide ? say(wide) : "";
  if (looksLike === undefined) {
    return below;
  }
  return below === "" ? `Looks like ${looksLike}` : `${below}, looks like ${looksLike}`;
}

/**
 * Returns the causes of lines, the most common first, each with its lines.
 *
 * @param {Line[]} lines
 * @param {(line: Line) => Cause} [of]
 */
export function commonCauses(lines, of = causeOf) {
  /** @type {Map<string, Cause & { lines: Line[] }>} */
  const found = new Map();
  for (const line of lines) {
    const cause = of(line);
    const known = found.get(cause.name) ?? { ...cause, lines: [] };
    known.lines.push(line);
    found.set(cause.name, known);
  }
  return [...found.values()].sort((a, b) => b.lines.length - a.lines.length);
}
