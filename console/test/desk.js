// What the tests of several operators and their disputes share.
import assert from "node:assert/strict";

/** Creates a dispute and returns its ID. */
export async function dispute(server, content, email = "owner@mail.example") {
  const { status, body } = await server.call("key", "POST", "/dispute/create",
    { content, email, description: "Please look again." });
  assert.equal(status, 200, JSON.stringify(body));
  return Number(body.id);
}

/** Sends a request of an operator, which must succeed, and returns the answer. */
export async function operate(server, path, body) {
  const { status, body: answer } = await server.call("operatorKey", "POST", path, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

/** Creates another operator, who signs in with a key. */
export async function colleague(server, fullName) {
  const { id } = await operate(server, "/user/create", { fullName });
  const { key } = await operate(server, "/key/create", { userId: id, scopes: ["operator:read", "operator:write"] });
  return { id, keys: { operatorKey: key } };
}

/** Blocks an asset, and returns the ID of a dispute of it. */
export async function disputedBlock(server, content, email) {
  await operate(server, "/asset/setStatus", { content, status: "BLOCKED" });
  return dispute(server, content, email);
}
