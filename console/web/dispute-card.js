// @ts-check
// A dispute with what is known of its asset, and the actions on it.
import { answer, background, effectiveStatus, otherDisputes } from "./asset-card.js";
import { blockAgain } from "./check-actions.js";
import { colleagueFields } from "./colleagues.js";
import { isUndecided, send, words } from "./dispute-actions.js";
import { announce, fill, h } from "./dom.js";
import { effectOf, unconfirmedIssues } from "./effect.js";
import { askFirst, askInPlace, keepText, runFrom } from "./in-place.js";
import { decidedText } from "./kept-decisions.js";
import { age, badge, failure, field, select, time, waited } from "./parts.js";
import { isOwn, nameOf } from "./people.js";
import { clipped, safeText } from "./safe-text.js";
import { keepDecision, once, otherActMade } from "./store.js";

/** @import { Act, Decision, Dispute, State } from "./dispute-actions.js" */
/** @import { Known } from "./asset-card.js" */
/** @import { Effect } from "./effect.js" */
/** @import { Desk } from "./queue.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["ListedDispute"]} Listed */

/**
 * @typedef {object} Context
 * @property {Dispute} dispute
 * @property {Known} known
 * @property {AbortSignal} signal
 * @property {Desk<Listed>} desk
 * @property {boolean} movesOn whether the next dispute follows a decision
 * @property {() => void} count counts the tabs again
 */

/** @type {Record<State, { label: string, shortcut?: string, act: Act, look?: string }>} */
const transitions = {
  UNDER_REVIEW: { label: "Take up", shortcut: "t", act: "startReview", look: "primary" },
  ACCEPTED: { label: "Accept", shortcut: "a", act: "resolve" },
  REJECTED: { label: "Reject", shortcut: "r", act: "resolve" },
  OPEN: { label: "Reopen", act: "reopen" },
  WITHDRAWN: { label: "Withdraw", act: "withdraw" },
};
const order = /** @type {State[]} */ (Object.keys(transitions));

/**
 * @param {State} from
 * @param {State} to
 */
function transition(from, to) {
  return from === "UNDER_REVIEW" && to === "OPEN"
    ? { label: "Release", act: /** @type {Act} */ ("release") }
    : transitions[to];
}

/**
 * @param {Context} context
 * @param {State[]} next
 */
export function disputeCard(context, next) {
  const { dispute, known } = context;
  const status = effectiveStatus(known);
  const undecided = isUndecided(dispute.state);
  const place = h("div", { class: "actions place" });
  const problem = h("div", { role: "alert" });
  fill(place, buttons(context, next, place, problem));
  return h("article", { class: "card stack" },
    h("h2", { class: "line" }, `Dispute #${dispute.id} `, badge(dispute.state),
      h("span", { class: "muted waits" },
        undecided ? "waits for " : "", waited(dispute.createdAt), undecided ? "" : " ago")),
    holder(dispute),
    answer(known, context.signal),
    undecided && status === "ALLOWED" && h("p", { class: "notice warn" },
      h("strong", {}, "It is already allowed. "), "Accepting changes nothing for those who open it."),
    undecided && status === "UNKNOWN" && h("p", { class: "notice warn" },
      h("strong", {}, "It is not blocked now. "), "See its history for what has changed since."),
    h("blockquote", {},
      dispute.description === ""
        ? h("p", { class: "muted" }, "No description.")
        : safeText(dispute.description, { lines: true, clip: 600, tag: "p" }),
      h("p", { class: "muted line" },
        h("a", { href: `#/disputes?${new URLSearchParams({ email: dispute.email })}`, title: "The disputes from it" },
          clipped(dispute.email, 100)), time(dispute.createdAt))),
    place, problem,
    h("dl", { class: "facts" }, background(known, dispute.id)),
    h("h3", {}, "Notes"),
    dispute.notes.length === 0 ? h("p", { class: "muted" }, "No notes yet.")
      : h("ol", { class: "timeline notes" }, dispute.notes.map(noted)));
}

/**
 * Returns who has a dispute, and since when.
 *
 * @param {Dispute} dispute
 */
function holder(dispute) {
  const held = heldBy(dispute);
  return held && h("p", { class: "notice info" },
    h("strong", {}, held.by === null ? `Taken up by ${held.name}` : `Given to ${held.name} by ${held.by}`), " ",
    age(held.since));
}

