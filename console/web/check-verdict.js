// @ts-check
// The answer of a check, and what happened before.
import { ApiError, operatorGet, post } from "./api.js";
import { lookAlike } from "./asset-card.js";
import { approvedBy } from "./asset-lines.js";
import { dispute, setStatus } from "./check-actions.js";
import { kinds } from "./check-recognition.js";
import { fill, h } from "./dom.js";
import { requests } from "./effect.js";
import { age, badge, failure, show, time, waiting, working } from "./parts.js";
import { offline } from "./offline-list.js";
import { nameOf, organizationName } from "./people.js";
import { basisLines } from "./reasons.js";
import { assetAddress, referenceText } from "./references.js";
import { assetText, checkAddress, safeText } from "./safe-text.js";
import { currentKeys } from "./session.js";

/** @import { Checked } from "./check-recognition.js" */

/** How many of the organizations that allow an asset are named. */
const maxNames = 5;

/** Returns what stands in the place of the answer until it is there. */
export function pending() {
  return h("div", { class: "card verdict" }, h("p", { class: "word muted" }, "Checking …"), waiting());
}

/**
 * Returns the answer with its actions, and fills a place with the history of the asset that decides.
 *
 * @param {Checked} result
 * @param {string | undefined} looksLike the domain that the content looks like
 * @param {HTMLElement} past
 * @param {AbortSignal} signal
 * @param {(said?: Node) => void} again asks the server once more, and says what was done
 */
export function verdict(result, looksLike, past, signal, again) {
  const { status, source, match, lists, listsFailed, canonical } = result;
  const operator = currentKeys().operatorKey !== "";
  const known = match ? match.content : canonical;
  const disputed = h("div", { role: "status" });
  const begin = (/** @type {string} */ moment) => ["Since ", time(moment), ", ", age(moment), "."];
  const since = h("p", { class: "since", hidden: !match }, match?.since && begin(match.since));
  void show(past, async () => {
    const { changes, more } = await history(known, operator, signal);
    const [last] = changes;
    if (match?.since === null) { // the server answers from a mirror
      fill(since, last?.toStatus === status && begin(last.updatedAt));
    }
    return changes.length === 0 ? [] : happened(changes, more);
  });
  const failed = (/** @type {unknown} */ error) => fill(disputed, failure(error));
  const set = (/** @type {MouseEvent} */ { currentTarget }) =>
    void working(/** @type {Element} */ (currentTarget), setStatus(canonical, again).catch(failed));
  return h("div", { class: "card verdict", "data-value": status },
    h("h2", { class: "word" }, h("span", { class: "sr" }, "Status "), status),
    h("div", { class: "why" },
      looksLike !== undefined && lookAlike(looksLike, checkAddress(looksLike), signal),
      h("p", { class: "line" }, source === "NONE" ? "Nothing allows or blocks it."
        : source === "LIST" ? "Only an external list says so."
          : match && [`By ${kinds[match.kind] ?? match.kind}:`, assetText(match.content)]),
      match && basisLines(match),
      since,
      requests(canonical, signal),
      lists.map((list) => h("p", { class: "line" }, safeText(list.name), "says", badge(list.status))),
      listsFailed.map((name) => h("p", { class: "line" }, safeText(name), "did not answer."))),
    h("div", { class: "actions" },
      status === "BLOCKED"
        && h("button", { type: "button", onclick: () => dispute(known, disputed) }, "Dispute this"),
      operator && h("button", { type: "button", onclick: set }, "Set a status"),
      operator && h("a", { class: "button", href: assetAddress(known) }, "Everything about it")),
    offline(result),
    disputed);
}

/** @typedef {{ fromStatus: string, toStatus: string, updatedAt: string }} Change */

/**
 * Returns the changes of an asset, the newest first, and for operators what explains its status.
 *
 * @param {string} content
 * @param {boolean} operator
 * @param {AbortSignal} signal
 * @returns {Promise<{ changes: (Change & { said?: Node })[], more: Node[] }>}
 */
async function history(content, operator, signal) {
  if (!operator) {
    return { changes: await publicChanges(content, signal), more: [] };
  }
  const { changes } = await operatorGet("/asset/history", { content, limit: 100 }, signal);
  if (changes.length === 0) {
    return { changes: [], more: [] };
  }
  const said = changes.map((change) => ({
    ...change,
    said: h("span", { class: "muted" }, change.cause.toLowerCase().replaceAll("_", " "),
      change.actor !== null && [" by ", safeText(nameOf(change.actor)),
        change.toStatus === "BLOCKED" && approvedBy(content, change.updatedAt)],
      change.reference !== null && [", ", referenceText(change.reference)]),
  }));
  return { changes: said, more: await explanation(content, signal) };
}

/**
 * @param {string} content
 * @param {AbortSignal} signal
 */
async function publicChanges(content, signal) {
  try {
    return (await post("/asset/changelog", { content }, { signal })).changelog;
  } catch (error) {
    if (error instanceof ApiError && error.aboutKey) {
      return []; // the key is only for checks
    }
    throw error;
  }
}

/**
 * @param {string} content
 * @param {AbortSignal} signal
 */
async function explanation(content, signal) {
  const { exceptions, moreExceptions, allowedBy, disputes: { disputes } } =
    await operatorGet("/asset/explain", { content }, signal);
  const allowing = allowedBy.organizations;
  const names = allowing.slice(0, maxNames).map(organizationName);
  const others = allowedBy.more || allowing.length > maxNames;
  return [
    exceptions.length > 0
      && h("div", {}, h("p", {}, "These assets below it stay allowed", moreExceptions && ", and perhaps others", ":"),
        h("ul", {}, exceptions.map((one) => h("li", {}, assetText(one.content))))),
    h("p", {}, allowing.length === 0 ? "It is on no organization's allowlist."
      : ["It is on the allowlist of ", ...names.flatMap((name, index) => [index > 0 && ", ", safeText(name)]),
        others && " and others", "."]),
    disputes.length > 0
      && h("p", {}, "Disputes: ",
        disputes.flatMap(({ id, state }) =>
          [h("a", { href: `#/disputes?id=${id}` }, `#${id}`), " ", badge(state), " "])),
  ].filter((part) => part instanceof Node);
}

/**
 * @param {(Change & { said?: Node })[]} changes
 * @param {Node[]} more
 */
function happened(changes, more) {
  return h("div", { class: "card stack" }, h("h2", {}, "Why, and what happened before"),
    h("ol", { class: "timeline" },
      changes.map(({ updatedAt, fromStatus, toStatus, said }) =>
        h("li", {}, time(updatedAt), badge(fromStatus), "→", badge(toStatus), said))),
    more);
}
