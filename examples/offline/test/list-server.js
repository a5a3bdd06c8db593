// Starts programs for the tests, and a server whose hash lists pages of an origin may get.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

import { freePort, guard } from "./harness.js";

const guards = new WeakMap();

/** Starts a program and waits for a line of its output that begins in this way, whatever its color. */
export async function start(program, args, sign) {
  const child = spawn(program, args, { cwd: process.env.CONSOLE_ROOT, stdio: ["ignore", "pipe", "inherit"] });
  guards.set(child, guard(child));
  for await (const line of createInterface({ input: child.stdout })) {
    if (stripVTControlCharacters(line).startsWith(sign)) {
      return child;
    }
  }
  guards.get(child).stdin.end("done\n");
  throw new Error(`${program} has ended`);
}

export async function stop(child) {
  if (child.exitCode === null && child.signalCode === null) {
    guards.get(child).stdin.end("done\n");
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

const key = "apg_operator";
const seed = {
  organizations: [{ id: 1, slug: "acme", name: "Acme" }],
  users: [{ id: 1, fullName: "Ada", email: "ada@acme.example", automation: false }],
  keys: [{ key, user: 1, scopes: ["operator:read", "operator:write"] }],
};

/** A server with public hash lists on a database of its own, which can be stopped and run again. */
export class ListServer {
  static async start(origin) {
    const server = new ListServer();
    server.dir = await mkdtemp(path.join(tmpdir(), "list-server-"));
    const [port, operatorPort] = [await freePort(), await freePort()];
    server.api = `http://127.0.0.1:${port}/api/v2`;
    server.operatorApi = `http://127.0.0.1:${operatorPort}/operator`;
    server.args = ["serve", "-addr", `127.0.0.1:${port}`, "-operator", `127.0.0.1:${operatorPort}`,
      "-db", path.join(server.dir, "assets.db"), "-hashes", "-public-hashes", "-hashes-wait", "1ms",
      "-allow-origin", origin];
    const seedFile = path.join(server.dir, "seed.json");
    await writeFile(seedFile, JSON.stringify(seed));
    await server.run([...server.args, "-seed", seedFile]);
    return server;
  }

  async run(args = this.args) {
    this.process = await start(process.env.APGUARD_PROGRAM, args, "listening on ");
  }

  stop() {
    return stop(this.process);
  }

  async remove() {
    await this.stop();
    await rm(this.dir, { recursive: true });
  }

  async setStatus(content, status) {
    const response = await fetch(`${this.operatorApi}/asset/setStatus`, {
      method: "POST",
      headers: { "X-API-KEY": key, "Content-Type": "application/json" },
      body: JSON.stringify({ content, status }),
    });
    assert.equal(response.status, 200, await response.text());
  }
}
