// @ts-check
// What a status of an asset would do, shown before it is set.
import { deferred, previewStatus, tryStatuses } from "./api.js";
import { kinds } from "./check-recognition.js";
import { fill, h } from "./dom.js";
import { grouped } from "./numbers.js";
import { age, badge, isAbort, show, stayAllowed } from "./parts.js";
import { actsAbout, knowActs, onActs } from "./pending-acts.js";
import { nameOf, ownUser } from "./people.js";
import { assetAddress } from "./references.js";
import { assetText, clipped, safeText } from "./safe-text.js";
import { currentKeys } from "./session.js";
import { wideText } from "./wide.js";
import { rules } from "./workers.js";

/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Preview"]} Preview */
/** @typedef {components["schemas"]["AssetStatus"]} Status */
/** @typedef {components["schemas"]["Act"]} Act */

/** Why an asset is protected. @type {Record<components["schemas"]["Protection"]["reason"], string>} */
const protections = {
  PUBLIC_SUFFIX: "a public suffix",
  PLATFORM: "a host of a platform",
  POPULAR: "a popular host",
  NAME: "protected",
  ALLOWLIST: "on an allowlist",
};

/**
 * Returns a chip that says why an asset is protected. It is hidden until that is known, which nothing else waits for.
 *
 * @param {string} content
 * @param {AbortSignal} signal
 */
export function protectionChip(content, signal) {
  const chip = h("span", { class: "chip warn protection", hidden: true });
  previewStatus({ content, status: "BLOCKED" }, deferred(signal)).then(({ protection }) => {
    if (protection !== null) {
      fill(chip, protectionWords(content, protection));
      chip.hidden = false;
    }
  }, () => {}); // a form says it, too
  return chip;
}

/**
 * Returns a place that names who has asked to block an asset, as long as that waits for a second operator.
 *
 * @param {string} content
 * @param {AbortSignal} signal
 * @param {(act: Act) => boolean} [choose] returns whether an act about the asset is named
 */
export function requests(content, signal, choose = () => true) {
  const place = h("div", {});
  const draw = () => fill(place, actsAbout(content).filter(choose).map(({ actor, createdAt }) =>
    h("p", { class: "notice warn" }, h("strong", {}, "Waits for a second operator: "),
      safeText(nameOf(actor)), " asked to block it ", age(createdAt), ". ",
      h("a", { href: assetAddress(content) }, "Look at the request"))));
  const gone = new AbortController();
  let seen = false;
  onActs(() => {
    if (seen && !place.isConnected) {
      gone.abort();
      return;
    }
    seen = place.isConnected;
    draw();
  }, AbortSignal.any([signal, gone.signal]));
  if (currentKeys().operatorKey !== "") {
    void Promise.all([knowActs(), ownUser().catch(() => null)]).then(draw); // a name then lacks "(you)"
  }
  return place;
}

/**
 * Returns why an asset is protected, as a chip says it.
 *
 * @param {string} content
 * @param {components["schemas"]["Protection"]} protection
 */
export function protectionWords(content, { reason, by }) {
  return [protections[reason].replace(/^a /, ""), ...by === content ? [] : [": ", clipped(by, 60)]];
}

/**
 * What a form shows of the effect of a status.
 *
 * @typedef {object} Effect
 * @property {HTMLElement} place what the status would do; it has the status whose effect it shows as data
 * @property {HTMLElement} confirmation the field `confirmProtected` or `confirmWide` that blocks a protected asset, or
 *   allows one that is wide or looks like another one, hidden otherwise
 * @property {() => Promise<void>} settled waits until it is known whether the confirmation is needed
 * @property {() => Promise<boolean>} warns waits for that, and returns whether the status would concern many people
 * @property {() => boolean} takesTwo whether it is known that a second operator must agree to it
 * @property {(alone: string, two: string) => HTMLElement} saying returns the first text, which becomes the second one
 *   while takesTwo
 */

/**
 * @param {string} content
 * @param {Status | HTMLSelectElement} status a select whose value is a status tells it again when that changes
 * @param {{ asked?: boolean }} [options] whether another operator has asked for it, so that one more is enough
 * @returns {Effect}
 */