/**
 * Returns who has a dispute under review, or null.
 *
 * @param {Dispute} dispute
 */
function heldBy({ state, assignee, updatedAt, notes }) {
  const taken = notes.findLast((note) => note.state !== null);
  const since = taken?.createdAt ?? updatedAt;
  const by = taken?.assignee ? taken.author === null ? "somebody" : nameOf(taken.author) : null;
  return state !== "UNDER_REVIEW" ? null : {
    name: assignee === null ? "somebody" : nameOf(assignee), own: assignee !== null && isOwn(assignee.id), since, by,
  };
}

/**
 * Acts on a dispute, but asks first if a colleague has it.
 *
 * @param {Context} context
 * @param {HTMLElement} place
 * @param {string} verb what to do anyway
 * @param {() => void} go
 */
function askingFirst({ dispute }, place, verb, go) {
  const held = heldBy(dispute);
  if (!held || held.own) {
    go();
    return;
  }
  const how = held.by === null ? "took it up" : "got it";
  const question = `${held.name} ${how} ${age(held.since).textContent}. ${verb} anyway?`;
  askFirst(place, { question, action: `${verb} anyway`, go });
}

/** @param {Dispute["notes"][number]} note */
function noted({ createdAt, state, kind, author, assignee, text }) {
  return h("li", {},
    h("span", { class: "line" }, time(createdAt), state ? badge(state) : badge("TYPE", words(kind)),
      author !== null && h("span", { class: "muted" }, nameOf(author)),
      assignee !== null && h("span", { class: "muted" }, `to ${nameOf(assignee)}`)),
    text !== "" && safeText(text, { lines: true, clip: 4000, tag: "p" }));
}

/**
 * @param {Context} context
 * @param {State[]} next
 * @param {HTMLElement} place
 * @param {HTMLElement} problem
 */
function buttons(context, next, place, problem) {
  const { dispute } = context;
  const acts = order.filter((to) => next.includes(to)).map((to) => {
    const name = transition(dispute.state, to);
    return to === "UNDER_REVIEW"
      ? actionButton(name, (event) => void takeUp(context, event, problem))
      : actionButton(name, () => askingFirst(context, place, name.label, () => decide(context, to, place)));
  });
  const held = heldBy(dispute);
  const over = held && !held.own && actionButton({ label: "Take over", shortcut: "t" },
    () => askingFirst(context, place, "Take over", () => void takeOver(context, problem)));
  const give = isUndecided(dispute.state) && actionButton({ label: "Assign to …" },
    () => askingFirst(context, place, "Assign", () => assign(context, place)));
  return [over, ...acts, give, actionButton({ label: "Comment", shortcut: "c" },
    () => askingFirst(context, place, "Comment", () => comment(context, place)))];
}

/**
 * @param {{ label: string, shortcut?: string, look?: string }} name
 * @param {(event: Event) => void} act
 */
function actionButton({ label, shortcut, look }, act) {
  return h("button", { type: "button", class: look, "aria-keyshortcuts": shortcut, onclick: act },
    label, shortcut && h("kbd", { "aria-hidden": "true" }, shortcut));
}

/**
 * @param {Context} context
 * @param {Event} event
 * @param {HTMLElement} problem
 */
async function takeUp(context, event, problem) {
  const { dispute } = context;
  await runFrom(/** @type {HTMLButtonElement} */ (event.currentTarget), async () => {
    try {
      await once(nameOfWrite(dispute), dispute, async () =>
        settle(context, await send("startReview", { id: dispute.id }), `Dispute #${dispute.id}: under review.`));
    } catch (error) {
      fill(problem, failure(error));
    }
  });
}

/**
 * Takes a dispute up that a colleague has, or a person who has left: it is released first, with a note.
 *
 * @param {Context} context
 * @param {HTMLElement} problem
 */
async function takeOver(context, problem) {
  const { id } = context.dispute;
  try {
    await once(nameOfWrite(context.dispute), context.dispute, async () => {
      const released = await send("release", { id, reason: "Taken over" });
      const result = released.dispute && !released.faster ? await send("startReview", { id }) : released;
      return settle(context, result, `Dispute #${id}: under review.`);
    });
  } catch (error) {
    fill(problem, failure(error));
  }
}

/**
 * Gives a dispute to a colleague. One that somebody has is released first, with a note.
 *
 * @param {Context} context
 * @param {HTMLElement} place
 */
