// @ts-check
// Everything about an asset on one page. Each part is read by itself, and one that fails leaves the others.
import { acts, decidedActs } from "../acts.js";
import { ApiError, nullIfUnknown, operatorGet } from "../api.js";
import { answer, checkAsset, heldOn, lookAlike } from "../asset-card.js";
import { decisionLines, disputeLine, namedChangeLine, reasonedLine, reportLine } from "../asset-lines.js";
import { setStatus, withdraw } from "../check-actions.js";
import { recognition } from "../check-recognition.js";
import { dialogIsOpen } from "../dialog.js";
import { announce, fill, h } from "../dom.js";
import { pagedList } from "../paged-list.js";
import { badge, empty, failure, field, isAbort, show } from "../parts.js";
import { actsAbout, onActs } from "../pending-acts.js";
import { organizationName } from "../people.js";
import { assetAddress } from "../references.js";
import { checkLink, clipped, rowText, safeText } from "../safe-text.js";
import { currentKeys } from "../session.js";
import { undoList } from "../undo-list.js";
import { rules } from "../workers.js";

/** @import { View } from "../parts.js" */
/** @import { Explanation } from "../asset-card.js" */

/** The records of a page of each list. */
const limit = 20;

/**
 * @typedef {object} Context
 * @property {string} canonical
 * @property {string | undefined} looksLike the domain that it looks like
 * @property {AbortSignal} signal
 * @property {() => Promise<Explanation | null>} explain
 * @property {(said?: Node) => void} again reads everything again, and says what was done
 */

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function assetView(params, signal) {
  const content = params.get("content") ?? "";
  const input = h("input", { name: "content", value: content, spellcheck: "false", autofocus: content === "" });
  const form = h("form", { class: "filters" }, field("Domain, link, account or address", input),
    h("button", { class: "primary" }, "Look up"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `#/asset?${new URLSearchParams({ content: input.value.trim() })}`;
  });
  const place = h("div", { class: "stack" });
  void show(place, async () => {
    if (content.trim() === "") {
      return empty("What is known of a name?", "Enter an asset in any spelling. Ctrl K finds them too.");
    }
    const explained = await rules.explain(content);
    const canonical = explained.canonical ?? explained.refanged;
    if (canonical === undefined) {
      return h("div", { class: "stack" }, recognition(explained), h("p", {}, checkLink(content)));
    }
    if (currentKeys().operatorKey === "") {
      return h("div", { class: "stack" }, failure(new ApiError(401, "No key is set", [], "operatorKey")),
        h("p", {}, checkLink(content)));
    }
    return everything(canonical, explained.looksLike, signal);
  });
  return { title: "Asset", element: h("div", { class: "stack" }, h("div", { class: "card" }, form), place) };
}

/**
 * @param {string} canonical
 * @param {string | undefined} looksLike
 * @param {AbortSignal} signal
 */
function everything(canonical, looksLike, signal) {
  const said = h("div", { role: "status" });
  /** The explanation, which several parts share. @type {Promise<Explanation | null> | null} */
  let explaining = null;
  /** @type {Context} */
  const context = {
    canonical, looksLike, signal,
    explain: () => {
      const asked = explaining ??= operatorGet("/asset/explain", { content: canonical }, signal).catch(nullIfUnknown);
      asked.catch(() => { explaining = null; });
      return asked;
    },
    again: (done) => {
      fill(said, done ?? "");
      explaining = null;
      sections.forEach(({ read }) => read());
    },
  };
  const sections = Object.entries(parts).map(([title, load]) => section(title, () => load(context)));
  sections.forEach(({ read }) => read());
  const mine = undoList({
    kind: "asset", signal,
    undone: (text, { about }) => {
      announce(text);
      if (about === canonical) {
        context.again(h("p", { class: "notice info" }, text));
      } else {
        location.hash = assetAddress(about);
      }
    },
  });
  const cards = h("div", { class: "cards" }, sections.map(({ element }) => element));
  const waiting = () => JSON.stringify(actsAbout(canonical));
  let shown = waiting();
  onActs(() => {
    const other = shown !== waiting();
    shown = waiting();
    if (other && !dialogIsOpen() && cards.querySelector("form") === null) {
      context.again(said.firstChild ?? undefined);
    }
  }, signal);
  return h("div", { class: "stack" }, mine, said, cards);
}

/**
 * @param {string} title
 * @param {() => Promise<Node>} load
 */
function section(title, load) {
  const place = h("div", {});
  return {
    element: h("section", { class: "card stack", "aria-label": title }, h("h2", {}, title), place),
    read: () => void show(place, load, { keep: place.hasChildNodes() }),
  };
}

/** What the page has, in its order. @type {Record<string, (context: Context) => Promise<Node>>} */
const parts = {
  Status: status,
  Decisions: decisions,
  "Waiting for a second operator": async ({ canonical, signal, again }) => h("div", { class: "stack" },
    await Promise.all([
      acts(signal, (text) => again(h("p", { class: "notice info" }, text)), canonical), decidedActs(signal, canonical),
    ])),
  Reports: (context) => withDecider(context, (content, none) =>
    pagedList(async (/** @type {number | undefined} */ cursor) => {
      const { reports: items, nextCursor } =
        await operatorGet("/report/list", { content, limit, ...from(cursor) }, context.signal);
      return { items, nextCursor };
    }, (report) => reportLine(report, content), `No report proposes anything for ${none}.`)),
  Disputes: (context) => withDecider(context, (content, none) =>
    pagedList(async (/** @type {string | undefined} */ cursor) => {
      const { disputes: items, nextCursor } =
        await operatorGet("/dispute/list", { content, limit, ...from(cursor) }, context.signal);
      return { items, nextCursor };
    }, disputeLine, `No dispute is about ${none}.`)),
  Allowlists: allowlists,
  Changes: ({ canonical, signal }) => pagedList(async (/** @type {string | undefined} */ cursor) => {
    const { changes: items, nextCursor } =
      await operatorGet("/asset/history", { content: canonical, limit, ...from(cursor) }, signal);
    return { items, nextCursor };
  }, (change) => reasonedLine(change, canonical), "Its own status never changed."),
  "At and below it": below,
};

