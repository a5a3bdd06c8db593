// The rules of a check, of decisions, of acts and of webhooks in JavaScript, as README.md describes them, and hash lists
// by rules/js. Covers are those of the vectors.
import { createHmac, timingSafeEqual } from "node:crypto";

import { hashOf, hashListRule } from "./hashlists.mjs";

/** Returns the rules of a client that has these files. */
export function plain({ covers, hashlists: { rulesVersion } }) {
  const known = new Map(covers.vectors.map(({ given, want }) => [given.content, want]));
  return {
    acts: perform,
    check: ({ content, assets, lists = [] }) => decide(known.get(content).covers, statusesOf(assets), lists),
    decisions: settle,
    hashlists: hashListRule({
      limits: () => ({ rulesVersion }),
      checkHashed(content, statusOf) {
        const { reason, covers: found } = known.get(content);
        if (reason) {
          return { refused: { reason, message: reason } };
        }
        const { match, ...verdict } = decide(found, (asset) => statuses[statusOf(...hashOf(asset))], []);
        return match ? { ...verdict, match: { ...match, content: match.canonical } } : verdict;
      },
    }),
    webhooks: verify,
  };
}

/** The statuses by their numbers in rules/js. */
const statuses = ["UNKNOWN", "ALLOWED", "BLOCKED"];

/** Returns a function that returns the status of an asset. */
function statusesOf(assets) {
  const known = new Map(assets.map(({ type, canonical, status }) => [`${type} ${canonical}`, status]));
  return ({ type, canonical }) => known.get(`${type} ${canonical}`) ?? "UNKNOWN";
}

function decide(covers, statusOf, lists) {
  const [{ type, canonical }] = covers;
  const opinions = lists.filter(({ status }) => status !== "UNKNOWN");
  const verdict = { type, canonical, status: "UNKNOWN", source: "NONE" };
  if (opinions.length > 0) {
    verdict.lists = opinions;
  }
  for (let step = 0; covers.some((cover) => cover.step === step); step++) {
    const match = decideStep(covers.filter((cover) => cover.step === step), statusOf);
    if (match) {
      const status = statusOf(match);
      const decided = { kind: match.kind, type: match.type, canonical: match.canonical, status };
      return { ...verdict, status, source: "ASSET", match: decided };
    }
  }
  const listed = opinions.some(({ status }) => status === "BLOCKED");
  return listed ? { ...verdict, status: "BLOCKED", source: "LIST" } : verdict;
}

/** Returns the cover that decides among those of a step. */
function decideStep(covers, statusOf) {
  const blocked = (cover) => statusOf(cover) === "BLOCKED";
  const withholding = covers.filter(({ effect }) => effect === "WITHHOLDS");
  const deciding = covers.filter(({ effect }) => effect !== "WITHHOLDS");
  const allowed = (cover) => !cover.effect && statusOf(cover) === "ALLOWED";
  return deciding.find(blocked) ?? (withholding.some(blocked) ? undefined : deciding.find(allowed));
}

function settle({ at, operators, entries = [], lists = [] }) {
  const now = Date.parse(at);
  const stands = ({ expiresAt }) => expiresAt === undefined || now < Date.parse(expiresAt);
  const times = entries.filter(stands).map(({ addedAt }) => Date.parse(addedAt));
  const lastEntry = times.length > 0 ? Math.max(...times) : undefined;
  const entry = entries.find(({ addedAt }) => Date.parse(addedAt) === lastEntry);
  const byEntry = entry && { status: "ALLOWED", by: "ORGANIZATION", since: entry.addedAt };
  if (operators && stands(operators)) {
    const { status, reason, since } = operators;
    return byEntry && lastEntry >= Date.parse(since) ? byEntry : { status, by: "OPERATOR", reason, since };
  }
  const standing = lists.filter(stands)
    .sort((a, b) => Date.parse(a.since) - Date.parse(b.since) || a.list - b.list);
  const first = (wanted) => standing.find(({ status, since }) => (
    status === wanted && (lastEntry === undefined || Date.parse(since) > lastEntry)));
  const counts = first("BLOCKED") ?? (byEntry ? undefined : first("ALLOWED"));
  if (counts) {
    const { status, list, reason, since } = counts;
    return { status, by: "LIST", list, reason, since };
  }
  return byEntry ?? { status: "UNKNOWN" };
}

