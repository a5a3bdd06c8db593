// Checks the link while it is typed. No server learns of it, and none is needed.
import { remoteHashList } from "./hashlist-remote.js";

const hour = 3_600_000; // in milliseconds
const [link, verdict, lists] = ["link", "verdict", "lists"].map((id) => document.getElementById(id));
const config = await (await fetch("config.json")).json();
const list = remoteHashList({ ...config, maxAge: 24 * hour, store: "offline-example" });

/** Says what the lists say about the link. An error is not a verdict: the link must not be shown. */
async function check() {
  const content = link.value;
  const text = content && await list.check(content).then(
    ({ status, match }) => (match ? `${status} by ${match.content}` : status),
    ({ code, message }) => `Do not show: ${code ?? message}`,
  );
  if (content === link.value) { // otherwise, the check of what was typed since says it
    verdict.value = text;
  }
}

/** Says how old the lists are, and why, if they could not be loaded or refreshed. */
async function describe({ code, message } = {}) {
  const state = await list.state().catch(() => undefined);
  const age = state && Math.floor((Date.now() - state.asOf) / 60_000);
  const size = state ? `${state.blocked} blocked, ${state.allowed} allowed, ${age} minutes old` : "No lists";
  lists.textContent = [size, code ?? message].filter(Boolean).join(". ");
  await check();
}

const load = () => list.load().then(() => describe(), describe);
const refresh = () => list.refresh().then(() => describe(), describe);

await navigator.serviceWorker?.register("service-worker.js").catch(describe); // so that the page works offline
link.addEventListener("input", check);
await load();
await refresh();
setInterval(refresh, 60_000);
addEventListener("online", refresh);
