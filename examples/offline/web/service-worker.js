// Keeps the files of the page, so that it works without a network. The browser installs a worker that has
// changed, and with it all files: change the release with any of them.
const release = "offline-3";
const files = [
  "./", "offline.js", "config.json", "rules.wasm", "wasm_exec.js", "rules.js", "rules-remote.js", "hashlist.js",
  "hashlist-remote.js", "hashlist-worker.js", "hash-error.js", "hash-fetch.js", "hash-fields.js",
  "hash-manifest.js", "hash-message.js", "hash-note.js", "hash-published.js", "hash-rice.js", "hash-set.js",
  "hash-store.js", "hash-update.js", "hash-version.js",
];

async function install() {
  const cache = await caches.open(release);
  await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
}

async function removeOthers() {
  const others = (await caches.keys()).filter((name) => name !== release);
  await Promise.all(others.map((name) => caches.delete(name)));
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(removeOthers()));
addEventListener("fetch", (event) => {
  if (new URL(event.request.url).origin === location.origin) {
    event.respondWith(caches.match(event.request).then((file) => file ?? fetch(event.request)));
  }
});
