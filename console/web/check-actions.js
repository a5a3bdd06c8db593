// @ts-check
// What can be done about the status of a content: dispute it, or set another one.
import { ApiError, operatorGet, operatorPost, post, postOnce } from "./api.js";
import { rules } from "./workers.js";
import { ask } from "./dialog.js";
import { announce, fill, h } from "./dom.js";
import { effectOf, unconfirmedIssues } from "./effect.js";
import { exceptionsOf } from "./exceptions.js";
import { statusMade } from "./kept-decisions.js";
import { plural } from "./numbers.js";
import { badge, field, select, stayAllowed } from "./parts.js";
import { readActs } from "./pending-acts.js";
import { organizationName } from "./people.js";
import { reasonOptions } from "./reasons.js";
import { assetText, safeText } from "./safe-text.js";
import { currentKeys } from "./session.js";
import { forgetDecision, keepDecision, otherActMade } from "./store.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["StatusSet"]} StatusSet */
/** @typedef {components["schemas"]["HeldDecision"]} Held */

/**
 * Asks for a dispute of what blocks a content.
 *
 * @param {string} content
 * @param {HTMLElement} place where the result is shown
 */
export function dispute(content, place) {
  const fields = [
    field("E-mail (optional)", h("input", { name: "email", type: "email", autocomplete: "email", autofocus: true }),
      "The address of the person who disputes it. Empty: that of your key's user"),
    field("Description (optional)", h("textarea", { name: "description", rows: 4 }), "Why it should not be blocked"),
  ];
  ask({
    title: "Dispute that this is blocked", about: assetText(content), fields, action: "Create the dispute",
    act: async (form) => {
      const email = String(form.get("email")).trim();
      const description = String(form.get("description")).trim();
      const body = { content, ...(email !== "" ? { email } : {}), ...(description !== "" ? { description } : {}) };
      // Only the server knows whether the user of the key has an address.
      const validity = await rules.validate("/dispute/create", { body, accountEmail: "user@of-the-key.example" });
      if (!validity.valid) {
        return validity.issues.length > 0 ? validity.issues : [validity.message];
      }
      const { id, message } = await post("/dispute/create", body);
      announce(`Dispute #${id} was created.`);
      fill(place, h("div", { class: "notice info" },
        h("p", {}, `Dispute #${id} was created. `, message ?? "An operator decides about it."),
        currentKeys().operatorKey !== "" && h("p", {}, h("a", { href: `#/disputes?id=${id}` }, "Open it"))));
      return [];
    },
  });
}

/** How many of the sources of a status are named. */
const shownSources = 3;

/** The reasons that nobody blocks for. */
const clears = ["FALSE_POSITIVE", "LEGITIMATE"];

/**
 * Asks for another status of an asset, with its reason, and sends it when its effect was shown.
 *
 * @param {string} content
 * @param {(said: Node) => void} again is called when it is set, with what to say about it
 * @param {string} [reason] the one that is chosen at first
 */
export async function setStatus(content, again, reason = "") {
  let seen = await present(content);
  const status = select("status", "BLOCKED", [["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"], ["UNKNOWN", "Unknown"]]);
  const effect = effectOf(content, status);
  const why = select("reason", reason, [["", "Choose one"], ...reasonOptions().slice(1)]);
  const fitting = () => {
    for (const option of why.options) {
      option.hidden = status.value === "BLOCKED" && clears.includes(option.value);
    }
  };
  status.addEventListener("change", fitting);
  fitting();
  const fields = [
    h("p", {}, "It is now ", badge(seen), "."),
    field("Status", status),
    effect.place, effect.confirmation,
    field("Reason", why, "For everybody who may see the status"),
    field("Note (optional)", h("input", { name: "note" }), "More about the reason, for the same people"),
    field("Reference (optional)", h("input", { name: "reference" }), "The record behind the change, such as a ticket"),
    field("Last day (optional, UTC)", h("input", { name: "expiresAt", type: "date" }), "Then it is withdrawn"),
    field("Review on (optional, UTC)", h("input", { name: "reviewAt", type: "date" }),
      "Then it is due for review, and stays as it is"),
  ];
  ask({
    title: "Set the status of this asset", about: assetText(content), fields,
    action: effect.saying("Set status", "Ask a second operator"),
    act: async (form) => {
      const day = (/** @type {string} */ name, /** @type {string} */ at) =>
        form.get(name) ? `${form.get(name)}T${at}Z` : null;
      /** @type {any} */
      const body = {
        content, status: form.get("status"), reason: String(form.get("reason")) || null,
        note: String(form.get("note")).trim() || null, reference: String(form.get("reference")) || null,
        expiresAt: day("expiresAt", "23:59:59"), reviewAt: day("reviewAt", "00:00:00"),
        confirmProtected: form.has("confirmProtected"), ifStatus: seen,
      };
      const validity = await rules.validate("/asset/setStatus", { body });
      if (!validity.valid) {
        return validity.issues.length > 0 ? validity.issues : [validity.message];
      }
      if (body.reason === null) {
        return ["reason: is needed"];
      }
      if (effect.place.dataset["shown"] !== body.status) {
        return ["Read first what the status would do. It is not shown yet."];
      }
      const missing = [
        ...await unconfirmedIssues(effect),
        ...body.confirmProtected && body.reason === "OTHER" && body.note === null
          ? ["note: is needed, because the asset is protected"] : [],
      ];
      if (missing.length > 0) {
        return missing;
      }
      let set;
      try {
        set = await operatorPost("/asset/setStatus", body);
      } catch (error) {
        if (error instanceof ApiError && error.waits) {
          otherActMade();
          announce(`${error.message}.`);
          await readActs().catch(() => {}); // it is sent
          again(h("p", { class: "notice info" }, `${error.message}.`));
          return [];
        }
        if (!(error instanceof ApiError) || error.status !== 409) {
          throw error;
        }
        seen = await present(content);
        return [`Somebody was faster: the asset is now ${seen}. Set the status again if it still should change.`];
      }
      announce(`Status set.${stayAllowed(set)}`);
      again(changed(set));
      return [];
    },
  });
}

