// @ts-check
import { ApiError, operatorGet, operatorPost, post } from "../api.js";
import { rules } from "../core.js";
import { ask } from "../dialog.js";
import { announce, fill, h } from "../dom.js";
import { organizationName } from "../organizations.js";
import { badge, empty, field, select, show, stayAllowed, suffixConfirmation, time } from "../parts.js";
import { assetText, safeText } from "../safe-text.js";
import { currentKeys } from "../session.js";

/** @import { View } from "../parts.js" */
/** @import { Explained } from "../rules.js" */
/** @import { components } from "../api-types.js" */
/** @typedef {components["schemas"]["CheckResponse"]} Checked */

const examples = [
  "https://WWW.Bad.Example.com:443/login?x=1", "@acme_giveaway", "login.acme.example.com",
  "0x00000000219ab540356cBB839Cbe05303d7705Fa",
];

/** A browser refuses to keep very long texts in its history. */
const maxDraft = 20_000;

/** How many of the organizations that allow an asset are named. */
const maxNames = 5;

/** @type {Record<string, string>} */
const kinds = {
  EXACT: "the asset itself", URL: "a link to it", PAGE: "its page", DOMAIN: "its domain", ACCOUNT: "its account",
};

/** @type {Record<string, string>} */
const effects = { BLOCKS: "a page above, which can only block", WITHHOLDS: "if blocked, its page does not allow this" };

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function checkView(params, signal) {
  const input = h("textarea", {
    rows: 2, "aria-label": "Content to check", placeholder: "Paste a link, a handle, an address …",
    spellcheck: "false", autofocus: true,
  });
  input.value = draft() ?? params.get("content") ?? "";
  const recognized = h("section", { "aria-label": "Recognized" });
  const status = h("section", { "aria-label": "Status" });
  const form = h("form", { class: "card check-form" }, input, h("button", { class: "primary" }, "Check"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      check();
    }
  });
  let typing = 0;
  input.addEventListener("input", () => {
    fill(status);
    recognize();
    clearTimeout(typing);
    typing = setTimeout(keepDraft, 250);
  });
  input.addEventListener("change", keepDraft);

  /** Keeps what was typed for the time when the user comes back. */
  function keepDraft() {
    clearTimeout(typing);
    if (!signal.aborted && input.value !== params.get("content")) {
      history.replaceState({ draft: input.value.slice(0, maxDraft) }, "");
    }
  }

  function recognize() {
    const content = input.value;
    if (content.trim() === "") {
      fill(recognized, start());
      return;
    }
    rules.explain(content).then((explained) => {
      if (content === input.value) {
        fill(recognized, recognition(explained));
      }
    }, (error) => fill(recognized, h("p", { role: "alert" }, String(error))));
  }

  function check() {
    const content = input.value;
    if (content.trim() === "") {
      return;
    }
    clearTimeout(typing);
    params.set("content", content);
    history.replaceState(null, "", `#/check?${params}`);
    recognize();
    void show(status, async () => {
      const explained = await rules.explain(content);
      if (explained.covers.length === 0) {
        return [];
      }
      const result = await post("/asset/check", { content }, { signal });
      markDecisive(recognized, result);
      return verdict(explained.opens ?? content, result, signal, check);
    });
  }

  function start() {
    return empty("What is this, and may it be shown?",
      "Paste anything that somebody could be tricked with. The page recognizes it while you type. Check asks the "
        + "server whether it is blocked.",
      h("p", {}, "Try one:"),
      h("ul", { class: "plain" }, examples.map((example) => {
        const tryIt = () => { input.value = example; check(); input.focus(); };
        return h("li", {}, h("button", { type: "button", class: "link", onclick: tryIt }, example));
      })));
  }

  recognize();
  if (input.value !== "" && draft() === undefined) {
    check();
  }
  const element = h("div", { class: "stack" }, form, h("div", { class: "columns" }, recognized, status));
  return { title: "Check", element };
}

