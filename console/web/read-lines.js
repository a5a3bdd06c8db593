// @ts-check
// Reads the lines of a text in a worker.
import { TextProblem } from "./lines.js";
import { nextTask } from "./tasks.js";
import { startWorker } from "./workers.js";

/** @import { LineBatch } from "./lines.js" */

/** The part of a text that becomes bytes in one task. */
const textPart = 1 << 20;

/** Started with the first list. @type {Worker | undefined} */
let worker;

/**
 * Yields the lines of a text in batches. It fails with a TextProblem.
 *
 * @param {Blob} text
 * @returns {AsyncGenerator<LineBatch, void, void>}
 */
export async function* readLines(text) {
  worker ??= startWorker("lines-worker.js");
  const { port1: port, port2 } = new MessageChannel();
  worker.postMessage({ text, port: port2 }, [port2]);
  try {
    for (;;) {
      const { batch, problem, failure } = await ask(port, worker);
      if (problem !== undefined) {
        throw new TextProblem(problem);
      }
      if (failure !== undefined) {
        throw new Error(failure);
      }
      if (!batch) {
        return;
      }
      yield batch;
    }
  } finally {
    port.postMessage(false);
    port.close();
  }
}

/**
 * Returns a text as bytes, which a worker can take over.
 *
 * @param {string} text
 */
export async function blobOf(text) {
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
 * Asks for the next batch.
 *
 * @param {MessagePort} port
 * @param {Worker} asked
 * @returns {Promise<{ batch?: LineBatch, problem?: string, failure?: string }>}
 */
function ask(port, asked) {
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }) => resolve(data);
    asked.onerror = ({ message }) => {
      worker = undefined; // the next list starts another
      reject(new Error(`the lines cannot be read: ${message}`));
    };
    port.postMessage(true);
  });
}