function perform({ acts }) {
  const decided = [];
  let operators;
  let entries = [];
  let lists = [];
  let answer = { status: "UNKNOWN" };
  const answers = acts.map(({ act, at, undoes, organization, list, status, reason, expiresAt }, number) => {
    const now = Date.parse(at);
    const stands = (one) => one?.expiresAt === undefined || Date.parse(one.expiresAt) > now;
    entries = entries.filter(stands);
    lists = lists.filter(stands);
    operators = stands(operators) ? operators : undefined;
    const lastEntry = Math.max(...entries.map(({ addedAt }) => Date.parse(addedAt)));
    const blocked = reason ?? (status === "BLOCKED" ? "OTHER" : undefined);
    const held = lists.find((one) => one.list === list);
    switch (act) {
      case "DECIDE": {
        const since = operators ? Date.parse(operators.since) : -Infinity;
        const same = operators?.status === status;
        const why = reason ?? (same ? operators.reason : blocked);
        if (same && why === operators.reason && expiresAt === operators.expiresAt && !(lastEntry >= since)) {
          break;
        }
        const { replaced, ...before } = operators ?? {};
        operators = {
          status, reason: why, expiresAt, since: timeOf(Math.max(now, lastEntry + 1, since + 1)),
          replaced: operators && before,
        };
        decided[number] = operators.since;
        break;
      }
      case "WITHDRAW":
        operators = undefined;
        break;
      case "UNDO": {
        const undone = decided[undoes - 1];
        if (undone && operators?.since === undone) {
          operators = operators.replaced && stands(operators.replaced) ? operators.replaced : undefined;
        } else if (undone && operators?.replaced?.since === undone) {
          operators = { ...operators, replaced: undefined };
        }
        break;
      }
      case "ADD": {
        const blocks = lists.filter((one) => one.status === "BLOCKED");
        const since = [...blocks, ...(operators ? [operators] : [])].map((one) => Date.parse(one.since));
        entries.push({ organization, addedAt: timeOf(Math.max(now, ...since)), expiresAt });
        break;
      }
      case "REMOVE":
        entries = entries.filter((one) => one.organization !== organization);
        break;
      case "LIST":
        lists = lists.filter((one) => one !== held);
        lists.push({
          list, status, reason: blocked, expiresAt,
          since: held?.status === status ? held.since : timeOf(Math.max(now, lastEntry + 1)),
        });
        break;
      case "UNLIST":
        lists = lists.filter((one) => one !== held);
        break;
    }
    const settled = settle({ at, operators, entries, lists });
    if (settled.by !== "ORGANIZATION" || answer.by !== "ORGANIZATION") {
      answer = settled;
    }
    return answer;
  });
  return { answers };
}

/** Returns a time as the vectors write it. */
const timeOf = (milliseconds) => new Date(milliseconds).toISOString().replace(/\.?0*Z$/, "Z");

/** How far the time of a message may be from the clock of the receiver, in seconds. */
const tolerance = 300;

function verify({ secrets, id, at, headers, now, body }) {
  const keys = secrets.map(keyOf);
  if (keys.includes(undefined)) {
    return { refused: "SECRET" };
  }
  if (!headers) {
    const signature = keys.map((key) => sign(key, id, String(at), body)).join(" ");
    return { headers: { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signature } };
  }
  const { "webhook-id": received, "webhook-timestamp": time, "webhook-signature": signatures } = headers;
  if (!/^\d+$/.test(time) || Math.abs(now - Number(time)) > tolerance) {
    return { refused: "TIMESTAMP" };
  }
  const wanted = keys.map((key) => sign(key, received, time, body));
  return signatures.split(" ").some((one) => wanted.some((want) => equal(one, want)))
    ? { accepted: true } : { refused: "SIGNATURE" };
}

/** Returns the bytes of a secret, or undefined if it is not valid. */
function keyOf(secret) {
  const encoded = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : "";
  const key = Buffer.from(encoded, "base64");
  return key.toString("base64") === encoded && key.length >= 24 && key.length <= 64 ? key : undefined;
}

const sign = (key, id, time, body) => (
  `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`);

function equal(a, b) {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
