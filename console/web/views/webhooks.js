// @ts-check
import { operatorGet, postOnce } from "../api.js";
import { ask } from "../dialog.js";
import { announce, h } from "../dom.js";
import { plural } from "../numbers.js";
import { badge, empty, fact, field, show, time, working } from "../parts.js";
import { queue } from "../queue.js";
import { rowText, safeText } from "../safe-text.js";
import { hashWith } from "../tabs.js";
import { createWebhook, events, showWebhookSecret } from "../webhook-form.js";

/** @import { View } from "../parts.js" */
/** @import { components } from "../operator-types.js" */
/** @typedef {components["schemas"]["Webhook"]} Webhook */
/** @typedef {components["schemas"]["WebhookOutcome"]} Outcome */

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function webhooksView(params, signal) {
  const create = () => createWebhook((id) => desk.open(id));
  if (params.get("id") === "new") {
    params.delete("id");
    history.replaceState(null, "", hashWith("webhooks", params, {}));
    create();
  }
  const { element, desk, shortcuts } = queue({
    view: "webhooks", params, signal,
    filters: h("div", { class: "toolbar" },
      h("button", { type: "button", class: "primary", "aria-keyshortcuts": "n", onclick: create },
        "Create a webhook", h("kbd", { "aria-hidden": "true" }, "n"))),
    none: empty("No webhooks", "No other program is told of changes and disputes. Create a webhook for one."),
    load: async (cursor) => {
      const query = /** @type {any} */ ({ cursor });
      const { webhooks, nextCursor } = await operatorGet("/webhook/list", query, signal);
      return { items: webhooks, nextCursor };
    },
    item: (webhook) => [
      h("span", { class: "line" }, badge(webhook.state), webhook.lastAt !== null && time(webhook.lastAt)),
      rowText(webhook.url), h("span", { class: "muted" }, summary(webhook)),
    ],
    detail: async (id, refresh) =>
      detail(await operatorGet("/webhook/get", { id: Number(id) }, signal), refresh),
  });
  return { title: "Webhooks", element, shortcuts };
}

/** @type {Record<string, string>} */
const failures = {
  REDIRECT: "a redirection, which is not followed", TIMEOUT: "no response in time",
  ADDRESS: "the address is not public", TLS: "the certificate is not valid", CONNECTION: "not reachable",
};

/** @param {Outcome} outcome */
function outcomeText({ status, failure }) {
  const why = failures[failure ?? ""];
  return `${failure === null ? "accepted" : "refused"} (${[status, why].filter(Boolean).join(": ")})`;
}

/** @param {Webhook} webhook */
function summary({ last, failures: count }) {
  return last === null ? "nothing sent yet" : count === 0 ? outcomeText(last)
    : `${outcomeText(last)}, ${plural(count, "failure")}`;
}

/** What to say above the next detail: the result of the last action. */
let notice = "";

/** @param {string} text */
function tell(text) {
  notice = text;
  announce(text);
}

const disabledBy = {
  GONE: "The receiver has answered with the status 410: it wants no more messages.",
  FAILING: "No message was accepted for five days.",
};

/**
 * @param {Webhook} webhook
 * @param {() => void} refresh
 */