export function effectOf(content, status, { asked = false } = {}) {
  const place = h("div", { class: "effect", role: "status" });
  const box = h("input", { type: "checkbox" });
  const sentence = h("span", {});
  const confirmation = h("div", { class: "field", hidden: true }, h("label", { class: "check" }, box, sentence));
  let reading = new AbortController();
  let settled = Promise.resolve();
  let warns = false;
  let two = false;
  /** What depends on whether a second operator must agree. @type {(() => void)[]} */
  const texts = [];
  const setTwo = (/** @type {boolean} */ now) => {
    if (two !== now) {
      two = now;
      texts.forEach((draw) => draw());
    }
  };
  const preview = (/** @type {string} */ chosen) => {
    reading.abort();
    reading = new AbortController();
    setTwo(false);
    delete place.dataset["shown"];
    box.checked = false;
    box.name = chosen === "ALLOWED" ? "confirmWide" : "confirmProtected";
    fill(sentence, chosen === "ALLOWED" ? "Allow it although that lets through what others put below it"
      : "Block it although that concerns many people");
    const { signal } = reading;
    settled = show(place, async () => {
      const found = await previewStatus({ content, status: /** @type {Status} */ (chosen) }, signal).catch((error) => {
        confirmation.hidden = signal.aborted ? confirmation.hidden : chosen !== "ALLOWED"; // nobody has seen the effect
        throw error;
      });
      setTwo(!asked && chosen === "BLOCKED" && found.protection !== null && await takesTwo(content, signal));
      const looksLike = chosen === "ALLOWED" ? (await rules.explain(content)).looksLike : undefined;
      if (looksLike !== undefined && !found.wide) {
        fill(sentence, "Allow it although it looks like ", clipped(looksLike));
      }
      confirmation.hidden = !(chosen === "BLOCKED" && found.protection
        || chosen === "ALLOWED" && (found.wide || looksLike !== undefined));
      warns = !confirmation.hidden || chosen === "ALLOWED" && found.protection?.reason === "PUBLIC_SUFFIX";
      place.dataset["shown"] = chosen;
      return lines(found, looksLike, two, signal);
    }, { keep: place.hasChildNodes() });
  };
  if (status instanceof HTMLSelectElement) {
    status.addEventListener("change", () => preview(status.value));
    preview(status.value);
  } else {
    preview(status);
  }
  const saying = (/** @type {string} */ alone, /** @type {string} */ both) => {
    const text = h("span", {}, alone);
    texts.push(() => fill(text, two ? both : alone));
    return text;
  };
  return {
    place, confirmation, settled: () => settled, warns: () => settled.then(() => warns), takesTwo: () => two, saying,
  };
}

/**
 * Returns whether the block of a protected asset takes a second operator. A dry run says so.
 *
 * @param {string} content
 * @param {AbortSignal} signal
 */
async function takesTwo(content, signal) {
  try {
    const { pending } = await tryStatuses([{ content, status: "BLOCKED" }], signal, true);
    return pending !== null;
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    return false; // the answer to the request itself says it
  }
}

/**
 * @param {Preview} preview
 * @param {string | undefined} looksLike the domain that an asset looks like which would be allowed
 * @param {boolean} two whether a second operator must agree
 * @param {AbortSignal} signal
 * @returns {Node}
 */
function lines(preview, looksLike, two, signal) {
  const { asset, status, verdict: { status: shown, source, match }, protection, wide, above, below } = preview;
  return h("div", { class: "stack" },
    looksLike !== undefined && h("p", { class: "notice grave" },
      h("strong", {}, "Looks like ", clipped(looksLike)), ", and is another name."),
    status === "BLOCKED" && protection !== null && h("p", { class: "notice grave" },
      h("strong", {}, "Protected: "), safeText(protection.by), ` is ${protections[protection.reason]}.`,
      two && " A second operator must agree. Until then, nothing changes."),
    two && requests(asset.content, signal),
    status === "ALLOWED" && wide !== null && h("p", { class: "notice grave" }, h("strong", {}, wideText(wide)), "."),
    status === "ALLOWED" && wide === null && protection?.reason === "PUBLIC_SUFFIX" && h("p", { class: "notice warn" },
      safeText(protection.by), " is a public suffix: this allows its own page, and nothing below it."),
    h("p", { class: "line" }, "A check then answers", badge(shown),
      source === "LIST" && "by an external list",
      match !== null && match.content !== asset.content
        && [`by ${kinds[match.kind] ?? match.kind}:`, assetText(match.content)]),
    above.count > 0 && h("p", {}, `${count(above.count, false, "asset covers it", "assets cover it")}.`),
    below.count > 0 && h("p", {},
      `${count(below.count, below.more, "asset is below it", "assets are below it")}.`, stayAllowed(preview)),
    concerned(preview));
}

/**
 * Says whom the status concerns beside those who check.
 *
 * @param {Preview} preview
 */
function concerned({ allowedBy, openDisputes, openReports }) {
  const parts = [
    [allowedBy, "organization that allows it", "organizations that allow it"],
    [openDisputes, "open dispute", "open disputes"],
    [openReports, "open report", "open reports"],
  ].flatMap(([number, one, several]) => {
    const { count: all, more } = /** @type {components["schemas"]["Count"]} */ (number);
    return all > 0 ? [count(all, more, String(one), String(several))] : [];
  });
  return parts.length > 0 && h("p", {}, `It has ${parts.join(", ")}.`);
}

/**
 * @param {number} number
 * @param {boolean} more whether there may be more
 * @param {string} one
 * @param {string} several
 */
function count(number, more, one, several) {
  return `${grouped(number)}${more ? " or more" : ""} ${number === 1 && !more ? one : several}`;
}

/**
 * Returns whether a form lacks the confirmation that it asks for.
 *
 * @param {Effect} effect
 */
export async function isUnconfirmed({ confirmation, settled }) {
  await settled();
  return !confirmation.hidden && !confirmation.querySelector("input")?.checked;
}

/**
 * Returns the issue of a form that lacks the confirmation that it asks for, or none.
 *
 * @param {Effect} effect
 */
export async function unconfirmedIssues(effect) {
  if (!await isUnconfirmed(effect)) {
    return [];
  }
  return effect.confirmation.querySelector("input")?.name === "confirmWide"
    ? ["confirmWide: must be checked, because the asset is wide or looks like another one"]
    : ["confirmProtected: must be checked, because the asset is protected"];
}
