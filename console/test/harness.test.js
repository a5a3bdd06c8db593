// The harness itself: a test that ends in any way leaves no server behind.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { test } from "node:test";

const program = (end) => `
  import { Server } from ${JSON.stringify(new URL("harness.js", import.meta.url).href)};
  const server = await Server.start();
  console.log(server.port);
  process.stdin.once("data", () => { ${end} });
`;

const ends = {
  "fails": ["throw new Error('as a test fails');", 1],
  "exits": ["process.exit(3);", 3],
  "is killed": ["process.kill(process.pid, 'SIGKILL');", null],
};

for (const [why, [end, code]] of Object.entries(ends)) {
  test(`no server is left by a test that ${why}`, async () => {
    const failing = spawn(process.execPath, ["--input-type=module", "-e", program(end)],
      { stdio: ["pipe", "pipe", "ignore"] });
    let port;
    for await (const line of createInterface({ input: failing.stdout })) {
      port = Number(line);
      break;
    }
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    failing.stdin.write("now\n");
    // The connection ends with the server, and then nobody listens.
    const [[exit]] = await Promise.all([once(failing, "exit"), once(socket.on("error", () => {}).resume(), "close")]);
    assert.equal(exit, code);
    while (await listens(port)) { /* until the process has closed everything */ }
  });
}

function listens(port) {
  // A server that dies right after it has accepted resets the connection.
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  return once(socket, "connect").then(() => true, ({ code }) => code !== "ECONNREFUSED")
    .finally(() => socket.destroy());
}
