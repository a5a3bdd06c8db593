// @ts-check
// Splits a text into batches of lines. It runs in a worker, because a long text takes long.
import { grouped } from "./numbers.js";

/** The console takes lists of at most so many bytes and lines. */
export const maxBytes = 20 << 20;
export const maxLines = 200_000;
/** A text with a longer line is no list. */
export const maxLineLength = 64 << 10;
/** The server takes 1,000 contents a request, and the page handles a batch in one task. */
export const maxBatchLines = 1000;
export const maxBatchLength = 256 << 10;

/** A text that the console does not take. The message says what to do. */
export class TextProblem extends Error {}

/**
 * A line with its number in the text, which begins with 1 and also counts blank lines.
 *
 * @typedef {{ number: number, content: string }} NumberedLine
 */

/** @typedef {{ lines: NumberedLine[], total: number }} LineBatch */

/**
 * Yields the lines of a text that are not blank, in batches. The total is that of the whole text.
 * It fails with a TextProblem before the first batch.
 *
 * @param {Blob} text
 * @returns {AsyncGenerator<LineBatch, void, void>}
 */
export async function* batchesOf(text) {
  const total = await countLines(text);
  /** @type {NumberedLine[]} */
  let lines = [];
  let length = 0;
  for await (const part of linesOf(text)) {
    for (const line of part) {
      if (lines.length === maxBatchLines || lines.length > 0 && length + line.content.length > maxBatchLength) {
        yield { lines, total };
        lines = [];
        length = 0;
      }
      lines.push(line);
      length += line.content.length;
    }
  }
  if (lines.length > 0) {
    yield { lines, total };
  }
}

/** @param {Blob} text */
async function countLines(text) {
  let total = 0;
  for await (const part of linesOf(text)) {
    total += part.length;
  }
  if (total > maxLines) {
    throw new TextProblem(`These are ${grouped(total)} lines. ${advice}`);
  }
  return total;
}

const advice = `The console takes ${maxBytes >> 20} MB and ${grouped(maxLines)} lines at a time. `
  + `Split the list, for example with: split -l ${maxLines} FILE`;

/**
 * Fails if a text is too large to be read at all.
 *
 * @param {number} size
 */
export function checkSize(size) {
  if (size > maxBytes) {
    throw new TextProblem(`These are ${grouped(Math.ceil(size / (1 << 20)))} MB. ${advice}`);
  }
}

/** @param {Blob} text */
async function* linesOf(text) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let number = 0;
  let afterReturn = false;
  for await (const bytes of bytesOf(text)) {
    const part = decode(decoder, bytes);
    const unbroken = afterReturn && part.startsWith("\n") ? part.slice(1) : part; // the second half of a line break
    afterReturn = part === "" ? afterReturn : part.endsWith("\r");
    const lines = (rest + unbroken).split(/\r\n|[\r\n]/);
    if (lines.some((line) => line.length > maxLineLength)) {
      throw new TextProblem(`A line has more than ${grouped(maxLineLength)} characters, so this is not a list. `
        + "Put each content on a line of its own.");
    }
    rest = bytes ? lines.pop() ?? "" : "";
    yield lines.map((content) => ({ number: ++number, content })).filter(({ content }) => content.trim() !== "");
  }
}

/**
 * Yields the bytes of a text, and nothing at the end.
 *
 * @param {Blob} text
 * @returns {AsyncGenerator<Uint8Array | undefined, void, void>}
 */
async function* bytesOf(text) {
  const reader = text.stream().getReader();
  try {
    for (let ended = false; !ended;) {
      const { done, value } = await reader.read().catch(() => {
        throw new TextProblem("The file cannot be read. It is a folder, or it has changed since.");
      });
      ended = done;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => {}); // the file that could not be read
  }
}

/**
 * @param {TextDecoder} decoder
 * @param {Uint8Array | undefined} bytes nothing at the end
 */
function decode(decoder, bytes) {
  let text;
  try {
    text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    text = "\0";
  }
  if (text.includes("\0")) {
    throw new TextProblem("This is not a text file in UTF-8. Save the list as plain text, one content a line.");
  }
  return text;
}
