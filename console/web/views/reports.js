// @ts-check
import { operatorGet } from "../api.js";
import { fill, h } from "../dom.js";
import { onQueueChange, onQuiet } from "../live.js";
import { grouped } from "../numbers.js";
import { wholeAsset } from "../palette-find.js";
import { age, badge, empty, waited } from "../parts.js";
import { actsOn, approverOf, knowActs, onActs } from "../pending-acts.js";
import { labelOf, nameOf, ownUser } from "../people.js";
import { isProtected } from "../protections.js";
import { queue } from "../queue.js";
import { reportCard } from "../report-card.js";
import { escalated, isBlock, isDecision, reviewed } from "../report-state.js";
import { clipped, shortText, suspicions } from "../safe-text.js";
import { chips, countAll, hashWith, searchInput, tabs } from "../tabs.js";
import { undoList } from "../undo-list.js";

/** @import { View } from "../parts.js" */
/** @import { Proposal, Report } from "../report-state.js" */

/** The tabs by the status in the address, and the status that the list is asked for. */
const places = {
  TODO: { label: "To do", status: "TODO" },
  IN_PROGRESS: { label: "In progress", status: "IN_PROGRESS" },
  CLOSED: { label: "Closed", status: "CLOSED" },
  ALL: { label: "All", status: "" },
};

const switches = [
  { label: "without automation", name: "excludeAutomation", value: "true" },
  { label: "escalated", name: "reviewStatuses", value: "ESCALATE" },
  { label: "with a rejection", name: "onlyRejected", value: "true" },
];

/** Turns a queue, which has the oldest report first. */
const turned = { label: "newest first", name: "newest", value: "true" };

const names = ["searchQuery", "reporterQuery", ...switches.map(({ name }) => name)];

/**
 * @param {URLSearchParams} params
 * @param {AbortSignal} signal
 * @returns {View}
 */
