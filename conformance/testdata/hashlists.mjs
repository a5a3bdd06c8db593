// Hash lists by rules/js.
import { createHash } from "node:crypto";

import { HashList } from "../../rules/js/hashlist.js";

/** Returns the highest and the lowest 32 bits of the hash of an asset. */
export function hashOf({ type, canonical }) {
  const sum = createHash("sha256").update(`${type}\0${canonical}`).digest();
  return [sum.readUInt32BE(0), sum.readUInt32BE(4)];
}

/** Returns a verdict of rules/js in the form of the vectors. */
export function verdictOf({ type, canonical, status, source, match }) {
  const verdict = { type, canonical, status, source };
  if (match) {
    verdict.match = { kind: match.kind, type: match.type, canonical: match.content, status: match.status };
  }
  return verdict;
}

/** Returns the rule of hash lists, which checks contents with these rules. */
export function hashListRule(rules) {
  return async ({ responses, contents }) => {
    let held;
    const store = { save: async (lists) => { held = lists; } };
    const list = new HashList(rules, { base: "https://apguard.example.com", maxAge: 3_600_000, store });
    const answers = [];
    for (const response of responses) {
      answers.push({ ...await refresh(list, response), ...hashesOf(held) });
    }
    return { responses: answers, verdicts: contents.map((content) => checked(list, content)) };
  };
}

/** Refreshes a list from a server that answers with a response. Returns the code of the error, if there is one. */
async function refresh(list, { rulesVersion, data }) {
  const headers = { "Content-Type": "application/x-protobuf", "Age": "0" };
  if (rulesVersion > 0) {
    headers["Rules-Version"] = String(rulesVersion);
  }
  globalThis.fetch = async () => new Response(Buffer.from(data, "base64"), { headers });
  try {
    await list.refresh();
    return {};
  } catch ({ code }) {
    return { error: code };
  }
}

const nothing = { version: "", minimumWait: 0, blocked: new ArrayBuffer(0), allowed: new ArrayBuffer(0) };

/** Returns what is held in the form of the vectors. */
function hashesOf({ version, minimumWait, blocked, allowed } = nothing) {
  const hashes = (buffer) => Buffer.from(buffer).toString("hex").match(/.{16}/g) ?? [];
  return { version, minimumWait, blocked: hashes(blocked), allowed: hashes(allowed) };
}

/** Returns the verdict for a content, or the error. */
function checked(list, content) {
  try {
    return verdictOf(list.check(content));
  } catch ({ code, refused }) {
    return { error: code, reason: refused?.reason };
  }
}