function detail(webhook, refresh) {
  const said = notice;
  notice = "";
  const { id, state, filter, failures: count } = webhook;
  const answer = h("div", { role: "status" });
  const active = state === "ACTIVE";
  const button = (/** @type {string} */ label, /** @type {() => void | Promise<void>} */ act, look = "") => {
    const onclick = (/** @type {MouseEvent} */ { currentTarget }) =>
      void working(/** @type {Element} */ (currentTarget), Promise.resolve(act()));
    return h("button", { type: "button", class: look, onclick }, label);
  };
  return h("article", { class: "card stack" },
    said !== "" && h("p", { class: "notice info", role: "status" }, said),
    h("h2", {}, `Webhook #${id} `, badge(state)),
    webhook.disabledBy && h("p", { class: "bad" }, disabledBy[webhook.disabledBy]),
    h("dl", { class: "facts" },
      fact("URL", safeText(webhook.url)),
      fact("When", webhook.events.map((one) => events.find(([event]) => event === one)?.[1] ?? one).join(", ")),
      fact("New status", filter.statuses.length === 0 ? "any" : filter.statuses.map((one) => badge(one))),
      fact("Types", filter.types.join(", ") || "all"),
      fact("Created", time(webhook.createdAt)),
      fact("Last message", webhook.last === null ? "nothing sent yet" : outcomeText(webhook.last), " ",
        webhook.lastAt !== null && time(webhook.lastAt)),
      count > 0 && fact("Failures", `${count} since `, time(webhook.failingSince)),
      count > 0 && webhook.lastSuccessAt !== null && fact("Last accepted", time(webhook.lastSuccessAt)),
      count > 0 && active && webhook.dueAt !== null && fact("Next attempt", time(webhook.dueAt)),
      webhook.oldSecretUntil !== null && fact("Old secret until", time(webhook.oldSecretUntil))),
    h("div", { class: "actions" },
      active && count === 0 ? null : button(active ? "Try again now" : "Resume",
        () => change(answer, "/webhook/resume", id, "Resumed. It continues where it has stopped.", refresh)),
      active && button("Pause", () => change(answer, "/webhook/pause", id, "Paused.", refresh)),
      button("Test", () => test(answer, id)),
      button("Replay", () => replay(webhook, refresh)),
      button("Rotate the secret", () => rotate(webhook, refresh)),
      button("Remove", () => remove(webhook), "last")),
    answer);
}

/**
 * @param {HTMLElement} answer
 * @param {"/webhook/pause" | "/webhook/resume"} path
 * @param {number} id
 * @param {string} success
 * @param {() => void} refresh
 */
function change(answer, path, id, success, refresh) {
  return show(answer, async () => {
    await postOnce(path, { id });
    tell(success);
    refresh();
    return [];
  });
}

/**
 * @param {HTMLElement} answer
 * @param {number} id
 */
function test(answer, id) {
  return show(answer, async () => {
    const outcome = await postOnce("/webhook/test", { id });
    return h("p", { class: outcome.failure === null ? "good" : "bad" }, `Test message: ${outcomeText(outcome)}`);
  });
}

/**
 * @param {Webhook} webhook
 * @param {() => void} refresh
 */
function replay({ id, url }, refresh) {
  ask({
    title: `Replay events to webhook #${id}`, about: safeText(url), action: "Replay",
    fields: [
      field("Since (UTC)", h("input", { name: "from", type: "datetime-local", autofocus: true }),
        "Sends what has happened since then again, and five minutes more. Leave it empty for everything."),
    ],
    act: async (form) => {
      const from = String(form.get("from"));
      await postOnce("/webhook/replay", { id, from: from === "" ? null : new Date(`${from}Z`).toISOString() });
      tell("The events are sent again.");
      refresh();
      return [];
    },
  });
}

/**
 * @param {Webhook} webhook
 * @param {() => void} refresh
 */
function rotate({ id, url }, refresh) {
  let secret = "";
  ask({
    title: `Rotate the secret of webhook #${id}`, about: safeText(url), action: "Rotate",
    fields: [h("p", {}, "For a day, the present secret signs messages too. Change the receiver's in that time. "
      + "A secret before the present one is no longer valid.")],
    act: async () => {
      ({ secret } = await postOnce("/webhook/rotate", { id }));
      return [];
    },
    done: () => showWebhookSecret(`New secret of webhook #${id}`, secret, refresh),
  });
}

/** @param {Webhook} webhook */
function remove({ id, url }) {
  ask({
    title: `Remove webhook #${id}`, about: safeText(url), action: "Remove",
    fields: [h("p", {}, "Its receiver is told of no more events, and its place among them is forgotten. "
      + "This cannot be undone.")],
    act: async () => {
      await postOnce("/webhook/remove", { id });
      announce(`Webhook #${id} was removed`);
      return [];
    },
    done: () => { location.hash = "#/webhooks"; },
  });
}