function assign(context, place) {
  const { dispute } = context;
  const { id, state } = dispute;
  askInPlace(place, {
    title: `Assign dispute #${id}`, fields: [...colleagueFields(), ...reasonFields("UNDER_REVIEW", false)],
    action: "Assign",
    act: (form) => once(nameOfWrite(dispute), dispute, async () => {
      const assigneeId = Number(form.get("assigneeId"));
      if (assigneeId === 0) {
        return ["Choose a colleague"];
      }
      const released = state === "UNDER_REVIEW" ? await send("release", { id, reason: "Assigned" }) : null;
      const result = released === null || released.dispute && !released.faster
        ? await send("startReview", { id, assigneeId, reason: String(form.get("reason")) }) : released;
      const to = result.dispute?.assignee;
      return settle(context, result, `Dispute #${id}: assigned to ${to ? nameOf(to) : "somebody"}.`);
    }),
  });
  place.querySelector("input")?.focus();
}

/** @param {Dispute} dispute */
function nameOfWrite({ id }) {
  return `dispute ${id}`;
}

/**
 * Shows the dispute as an action has left it, and returns issues.
 *
 * @param {Context} context
 * @param {import("./dispute-actions.js").Result} result
 * @param {string} success
 * @param {string} [kept] what to say of what was entered, if somebody was faster
 * @returns {string[]}
 */
function settle({ desk, count }, result, success, kept = "") {
  if (!result.dispute) {
    return result.issues;
  }
  const text = result.faster ? `${result.faster} Your action was not done.${kept}` : success;
  otherActMade();
  (result.faster ? desk.warn : desk.tell)(text);
  desk.update(result.dispute);
  count();
  return [];
}

/** The reasons of the last decisions of each kind, which often are those of the next. @type {Map<State, string[]>} */
const reasons = new Map();
const maxReasons = 3;

/**
 * Returns the field for a reason, with the last ones to choose from.
 *
 * @param {State} to
 * @param {boolean} required
 */
function reasonFields(to, required) {
  const reason = h("textarea", { name: "reason", rows: 2 });
  const fields = [required
    ? field("Reason", reason, "The creator of the dispute can read it.")
    : field("Reason (optional)", reason)];
  const last = reasons.get(to) ?? [];
  if (required && last.length > 0) {
    fields.push(h("div", { class: "line recent" }, h("span", { class: "hint" }, "Again:"),
      last.map((text) => h("button", {
        type: "button", class: "small", onclick: () => {
          reason.value = text;
          reason.dispatchEvent(new Event("input", { bubbles: true }));
          reason.focus();
        },
      }, clipped(text, 80)))));
  }
  return fields;
}

/**
 * @param {Context} context
 * @param {State} to
 * @param {HTMLElement} place
 */
