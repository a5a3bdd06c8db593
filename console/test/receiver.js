// A receiver of webhooks that verifies signatures.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

import { waitUntil } from "./keyboard.js";

export class Receiver {
  static async start() {
    const receiver = new Receiver();
    receiver.status = 204;
    receiver.messages = [];
    receiver.server = createServer(async (request, response) => {
      const body = (await request.toArray()).join("");
      receiver.messages.push({ headers: request.headers, body, ...JSON.parse(body) });
      response.writeHead(receiver.status).end();
    }).listen(0, "127.0.0.1");
    await once(receiver.server, "listening");
    receiver.url = `http://127.0.0.1:${receiver.server.address().port}/hook`;
    return receiver;
  }

  /** Waits for a number of messages in all, and returns the last of them. */
  async message(page, count) {
    await waitUntil(page, () => this.messages.length >= count, () => `only ${this.messages.length} messages`);
    return this.messages[count - 1];
  }

  /** Waits for a change of a content, and returns all messages. */
  async until(page, content) {
    const changed = ({ data }) => data.changes?.some((change) => change.content === content);
    await waitUntil(page, () => this.messages.some(changed), () => `${content} is in no message`);
    return this.messages;
  }

  async stop() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Asserts that a message has the signature of each secret, and no others. */
export function signedBy({ headers, body }, ...secrets) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
  });
  assert.equal(headers["webhook-signature"], signatures.join(" "));
}
