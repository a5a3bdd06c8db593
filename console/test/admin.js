// Keys of a running server, made and taken back by its administrator: the command apguard keys on the
// same database.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const allowed = {
  key: ["-organization", "acme", "-user", "1", "-scopes", "all"],
  operatorKey: ["-user", "3", "-scopes", "operator:read,operator:write"],
};

async function keys(server, command, ...args) {
  const { stdout } = await run(process.env.APGUARD_PROGRAM,
    ["keys", command, "-db", path.join(server.dir, "console.db"), ...args]);
  return stdout.trim();
}

/** Returns the name of a key in lists of keys. */
export const fingerprint = (key) => createHash("sha256").update(key).digest("hex").slice(0, 12);

/** Returns a new key for one of the APIs. */
export function createKey(server, which) {
  return keys(server, "create", ...allowed[which]);
}

export function revokeKey(server, key) {
  return keys(server, "revoke", fingerprint(key));
}

/** Returns a key that replaces another one, which expires after some time. */
export function rotateKey(server, key, grace) {
  return keys(server, "rotate", "-grace", grace, fingerprint(key));
}

/** Waits until the server refuses a key: it remembers keys for a second. */
export async function refused(server, which, key) {
  const [method, address] = which === "key" ? ["POST", "/api/v2/asset/check"] : ["GET", "/operator/dispute/list"];
  for (;;) {
    const { status } = await fetch(server.address + address, {
      method, headers: { "X-API-Key": key, "Content-Type": "application/json" },
      body: which === "key" ? `{"content":"bad.example.com"}` : undefined,
    });
    if (status === 401) {
      return;
    }
  }
}