function decide(context, to, place) {
  const { dispute, known } = context;
  const { label, act } = transition(dispute.state, to);
  const resolves = act === "resolve";
  const same = resolves ? otherDisputes(known, dispute.id).filter(({ state }) => isUndecided(state)) : [];
  /** @type {HTMLElement[]} */
  const fields = reasonFields(to, resolves);
  /** @type {Effect | undefined} */
  let effect;
  if (to === "ACCEPTED") {
    const status = select("assetStatus", "UNKNOWN",
      [["UNKNOWN", "Unknown: its domain and the external lists decide"], ["ALLOWED", "Allowed"]]);
    effect = effectOf(dispute.content, status);
    fields.unshift(field("New status of the asset", status), effect.place, effect.confirmation);
  }
  const status = effectiveStatus(known);
  const stays = ["The asset stays as it is:", badge(status)];
  if (to === "REJECTED") {
    fields.unshift(h("p", { class: "line" }, stays));
  }
  if (act === "reopen") {
    const said = h("div", { class: "stack tight" });
    const block = h("button", { type: "button", onclick: () => void runFrom(block, () =>
      blockAgain(dispute.content, (done) => fill(said, done)).catch((error) => fill(problem, failure(error)))),
    }, "Block it again …");
    const problem = h("div", {});
    fill(said, h("p", { class: "line" }, stays, "Reopening gives no status back. Undo of a decision does.",
      dispute.state === "ACCEPTED" && status !== "BLOCKED" && block), problem);
    fields.unshift(said);
  }
  if (same.length > 0) {
    fields.push(h("label", { class: "check" }, h("input", { type: "checkbox", name: "same" }),
      `Also decide ${same.map(named).join(", ")}: the same asset, not decided yet`));
  }
  askInPlace(place, {
    title: `${label} dispute #${dispute.id}`, fields, action: label,
    act: (form) => once(nameOfWrite(dispute), dispute, async () => {
      const unconfirmed = effect ? await unconfirmedIssues(effect) : [];
      if (unconfirmed.length > 0) {
        return unconfirmed;
      }
      const reason = String(form.get("reason"));
      const assetStatus = form.get("assetStatus");
      const body = {
        reason, ...(resolves ? { state: to } : {}), ...(to === "ACCEPTED" ? { assetStatus } : {}),
      };
      const result = await send(act, { id: dispute.id, ...body });
      if (result.dispute && result.faster) {
        keepText(commentTitle(dispute), "text", reason);
        return settle(context, result, "", reason.trim() === "" ? "" : " Your text is kept in Comment.");
      }
      if (result.issues || !(resolves || act === "withdraw")) {
        return settle(context, result, `Dispute #${dispute.id}: ${words(to)}.`);
      }
      if (resolves) {
        const others = (reasons.get(to) ?? []).filter((one) => one !== reason);
        reasons.set(to, [reason, ...others].slice(0, maxReasons));
      }
      const { asset: { status = "UNKNOWN" } = {}, decisions: all = [] } = known.explanation ?? {};
      const held = all.find(({ source }) => source.kind === "OPERATOR") ?? null;
      const after = to === "ACCEPTED" ? /** @type {Decision["after"]} */ (assetStatus) : status;
      /** @type {Decision[]} */
      const decisions = [{ dispute, to, held, after }];
      const faster = form.has("same") ? await decideSame(same.map(({ id }) => id), body, decisions, after) : [];
      decided(context, decisions, faster);
      return [];
    }),
  });
}

/**
 * Returns the number of a dispute, with the colleague who has it.
 *
 * @param {Listed} dispute
 */
function named({ id, state, assignee }) {
  const taken = state === "UNDER_REVIEW" && assignee !== null && !isOwn(assignee.id);
  return taken ? `#${id} (taken up by ${nameOf(assignee)})` : `#${id}`;
}

/**
 * Decides other disputes of the same asset alike, adds those to the decisions, and returns the IDs of those
 * that somebody else was faster with.
 *
 * @param {number[]} ids
 * @param {object} body
 * @param {Decision[]} decisions
 * @param {Decision["after"]} status the asset has it already
 */
async function decideSame(ids, body, decisions, status) {
  const faster = [];
  for (const id of ids) {
    const result = await send("resolve", { id, ...body });
    if (result.dispute && !result.faster) {
      const { notes } = result.dispute;
      const from = notes.slice(0, -1).findLast(({ state }) => state !== null)?.state ?? "OPEN";
      decisions.push({
        dispute: { ...result.dispute, state: from }, to: result.dispute.state, held: null, after: status,
      });
    } else {
      faster.push(id);
    }
  }
  return faster;
}

/**
 * Says what was decided, with a way back, and goes on.
 *
 * @param {Context} context
 * @param {Decision[]} decisions
 * @param {number[]} faster
 */
function decided(context, decisions, faster) {
  const { desk, movesOn, count } = context;
  const ids = decisions.map(({ dispute }) => dispute.id);
  const text = decidedText(decisions)
    + (faster.length > 0 ? ` Not ${faster.map((id) => `#${id}`).join(", ")}, decided meanwhile.` : "");
  announce(text);
  const { id, content: about } = context.dispute;
  keepDecision({ kind: "dispute", id, text, about, at: Date.now(), decisions });
  if (movesOn) {
    desk.done(ids);
  } else {
    desk.open(id);
  }
  count();
}

/** @param {Dispute} dispute */
function commentTitle({ id }) {
  return `Comment on dispute #${id}`;
}

/**
 * @param {Context} context
 * @param {HTMLElement} place
 */
function comment(context, place) {
  const { dispute } = context;
  askInPlace(place, {
    title: commentTitle(dispute), action: "Add comment",
    fields: [field("Comment", h("textarea", { name: "text", rows: 2 }))],
    act: (form) => once(nameOfWrite(dispute), dispute, async () =>
      settle(context, await send("addNote", { id: dispute.id, text: String(form.get("text")) }), "Comment added.")),
  });
}