export function reportsView(params, signal) {
  const value = (/** @type {string} */ name) => params.get(name) ?? "";
  const tab = Object.hasOwn(places, value("status")) ? value("status") : "TODO";
  const waits = tab === "TODO" || tab === "IN_PROGRESS";
  const newest = value("newest") === "true";
  const whole = names.every((name) => value(name) === "");
  // The server finds a part of a canonical form, which a name in other letters or disarmed for display is not.
  const searched = wholeAsset(value("searchQuery")).then((asset) => asset?.replace(/^https?:\/\//, ""));
  const list = async (/** @type {string} */ name, /** @type {object} */ more, ending = signal) => {
    const { status } = places[/** @type {"TODO"} */ (name)];
    const { reports, nextCursor } = await operatorGet("/report/list", /** @type {any} */ ({
      ...Object.fromEntries(names.map((filter) => [filter, value(filter)])),
      searchQuery: await searched ?? value("searchQuery"), status, oldestFirst: waits && !newest, ...more,
    }), ending);
    return { items: reports, nextCursor };
  };
  const { element: tabList, count, listed } = tabs("Lists", Object.entries(places).map(([name, { label }]) => ({
    label, current: name === tab,
    href: hashWith("reports", params, { status: name === "TODO" ? "" : name, newest: "" }),
  })), async () => {
    if (!whole) {
      return countAll(places, list, signal);
    }
    const { todo, inProgress } = await operatorGet("/report/backlog", undefined, signal);
    return { [places.TODO.label]: grouped(todo), [places.IN_PROGRESS.label]: grouped(inProgress) };
  });
  const filters = h("div", { class: "toolbar" },
    searchInput("reports", params, "searchQuery", "Search"),
    searchInput("reports", params, "reporterQuery", "Reporter"),
    chips("Filters", [...switches, ...(waits ? [turned] : [])].map(({ label, name, value: on }) => {
      const current = value(name) === on;
      return { label, current, href: hashWith("reports", params, { [name]: current ? "" : on }) };
    })));
  const { element, desk, shortcuts } = queue({
    view: "reports", params, signal, slim: true,
    filters: h("div", { class: "stack tight" }, tabList, filters),
    ...(whole || tab === "ALL" ? {} : { none: noneMatches(params) }),
    load: (cursor) => list(tab, { cursor }),
    listed,
    above: undoList({
      kind: "report", signal,
      undone: (text, { kind, id }) => {
        desk.tell(text);
        if (kind === "report") {
          desk.open(id);
        }
        count();
      },
    }),
    item: (report) => row(report, value("searchQuery")),
    live: {
      kind: "report",
      onChange: (listener) => onQueueChange("reports", (change) => {
        listener(change);
        count();
      }, signal),
      onQuiet: (listener) => onQuiet(listener, signal),
      onMore: (listener) => onActs(listener, signal),
      order: (a, b) => (waits && !newest ? 1 : -1) * (a.id - b.id),
      read: (id, signal) => operatorGet("/report/get", { id: Number(id) }, signal),
      card: async (report, _signal, desk) => {
        await Promise.all([knowActs(), ownUser().catch(() => null)]); // names say who "you" is
        const waiting = actsOn(report.proposals);
        return { more: waiting, draw: () => reportCard({ report, waiting, desk, movesOn: waits, count, signal }) };
      },
      stamp: ({ proposals }) => proposals.map(({ reviewId }) => reviewId).join(),
      change,
    },
  });
  return { title: "Reports", element, shortcuts };
}

/** @param {URLSearchParams} params */
function noneMatches(params) {
  return empty("Nothing here matches", "The tabs say how many reports match elsewhere.",
    h("a", { class: "button", href: hashWith("reports", params, { status: "ALL", newest: "" }) }, "Look in All"));
}

/**
 * Says who has changed a report, and how.
 *
 * @param {Report} before
 * @param {Report} report
 */
async function change(before, { proposals }) {
  const known = new Map(before.proposals.map(({ id, reviewId }) => [id, reviewId ?? 0]));
  const made = proposals.filter(({ id, reviewId }) => (reviewId ?? 0) > (known.get(id) ?? 0));
  const [last] = made.toSorted((a, b) => (b.reviewId ?? 0) - (a.reviewId ?? 0));
  if (!last) {
    return "A review of this report was withdrawn.";
  }
  const who = last.reviewedBy ? nameOf(last.reviewedBy) : "Somebody";
  if (made.length > 1) {
    return `${who} reviewed ${made.length} proposals of this report.`;
  }
  const second = isBlock(last, last) && last.reviewedAt !== null
    ? await approverOf(last.asset.content, last.reviewedAt) : null;
  return second !== null ? `${nameOf(second)} approved the request of ${who}.`
    : `${who} ${reviewed[last.reviewStatus ?? ""]?.toLowerCase() ?? "reviewed"} a proposal of this report.`;
}

/**
 * @param {Report} report
 * @param {string} searched what the list is searched for
 */
function row({ id, title, description, organization, reporter, status, proposals, createdAt }, searched) {
  const decided = proposals.filter(({ reviewStatus }) => isDecision(reviewStatus)).length;
  const about = (description === "" ? title : `${title} · ${description}`).replaceAll(/\s+/g, " ");
  const types = [...new Set(proposals.map(({ asset }) => asset.type))];
  const last = escalated({ proposals });
  const from = reporter?.fullName || reporter?.email || labelOf(organization);
  return [
    h("span", { class: "number" }, `#${id}`),
    h("span", { class: "text names", title: about }, named(proposals, searched),
      proposals.length > 1 && h("span", {}, `+${proposals.length - 1}`), h("span", { class: "gist" }, clipped(about))),
    h("span", { class: "kind", title: types.join(", ") }, types[0], types.length > 1 && ` +${types.length - 1}`),
    h("span", { class: "from", title: from }, clipped(from, 60)),
    last ? escalatedBy(last)
      : actsOn(proposals).length > 0 ? h("span", { class: "who" }, badge("PENDING", "asked"))
      : h("span", { class: "who" }, status === "CLOSED" ? badge(status) : `${decided} of ${proposals.length}`),
    waited(createdAt),
  ];
}

/**
 * Names the asset of one proposal: of the one that was searched for, or that looks suspicious, or the first. As soon as
 * it is known that one is protected that is not decided, it says so, and names that one if none was searched for.
 *
 * @param {Proposal[]} proposals
 * @param {string} searched
 */
function named(proposals, searched) {
  const part = searched.trim().toLowerCase();
  const found = part === "" ? undefined : proposals.find(({ asset, content }) =>
    [asset.content, content].some((text) => text.toLowerCase().includes(part)));
  const first = found ?? proposals.find(({ asset }) => suspicions(asset.content).length > 0) ?? proposals[0];
  const place = h("span", { class: "names" }, first && shortText(first.asset.content));
  const undecided = proposals.filter(({ reviewStatus }) => !isDecision(reviewStatus));
  void Promise.all(undecided.map(({ asset }) => isProtected(asset.content))).then((answers) => {
    const grave = undecided.find((_, index) => answers[index]);
    if (grave) {
      fill(place, h("span", { class: "chip warn protection" }, "protected"),
        shortText((found ?? grave).asset.content));
    }
  });
  return place;
}

/** @param {Proposal} proposal one that is escalated */
function escalatedBy({ reviewedBy, reviewedAt }) {
  const who = reviewedBy === null ? "" : ` by ${nameOf(reviewedBy)}`;
  return h("span", { class: "who", title: `Escalated${who}` },
    badge("ESCALATE", "escalated"), clipped(who, 40), reviewedAt !== null && [" ", age(reviewedAt)]);
}
