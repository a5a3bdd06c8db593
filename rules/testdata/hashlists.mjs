// Runs hash lists for tests: node hashlists.mjs [rules.wasm wasm_exec.js]. It reads commands from standard
// input, one in JSON a line, and answers each with a line.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import { hashFiles, openManifest, requireUsable } from "../js/hash-manifest.js";
import { parseVerifierKeys } from "../js/hash-note.js";
import { HashList } from "../js/hashlist.js";

const [wasm, exec] = process.argv.slice(2);
let rules;
if (wasm) {
  await import(exec);
  const { loadRules } = await import("../js/rules.js");
  rules = await loadRules(await readFile(wasm));
} else { // for lists that check nothing
  const { info } = JSON.parse(await readFile(new URL("../../httpapi/openapi.json", import.meta.url), "utf8"));
  rules = { limits: () => ({ rulesVersion: info["x-rules-version"] }) };
}

/** Keeps what was saved last. */
class Store {
  save(held) {
    this.held = held;
  }

  clear() {
    this.held = undefined;
  }
}

const lists = new Map();
const hour = 3_600_000;

function listOf({ list: name, base, key, manifest, verifierKey, manifestMaxAge }) {
  if (!lists.has(name)) {
    const options = { maxAge: hour, store: new Store() };
    lists.set(name, { ...options, options, list: new HashList(rules, options) });
  }
  const found = lists.get(name);
  Object.assign(found.options, { base, key, manifest, verifierKey, manifestMaxAge });
  return found;
}

/** Does something and returns the answer with an empty code, or the parts of the error. */
async function outcomeOf(act) {
  try {
    return { code: "", answer: await act() };
  } catch (error) {
    const { code = String(error), message, status, retryAfter } = error;
    return { code, message, status, retryAfter };
  }
}

const base64 = (buffer) => Buffer.from(buffer).toString("base64");

/** Does something with a list, and returns what it holds after it. */
async function change({ list, store }, act) {
  const outcome = await outcomeOf(() => act(list));
  const { held } = store;
  return held ? { ...held, ...outcome, blocked: base64(held.blocked), allowed: base64(held.allowed) } : outcome;
}

function checked(list, content) {
  try {
    return list.check(content);
  } catch ({ code, message, refused }) {
    return { code, message, refused };
  }
}

/** Reads a manifest, and says whether it can be used after the last one and which files lead from a version. */
async function manifestOf({ data, verifierKey, last, now, maxAge, rules: own, held }) {
  const read = async (note) => (
    openManifest(new Uint8Array(Buffer.from(note ?? "", "base64")), await parseVerifierKeys(verifierKey)));
  let manifest;
  const opened = await outcomeOf(async () => {
    manifest = await read(data);
  });
  if (!manifest) {
    return opened;
  }
  const before = last ? await read(last) : undefined;
  const usable = await outcomeOf(() => requireUsable(manifest, { last: before, now, maxAge, rules: own }));
  const path = await outcomeOf(() => hashFiles(manifest, held).map(({ name }) => name));
  const { version, time, rules: made, files } = manifest;
  return {
    code: "", refusal: usable.code, pathCode: path.code, path: path.answer ?? [],
    version: version.text, time, rules: made,
    files: files.map((file) => ({ ...file, since: file.since.text, version: file.version.text })),
  };
}

const calls = {
  manifest: manifestOf,
  update: ({ data, asOf, ...of }) => (
    change(listOf(of), (list) => list.update(new Uint8Array(Buffer.from(data ?? "", "base64")), new Date(asOf)))),
  refresh: (of) => change(listOf(of), (list) => list.refresh()),
  clear: (of) => change(listOf(of), (list) => list.clear()),
  check: ({ contents, ...of }) => contents.map((content) => checked(listOf(of).list, content)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...of } = JSON.parse(line);
  console.log(JSON.stringify(await calls[call](of)));
}
process.exit();