/** @returns {string | undefined} what was typed here, but not checked, before the user went elsewhere */
function draft() {
  return history.state?.draft;
}

/** @param {Explained} explained */
function recognition(explained) {
  if (explained.refused) {
    const { message, character } = explained.refused;
    return h("div", { class: "card stack" }, h("h2", {}, "Not recognized"), h("p", {}, safeText(message)),
      character
        && h("p", {}, "The first forbidden character is ", h("code", {}, character),
          character === "U+0020" && ", a space", "."),
      explained.opens
        && [h("p", {}, "This is not an asset, but a browser opens it as a link: "),
          h("p", {}, assetText(explained.opens)), ...covers(explained)],
      tried(explained));
  }
  return h("div", { class: "card stack" }, h("h2", {}, "Recognized"),
    h("dl", { class: "facts" },
      h("div", {}, h("dt", {}, "Type"), h("dd", {}, badge("TYPE", explained.type))),
      h("div", {}, h("dt", {}, "Canonical form"), h("dd", {}, assetText(explained.canonical))),
      explained.network && h("div", {}, h("dt", {}, "Network"), h("dd", {}, explained.network)),
      h("div", {}, h("dt", {}, "By the rule"), h("dd", {}, words(explained.rule ?? ""))),
      h("div", {}, h("dt", {}, "Rewritten"), h("dd", {}, explained.rewrites.length === 0 ? "nothing"
        : h("ul", { class: "plain" }, explained.rewrites.map((rewrite) => h("li", {}, words(rewrite))))))),
    covers(explained),
    tried(explained));
}

/** @param {Explained} explained */
function covers(explained) {
  return [
    h("h3", {}, "Whose status counts"),
    h("p", { class: "hint" },
      "The first number that has an allowed or blocked asset decides. Blocked wins over allowed."),
    h("ol", { class: "covers" },
      explained.covers.map((cover) => h("li", { "data-canonical": cover.canonical, value: String(cover.step + 1) },
        assetText(cover.canonical),
        h("span", { class: "muted" }, effects[cover.effect ?? ""] ?? kinds[cover.kind] ?? cover.kind)))),
  ];
}

/** @param {Explained} explained */
function tried(explained) {
  return explained.tried.length > 0
    && h("details", {}, h("summary", {}, `Rules that were tried before (${explained.tried.length})`),
      h("ul", {}, explained.tried.map(({ rule, reason }) => h("li", {}, words(rule), reason && `: ${words(reason)}`))));
}

/**
 * Marks the cover that decides about the status.
 *
 * @param {HTMLElement} recognized
 * @param {Checked} result
 */
function markDecisive(recognized, { match, status }) {
  const decisive = [...recognized.querySelectorAll("li")].find((item) => item.dataset["canonical"] === match?.content);
  decisive?.append(badge(status, `${status.toLowerCase()}: this decides`));
}

/**
 * @param {string} content
 * @param {Checked} result
 * @param {AbortSignal} signal
 * @param {() => void} again
 */
function verdict(content, result, signal, again) {
  const place = h("div", { class: "stack" });
  const match = result.match;
  place.append(h("div", { class: `card verdict ${result.status.toLowerCase()}` },
    h("h2", {}, "Status ", badge(result.status)),
    h("p", {}, result.source === "NONE" ? "The server knows nothing about it."
      : result.source === "LIST" ? "Only an external list says so."
        : match && ["By ", kinds[match.kind] ?? match.kind, ": "].join("")),
    match && h("p", {}, assetText(match.content)),
    result.lists.length > 0
      && h("ul", {}, result.lists.map((list) => h("li", {}, list.name, " says ", badge(list.status))))));
  const operator = currentKeys().operatorKey !== "";
  const known = match ? match.content : result.canonical;
  const disputed = h("div", { role: "status" });
  place.append(h("div", { class: "actions" },
    result.status === "BLOCKED"
      && h("button", { type: "button", onclick: () => dispute(known, disputed) }, "Dispute this"),
    operator
      && h("button", { type: "button", onclick: () => void setStatus(result.canonical, again) }, "Set a status")),
  disputed);
  if (operator) {
    const more = h("section", { "aria-label": "History" });
    place.append(more);
    void show(more, () => historyOf(known, signal));
  }
  return place;
}

