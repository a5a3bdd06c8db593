// @ts-check
// What is typed into the palette, found: records by their number, assets by the rules of the page, and people on the
// server.
import { nullIfUnknown, operatorGet } from "./api.js";
import { h } from "./dom.js";
import { inWords } from "./parts.js";
import { labelOf, nameOf } from "./people.js";
import { assetAddress } from "./references.js";
import { clipped, rowText } from "./safe-text.js";
import { currentKeys } from "./session.js";
import { rules } from "./workers.js";

/** @import { Command } from "./palette.js" */

/** The users and the organizations that are offered at most, each. */
const limit = 5;

/** A shorter text is part of too many names. */
const shortest = 2;

const number = /^#?([1-9]\d{0,14})$/;
/** The number of a record of one kind, such as "report 9". */
const numbered = /^(dispute|report)s?[ /#]+([1-9]\d{0,14})$/i;
/** A handle without its sign, which rather is a part of a name. Addresses of blockchains are longer. */
const word = /^[\p{L}\p{M}\d_-]{1,25}$/u;
/** What may be a part of an asset's name, which has no spaces. */
const part = /^\S{3,}$/;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @param {string} text */
function isNumber(text) {
  return number.test(text) || numbered.test(text);
}

/** Returns whether a text is a whole e-mail address. @param {string} text */
export function isEmail(text) {
  return email.test(text);
}

/**
 * Returns a command that leads to an address.
 *
 * @param {string} label
 * @param {string} address
 * @param {Node} [about] what the label is about, a text of strangers
 * @returns {Command}
 */
function leadTo(label, address, about) {
  return { label, about, run: () => { location.hash = address; } };
}

/** @param {string} id */
function dispute(id) {
  return leadTo(`Dispute #${id}`, `#/disputes?id=${id}`);
}

/** @param {string} id */
function report(id) {
  return leadTo(`Report #${id}`, `#/reports?id=${id}`);
}

/**
 * Returns what a text says by itself: the number of a record, or an address that disputes have.
 *
 * @param {string} text
 */
export function named(text) {
  const [, id] = number.exec(text) ?? [];
  if (currentKeys().operatorKey === "") {
    return [];
  }
  const [, kind = "", of] = numbered.exec(text) ?? [];
  if (of) {
    return [kind.toLowerCase() === "report" ? report(of) : dispute(of)];
  }
  if (id) {
    return [dispute(id), report(id)];
  }
  return isEmail(text)
    ? [leadTo("Disputes of", `#/disputes?${new URLSearchParams({ email: text })}`, clipped(text, 60))] : [];
}

/**
 * Returns the canonical form of the asset that a text names, if it names a whole one. It may be disarmed for display.
 *
 * @param {string} text
 */
export async function wholeAsset(text) {
  if (text === "" || isNumber(text) || word.test(text)) {
    return undefined;
  }
  const { canonical, refanged } = await rules.explain(text);
  return canonical ?? refanged;
}

/**
 * Returns the page of the asset that a text names, if it names one.
 *
 * @param {string} text
 */
export async function recognized(text) {
  const canonical = await wholeAsset(text);
  return canonical === undefined ? [] : [leadTo("About", assetAddress(canonical), rowText(canonical))];
}

/**
 * Returns the disputes and the reports about the asset that a text names, and about the one that decides about it.
 *
 * @param {string} text
 * @param {AbortSignal} signal
 */
export async function records(text, signal) {
  const canonical = await wholeAsset(text);
  if (canonical === undefined || currentKeys().operatorKey === "") {
    return [];
  }
  const { match } = await operatorGet("/asset/explain", { content: canonical }, signal).catch(nullIfUnknown)
    ?? { match: null };
  const found = await Promise.all([...new Set([canonical, match?.content ?? canonical])].map(async (content) => {
    const [{ disputes }, { reports }] = await Promise.all([
      operatorGet("/dispute/list", { content, limit }, signal), operatorGet("/report/list", { content, limit }, signal),
    ]);
    const about = () => rowText(content);
    return [
      ...disputes.map(({ id, state }) =>
        leadTo(`Dispute #${id}, ${inWords(state)}, about`, `#/disputes?id=${id}`, about())),
      ...reports.map(({ id, status }) => leadTo(`Report #${id}, ${inWords(status)}, about`,
        `#/reports?${new URLSearchParams({ status: "ALL", id: String(id) })}`, about())),
    ];
  }));
  return found.flat();
}

/**
 * Returns the users and organizations whose names have a text, as the server finds them, and the disputes and reports
 * whose assets have it.
 *
 * @param {string} text
 * @param {AbortSignal} signal
 */
export async function people(text, signal) {
  if (currentKeys().operatorKey === "" || text.length < shortest || isNumber(text)) {
    return [];
  }
  const query = { searchQuery: text.slice(0, 200), limit };
  const [{ users }, { organizations }] = await Promise.all([
    operatorGet("/user/list", query, signal), operatorGet("/organization/list", query, signal),
  ]);
  return [
    ...users.map((user) => leadTo("User", `#/users?id=${user.id}`,
      h("span", {}, clipped(nameOf(user), 60), user.email !== null && [" ", clipped(user.email, 60)]))),
    ...organizations.map((one) => leadTo("Organization", `#/users?tab=organizations&id=${one.id}`,
      clipped(labelOf(one), 60))),
    ...(!part.test(text) || isEmail(text) || await wholeAsset(text) !== undefined ? []
      : [leadTo("Disputes with", `#/disputes?${new URLSearchParams({ content: text })}`, clipped(text, 60)),
        leadTo("Disputes from an e-mail with", `#/disputes?${new URLSearchParams({ email: text })}`, clipped(text, 60)),
        leadTo("Reports with", `#/reports?${new URLSearchParams({ status: "ALL", searchQuery: text })}`,
          clipped(text, 60))]),
  ];
}
