// What the tests of disputes share.
import assert from "node:assert/strict";

/** Creates a dispute and returns its ID. */
export async function dispute(server, content, email = "owner@mail.example") {
  const { status, body } = await server.call("key", "POST", "/dispute/create",
    { content, email, description: "Please look again." });
  assert.equal(status, 200, JSON.stringify(body));
  return Number(body.id);
}
