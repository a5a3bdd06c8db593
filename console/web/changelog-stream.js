// @ts-check
// Reads the entries of a streamed changelog while they arrive, and follows the feed of what comes after them.
import { ApiError, get } from "./api.js";
import { isAbort } from "./parts.js";
import { nextTask, pause } from "./tasks.js";

/** @import { components } from "./api-types.js" */
/** @typedef {components["schemas"]["ChangelogEntry"] & Partial<components["schemas"]["FeedChange"]>} Entry */

/** The characters that are read in one task. */
const taskLength = 32 << 10;

/** How long a request waits for changes, in seconds. */
const wait = 25;
/** What is between requests that had no changes or failed, in milliseconds. */
const quiet = 1000;
const later = 5000;

/**
 * Calls take with the entries of each part of the reply, each time in a task of its own. It fails
 * if the reply ends early.
 *
 * @param {ReadableStream<Uint8Array>} stream
 * @param {(entries: Entry[]) => void} take
 */
export async function readEntries(stream, take) {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  const scan = scanner();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(lost);
      if (done) {
        break;
      }
      const text = decoder.decode(value, { stream: true });
      for (let start = 0; start < text.length; start += taskLength) {
        const entries = scan.next(text.slice(start, start + taskLength));
        if (entries.length > 0) {
          take(entries);
        }
        await nextTask();
      }
    }
  } finally {
    void reader.cancel().catch(() => {}); // the reply of a failed reader
  }
  if (!scan.complete()) {
    lost();
  }
}

/**
 * @param {unknown} [error]
 * @returns {never}
 */
function lost(error) {
  if (error instanceof DOMException && error.name === "AbortError") {
    throw error;
  }
  throw new ApiError(0, "The connection was lost in the middle of the changelog", [], "key");
}

/** Finds the elements of {"changelog":[{...},...]}: the objects at depth 2. */
export function scanner() {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let rest = "";
  let ended = false;

  /** @param {string} part */
  function next(part) {
    const entries = [];
    const text = rest + part;
    let start = rest === "" ? -1 : 0;
    for (let index = rest.length; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (inString) {
        if (escaped) {
          escaped = false;
        } else if (code === 92) {
          escaped = true;
        } else if (code === 34) {
          inString = false;
        }
      } else if (code === 34) {
        inString = true;
      } else if (code === 123 && ++depth === 2) {
        start = index;
      } else if (code === 125 && --depth === 1) {
        entries.push(/** @type {Entry} */ (JSON.parse(text.slice(start, index + 1))));
        start = -1;
      } else if (code === 125 && depth === 0) {
        ended = true;
      }
    }
    rest = start === -1 ? "" : text.slice(start);
    return entries;
  }
  return { next, complete: () => ended };
}

/**
 * Returns the cursor at the end of the feed.
 *
 * @param {AbortSignal} signal
 */
export async function feedEnd(signal) {
  return (await get("/asset/feed", { cursor: "end" }, signal)).cursor;
}

/**
 * Calls take with the changes after a cursor, oldest first, until the signal is aborted. It fails if the
 * feed cannot be followed.
 *
 * @param {string} cursor
 * @param {AbortSignal} signal
 * @param {(changes: Entry[]) => void} take
 */
export async function followFeed(cursor, signal, take) {
  while (!signal.aborted) {
    try {
      const page = await get("/asset/feed", { cursor, wait }, signal);
      cursor = page.cursor;
      if (page.changes.length > 0) {
        take(page.changes);
      } else {
        await pause(quiet, signal);
      }
    } catch (error) {
      if (isAbort(error)) {
        return;
      }
      if (!(error instanceof ApiError) || !error.temporary) {
        throw error;
      }
      await pause(Math.max(later, error.retryAfter * 1000), signal).catch(() => {});
    }
  }
}
