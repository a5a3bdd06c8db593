// @ts-check
// The worker of read-lines.js. It sends a batch when it is asked for one, so that no more of them
// are in memory than the page has taken.
import { TextProblem, batchesOf } from "./lines.js";

addEventListener("message",
  (/** @type {MessageEvent<{ text: Blob, port: MessagePort }>} */ { data: { text, port } }) => {
  const batches = batchesOf(text);
  port.addEventListener("message", async ({ data: wanted }) => {
    if (!wanted) {
      port.close();
      await batches.return();
      return;
    }
    try {
      const { value } = await batches.next();
      port.postMessage({ batch: value });
    } catch (error) {
      port.postMessage(error instanceof TextProblem ? { problem: error.message } : { failure: String(error) });
    }
  });
  port.start();
});