/**
 * Returns the records about an asset, and those about the other asset that decides about it, if one does.
 *
 * @param {Context} context
 * @param {(content: string, none: string) => Promise<Node>} list is also given the name of the asset in a sentence
 */
async function withDecider({ canonical, explain }, list) {
  const own = list(canonical, "it");
  const others = explain().catch(() => null).then((explanation) => { // another part says what failed
    const other = explanation?.match?.content ?? canonical;
    return other === canonical ? null : list(other, "it, either").then((node) => ({ other, node }));
  });
  const [first, second] = await Promise.all([own, others]);
  return second === null ? first : h("div", { class: "stack" }, first,
    h("p", { class: "line" }, "About ", h("a", { href: assetAddress(second.other) }, rowText(second.other)),
      ", which decides:"),
    second.node);
}

/**
 * @template C
 * @param {C | undefined} cursor
 */
function from(cursor) {
  return cursor === undefined ? {} : { cursor };
}

/** @param {Context} context */
async function status({ canonical, looksLike, signal, explain, again }) {
  const [explanation, checked] = await Promise.all([explain(), checkAsset(canonical, signal)]);
  const problem = h("div", { role: "alert" });
  const act = (/** @type {typeof setStatus} */ ask) => void ask(canonical, again).catch((error) => {
    fill(problem, isAbort(error) ? "" : failure(error));
  });
  const held = explanation?.asset.id !== null
    && explanation?.decisions.some(({ source }) => source.kind === "OPERATOR");
  return h("div", { class: "stack" },
    answer({ content: canonical, explanation, changes: [], checked }, signal, { linked: false }),
    looksLike !== undefined && lookAlike(looksLike, assetAddress(looksLike), signal),
    h("div", { class: "actions" },
      h("button", { type: "button", class: "primary", onclick: () => act(setStatus) }, "Set a status"),
      held && h("button", { type: "button", onclick: () => act(withdraw) }, "Withdraw the decision"),
      h("a", { class: "button", href: `#/check?${new URLSearchParams({ content: canonical })}` }, "Check")),
    problem);
}

/** @param {Context} context */
async function decisions({ canonical, explain }) {
  const explanation = await explain();
  const content = heldOn(explanation, canonical);
  const held = explanation?.decisions.filter(({ source }) => source.kind !== "ORGANIZATION") ?? [];
  const opinions = explanation?.dissent ?? [];
  const failed = explanation?.listsFailed ?? [];
  if (held.length + opinions.length + failed.length === 0) {
    return h("p", { class: "muted" }, "Neither operators nor lists hold anything on it.");
  }
  return h("ul", { class: "plain spaced" },
    content !== canonical && h("li", {}, "It is not known itself. This is held on ",
      h("a", { href: assetAddress(content) }, rowText(content))),
    held.map((decision) => {
      const { source, counts } = decision;
      return h("li", {},
        h("p", { class: "line" },
          h("strong", {}, source.kind === "OPERATOR" ? "Operators" : "List ",
            source.kind === "LIST" && (source.list === null ? "that was removed" : clipped(source.list))),
          !counts && h("span", { class: "chip" }, "does not count")),
        decisionLines(decision, content));
    }),
    opinions.map(({ name, status: said }) => h("li", { class: "line" }, safeText(name), "says", badge(said))),
    failed.map((name) => h("li", { class: "line" }, safeText(name), "did not answer.")));
}

/** @param {Context} context */
async function allowlists({ explain }) {
  const { organizations, more } = (await explain())?.allowedBy ?? { organizations: [], more: false };
  if (organizations.length === 0) {
    return h("p", { class: "muted" }, "It is on no organization's allowlist.");
  }
  return h("ul", { class: "plain spaced" },
    organizations.map((one) => h("li", { class: "line" },
      h("a", { href: `#/users?tab=organizations&id=${one.id}` }, clipped(organizationName(one), 60)))),
    more && h("li", {}, "and others"));
}

/** @param {Context} context */
async function below({ canonical, signal, explain }) {
  let partial = false;
  const [explanation, list] = await Promise.all([
    explain().catch(() => null), // the other parts say so
    pagedList(async (/** @type {string | undefined} */ cursor) => {
      const { changes: items, nextCursor, partial: some } =
        await operatorGet("/asset/changes", { under: canonical, limit, ...from(cursor) }, signal);
      partial = some;
      return { items, nextCursor };
    }, namedChangeLine, "Nothing at or below it ever changed."),
  ]);
  const { exceptions, moreExceptions } = explanation ?? { exceptions: [], moreExceptions: false };
  return h("div", { class: "stack" },
    partial && h("p", { class: "notice warn" }, "It has so many assets below it that changes may be missing here."),
    exceptions.length > 0 && h("details", {},
      h("summary", {}, `${exceptions.length}${moreExceptions ? " or more" : ""} below it stay allowed`),
      h("ul", { class: "plain spaced" }, exceptions.map(({ content }) =>
        h("li", {}, h("a", { href: assetAddress(content) }, rowText(content)))))),
    list);
}
