// @ts-check
// What a client with hash lists says about a content: it has the lists of the server, and tells nobody what it checks.
import { addresses } from "./api.js";
import { h } from "./dom.js";
import { badge, failure, show } from "./parts.js";
import { assetText } from "./safe-text.js";
import { actingKey, authorization, currentKeys } from "./session.js";
import { startWorker } from "./workers.js";

/** @import { RemoteHashList } from "./hashlist-remote.js" */
/** @import { Checked } from "./check-recognition.js" */

/** The age in milliseconds from which on lists give no verdict. */
const maxAge = 60 * 60 * 1000;

/** @type {{ key: string, worker: Worker, list: RemoteHashList } | undefined} */
let opened;

/** Returns the list for the present key, in a worker of its own. */
async function openList() {
  const key = currentKeys()[actingKey("key", "/asset/hashes")];
  if (opened?.key !== key) {
    const { remoteHashList } = await import("./hashlist-remote.js");
    opened?.worker.terminate();
    const worker = startWorker("hashlist-worker.js");
    const base = new URL(addresses().api, location.href).href;
    opened = { key, worker, list: remoteHashList({ base, headers: authorization(key), maxAge }, worker) };
  }
  return opened.list;
}

/**
 * Returns a part of the page that compares the verdict of the server with that of hash lists. They are loaded
 * when it is unfolded.
 *
 * @param {Checked} result
 */
export function offline(result) {
  const place = h("div", { class: "stack" });
  const details = h("details", { class: "offline", open: unfolded }, h("summary", {}, "Offline list"), place);
  details.addEventListener("toggle", () => {
    unfolded = details.open;
    compare();
  });
  const compare = () => {
    if (details.open && !place.hasChildNodes()) {
      void show(place, () => comparison(result));
    }
  };
  compare();
  return details;
}

let unfolded = false;

/** @param {Checked} result */
async function comparison({ content, status, source }) {
  const list = await openList();
  try {
    await list.refresh();
  } catch (error) {
    if (/** @type {any} */ (error).status === 404) {
      return [h("p", { class: "muted" }, "This server gives no hash lists.")];
    }
    if (await list.state() === undefined) {
      return [failure(error)];
    }
  }
  const { status: said, match } = await list.check(content);
  const state = await list.state();
  const seconds = state ? Math.max(0, Math.floor((Date.now() - Number(state.asOf)) / 1000)) : 0;
  return [
    h("p", { class: "line" }, badge(said), match && [" by ", assetText(match.content)]),
    h("p", { class: "muted" }, said === status ? "It says what the server says."
      : source === "LIST" ? "It has only assets: the server also asks external lists."
        : "It does not say what the server says: a change may not be in it yet.",
    ` It was what the server had ${seconds} s ago.`),
  ];
}