/**
 * Asks for the status BLOCKED of an asset that was blocked before, with the reason of then.
 *
 * @param {string} content
 * @param {(said: Node) => void} again is called when it is set, with what to say about it
 */
export async function blockAgain(content, again) {
  const [{ decisions }, { changes }] = await Promise.all([
    operatorGet("/asset/explain", { content }), operatorGet("/asset/history", { content, limit: 100 }),
  ]);
  const since = changes.find(({ toStatus }) => toStatus === "BLOCKED")?.updatedAt;
  const block = since && await ifHeld(content, decisions, { status: "BLOCKED", since });
  const listed = decisions.find(({ source, status }) => source.kind === "LIST" && status === "BLOCKED");
  const held = block && "decision" in block ? block.decision : null;
  await setStatus(content, again, held?.reason ?? listed?.reason ?? "");
}

/**
 * Returns what an asset would be if the operators held something else on it than they do. The server says so, as a dry
 * run of an undo, with the reason of the decision that stood before.
 *
 * @param {string} content
 * @param {Held[]} decisions what is held on it
 * @param {{ status: "BLOCKED", since: string } | null} other
 */
async function ifHeld(content, decisions, other) {
  const { status, since } = decisions.find(({ source }) => source.kind === "OPERATOR") ?? {};
  const decision = status && since ? { status, since } : null;
  const { results: [result] } = await postOnce("/asset/undo", {
    items: [{ content, decision, previous: other }], confirmProtected: true, dryRun: true,
  });
  return result;
}

/**
 * Asks whether the decision of the operators is taken back, so that the rest decides, and says what that is.
 *
 * @param {string} content
 * @param {(said: Node) => void} again is called when it is, with what to say about it
 */
export async function withdraw(content, again) {
  const outcome = h("div", { class: "stack tight" });
  const look = async () => {
    const { asset, decisions } = await operatorGet("/asset/explain", { content });
    const then = await ifHeld(content, decisions, null);
    if (!then || "error" in then) {
      fill(outcome, h("p", {}, "It is now ", badge(asset.status), ". Organizations and lists then decide alone."));
    } else {
      const by = decisions.filter(({ source, status }) => source.kind !== "OPERATOR" && status === then.status);
      fill(outcome, h("p", { class: "line" }, "It is now", badge(asset.status), "and becomes", badge(then.status),
        by.length === 0 ? "because nothing else is held on it." : sources(by)),
      effectOf(content, then.status).place);
    }
    return asset.status;
  };
  let seen = await look();
  ask({
    title: "Withdraw the decision of the operators", about: assetText(content), action: "Withdraw",
    fields: [
      outcome,
      field("Reference (optional)", h("input", { name: "reference" }),
        "The record behind the change, such as a ticket"),
    ],
    act: async (form) => {
      const body = { content, reference: String(form.get("reference")) || null, ifStatus: seen };
      const validity = await rules.validate("/asset/withdraw", { body });
      if (!validity.valid) {
        return validity.issues.length > 0 ? validity.issues : [validity.message];
      }
      try {
        const set = await operatorPost("/asset/withdraw", body);
        announce("Decision withdrawn.");
        again(changed({ ...set, exceptions: [], moreExceptions: false }));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) {
          throw error;
        }
        seen = await look();
        return [`Somebody was faster: the asset is now ${seen}. Withdraw the decision again if it still should go.`];
      }
      return [];
    },
  });
}

/**
 * Names the first sources of decisions.
 *
 * @param {Held[]} decisions
 */
function sources(decisions) {
  const more = decisions.length - shownSources;
  return [
    ...decisions.slice(0, shownSources).map(({ source: { organization, list } }, index) =>
      h("span", {}, index > 0 ? "and " : "by ", organization ? "the allowlist of " : "the list ",
        safeText(organization ? organizationName(organization) : list ?? "that was removed"))),
    more > 0 && `and ${plural(more, "other")}`,
  ];
}

/**
 * Keeps what was done for an undo, and says what the asset is now, and which assets below stay ALLOWED.
 *
 * @param {StatusSet} set
 */
function changed(set) {
  let made = statusMade(set.id, [set]);
  keepDecision(made);
  return h("div", { class: "notice info" },
    h("p", { class: "line" }, assetText(set.content), "is now", badge(set.status)),
    exceptionsOf(set, (done) => {
      forgetDecision(made);
      made = statusMade(set.id,
        [set, ...done.map(({ canonical, decision, previous }) => ({ content: canonical, decision, previous }))]);
      keepDecision(made);
    }));
}

/**
 * Returns the status of the asset itself. An asset that does not exist is UNKNOWN.
 *
 * @param {string} content
 */
async function present(content) {
  return (await operatorGet("/asset/explain", { content })).asset.status;
}