/**
 * Asks for a dispute of what blocks a content.
 *
 * @param {string} content
 * @param {HTMLElement} place where the result is shown
 */
function dispute(content, place) {
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

/**
 * @param {string} content
 * @param {() => void} again
 */
async function setStatus(content, again) {
  let seen = await present(content);
  const fields = [
    h("p", {}, "It is now ", badge(seen), "."),
    field("Status",
      select("status", "BLOCKED", [["BLOCKED", "Blocked"], ["ALLOWED", "Allowed"], ["UNKNOWN", "Unknown"]])),
    field("Reference (optional)", h("input", { name: "reference" }), "The record behind the change, such as a ticket"),
    suffixConfirmation(),
  ];
  ask({
    title: "Set the status of this asset", about: assetText(content), fields, action: "Set status",
    act: async (form) => {
      /** @type {any} */
      const body = {
        content, status: form.get("status"), reference: String(form.get("reference")) || null,
        confirmSuffix: form.has("confirmSuffix"), ifStatus: seen,
      };
      const validity = await rules.validate("/asset/setStatus", { body });
      if (!validity.valid) {
        return validity.issues.length > 0 ? validity.issues : [validity.message];
      }
      let set;
      try {
        set = await operatorPost("/asset/setStatus", body);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) {
          throw error;
        }
        seen = await present(content);
        return [`Somebody was faster: the asset is now ${seen}. Set the status again if it still should change.`];
      }
      announce(`Status set.${stayAllowed(set)}`);
      again();
      return [];
    },
  });
}

/**
 * Returns the status of the asset itself. An asset that does not exist is UNKNOWN.
 *
 * @param {string} content
 */
async function present(content) {
  try {
    return (await operatorGet("/asset/explain", { content })).asset.status;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return "UNKNOWN";
    }
    throw error;
  }
}

/**
 * @param {string} content
 * @param {AbortSignal} signal
 */
async function historyOf(content, signal) {
  const { changes } = await operatorGet("/asset/history", { content, limit: 100 }, signal);
  if (changes.length === 0) {
    return [];
  }
  const explanation = await operatorGet("/asset/explain", { content }, signal);
  const allowing = explanation.allowedBy.organizations;
  const names = await Promise.all(allowing.slice(0, maxNames).map(({ id }) => organizationName(id)));
  const more = explanation.allowedBy.more || allowing.length > maxNames;
  return h("div", { class: "card stack" }, h("h2", {}, "Why, and what happened before"),
    h("ol", { class: "timeline" },
      changes.map((change) => h("li", {},
        time(change.updatedAt), badge(change.fromStatus), "→", badge(change.toStatus),
        h("span", { class: "muted" }, change.cause.toLowerCase().replaceAll("_", " "),
          change.actor !== null && ` by user ${change.actor}`,
          change.reference !== null && [", ", safeText(change.reference)])))),
    explanation.exceptions.length > 0
      && h("div", {}, h("p", {}, "These assets below it stay allowed",
        explanation.moreExceptions && ", and perhaps others", ":"),
      h("ul", {}, explanation.exceptions.map((one) => h("li", {}, assetText(one.content))))),
    h("p", {}, allowing.length === 0 ? "It is on no organization's allowlist."
      : ["It is on the allowlist of ", ...names.flatMap((name, index) => [index > 0 && ", ", safeText(name)]),
        more && " and others", "."]),
    explanation.disputes.disputes.length > 0
      && h("p", {}, "Disputes: ",
        explanation.disputes.disputes.flatMap(({ id, state }) =>
          [h("a", { href: `#/disputes?id=${id}` }, `#${id}`), " ", badge(state), " "])));
}

/**
 * Returns a name of the rules as words.
 *
 * @param {string} name
 */
function words(name) {
  const text = name.toLowerCase().replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
