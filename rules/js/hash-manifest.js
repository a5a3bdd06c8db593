// @ts-check
// Reads the manifest of a published folder, and says when it is refused and which files of it are needed. Package
// publish/manifest has the same rules in Go.
import { HashListError, otherRules } from "./hash-error.js";
import { openNote } from "./hash-note.js";
import { isBefore, parseVersionText } from "./hash-version.js";

/** @import { Verifier } from "./hash-note.js" */
/** @import { Version } from "./hash-version.js" */

/**
 * A file. Steps lead from the version of since to their version.
 *
 * @typedef {object} ManifestFile
 * @property {string} name
 * @property {string} kind
 * @property {Version} since
 * @property {Version} version
 * @property {number} size
 * @property {string} sha256
 */

/**
 * A manifest. The time is in milliseconds.
 *
 * @typedef {{ version: Version, time: number, rules: number, files: ManifestFile[] }} Manifest
 */

/** The name of the manifest in its folder, which no file has. */
const manifestName = "manifest.json";
/** The maximum size of a manifest in bytes. */
export const maxManifest = 1 << 20;
/** How far a manifest may be ahead of the clock, in milliseconds. */
const maxAhead = 5 * 60_000;

const kinds = ["hashes", "export", "changes", "metamask"];

/** @param {string} reason */
const malformed = (reason) => new HashListError("MALFORMED", `malformed manifest: ${reason}`);

/**
 * Returns the manifest of a signed note. Unknown fields and files of unknown kinds are ignored. The error is SIGNATURE
 * or MALFORMED.
 *
 * @param {Uint8Array} data
 * @param {Verifier[]} verifiers
 */
export async function openManifest(data, verifiers) {
  if (data.length > maxManifest) {
    throw malformed(`more than ${maxManifest} bytes`);
  }
  return parseManifest(await openNote(data, verifiers));
}

/**
 * @param {string} text
 * @returns {Manifest}
 */
function parseManifest(text) {
  const manifest = objectOf(parseJSON(text), "manifest");
  const files = manifest["files"];
  if (!Array.isArray(files)) {
    throw malformed("files of the manifest is not an array");
  }
  const read = {
    version: versionOf(manifest, "version", "manifest"),
    time: timeOf(manifest, "time", "manifest"),
    rules: integerOf(manifest, "rulesVersion", "manifest"),
    files: files.flatMap((file, i) => fileOf(objectOf(file, `file ${i}`), `file ${i}`)),
  };
  requireUnique(read.files);
  return read;
}

/** @param {string} text */
function parseJSON(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("it is not JSON");
  }
}

/**
 * @param {any} value
 * @param {string} what
 * @returns {Record<string, unknown>}
 */
function objectOf(value, what) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed(`${what} is not an object`);
  }
  return value;
}

/**
 * Returns the file of a known kind, or none.
 *
 * @param {Record<string, unknown>} object
 * @param {string} what
 * @returns {ManifestFile[]}
 */
function fileOf(object, what) {
  const kind = textOf(object, "kind", what);
  if (!kinds.includes(kind)) {
    return [];
  }
  if (Object.hasOwn(object, "format")) {
    textOf(object, "format", what);
  }
  const file = {
    name: textOf(object, "name", what),
    kind,
    since: Object.hasOwn(object, "since") ? versionOf(object, "since", what) : parseVersionText(""),
    version: versionOf(object, "version", what),
    size: integerOf(object, "size", what),
    sha256: textOf(object, "sha256", what),
  };
  if (!/^[A-Za-z0-9-][A-Za-z0-9.-]{0,127}$/.test(file.name) || file.name === manifestName) {
    throw malformed(`${what} has an invalid name`);
  }
  if (!/^[0-9a-f]{64}$/.test(file.sha256)) {
    throw malformed(`sha256 of the ${what} is not a SHA-256`);
  }
  if (isStep(file) && (file.since.text === file.version.text || isBefore(file.version, file.since))) {
    throw malformed(`${what} does not lead to a later version`);
  }
  return [file];
}

/**
 * Reports whether a file leads from one version to another, and is not whole.
 *
 * @param {ManifestFile} file
 */
const isStep = ({ kind, since }) => kind === "changes" || (kind === "hashes" && since.text !== "");

/**
 * @param {Record<string, unknown>} object
 * @param {string} field
 * @param {string} what
 */
function textOf(object, field, what) {
  const text = object[field];
  if (typeof text !== "string") {
    throw malformed(`${field} of the ${what} is not a string`);
  }
  return text;
}

/**
 * @param {Record<string, unknown>} object
 * @param {string} field
 * @param {string} what
 */
function integerOf(object, field, what) {
  const number = object[field];
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) {
    throw malformed(`${field} of the ${what} is not an integer from 0 to 2^53-1`);
  }
  return number;
}

/**
 * @param {Record<string, unknown>} object
 * @param {string} field
 * @param {string} what
 */
function timeOf(object, field, what) {
  const text = textOf(object, field, what);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time) || new Date(time).toISOString() !== text) {
    throw malformed(`${field} of the ${what} is not a time in UTC with milliseconds`);
  }
  return time;
}

/**
 * @param {Record<string, unknown>} object
 * @param {string} field
 * @param {string} what
 */
function versionOf(object, field, what) {
  const text = textOf(object, field, what);
  try {
    const version = parseVersionText(text);
    if (version.text === text) {
      return version;
    }
  } catch {
    // as below
  }
  throw malformed(`${field} of the ${what} is not a version`);
}

/** @param {ManifestFile[]} files */
function requireUnique(files) {
  const names = new Set(files.map(({ name }) => name));
  if (names.size < files.length) {
    throw malformed("two files have one name");
  }
  const steps = files.filter(isStep);
  const starts = new Set(steps.map(({ kind, since }) => `${kind} ${since.text}`));
  if (starts.size < steps.length) {
    throw malformed("two steps of a kind start from one version");
  }
}

/**
 * Requires that a manifest can be used. The last one is the last that was used. Times are in milliseconds, and rules
 * is the version of the own rules. The error is OLDER, OTHER_STORE, FUTURE, TOO_OLD or OTHER_RULES.
 *
 * @param {Manifest} manifest
 * @param {{ last: Manifest | undefined, now: number, maxAge: number, rules: number }} client
 */
export function requireUsable(manifest, { last, now, maxAge, rules }) {
  const stamp = new Date(manifest.time).toISOString();
  if (last && manifest.time < last.time) {
    throw new HashListError("OLDER", `manifest is older than the last one: it is of ${stamp}`);
  }
  if (last && last.version.text !== "" && manifest.version.store !== last.version.store) {
    throw new HashListError("OTHER_STORE", "manifest is of another store than the last one; start again to accept it");
  }
  if (last && isBefore(manifest.version, last.version)) {
    throw new HashListError("OLDER", "manifest is older than the last one: its version is before");
  }
  if (now - manifest.time < -maxAhead) {
    throw new HashListError("FUTURE", `manifest is from the future: it is of ${stamp}`);
  }
  if (now - manifest.time >= maxAge) {
    throw new HashListError("TOO_OLD", `manifest is too old: it is of ${stamp}`);
  }
  if (manifest.rules !== rules) {
    throw otherRules("manifest", manifest.rules, rules);
  }
}

/**
 * Returns the hash lists that lead, in order, from the held version to that of the manifest: steps, or whole lists and
 * then steps, whatever has fewer bytes. The empty version means that nothing is held. The error is NO_HASHES.
 *
 * @param {Manifest} manifest
 * @param {string} held
 */
export function hashFiles(manifest, held) {
  if (held !== "" && held === manifest.version.text) {
    return [];
  }
  const whole = manifest.files.filter((file) => file.kind === "hashes" && !isStep(file));
  const ways = [
    held === "" ? undefined : stepsFrom(manifest, held, []),
    ...whole.map((file) => stepsFrom(manifest, file.version.text, [file])),
  ];
  /** @type {ManifestFile[] | undefined} */
  let best;
  for (const way of ways) {
    if (way && (!best || sizeOf(way) < sizeOf(best))) {
      best = way;
    }
  }
  if (!best) {
    throw new HashListError("NO_HASHES", "hash lists are not published; publish them, or use another manifest");
  }
  return best;
}

/** @param {ManifestFile[]} files */
const sizeOf = (files) => files.reduce((sum, { size }) => sum + size, 0);

/**
 * Returns the files and the steps that lead from a version to that of the manifest, if there are any.
 *
 * @param {Manifest} manifest
 * @param {string} since
 * @param {ManifestFile[]} files
 */
function stepsFrom(manifest, since, files) {
  const steps = manifest.files.filter((file) => file.kind === "hashes" && isStep(file));
  const next = new Map(steps.map((file) => [file.since.text, file]));
  const way = [...files];
  for (let at = since; at !== manifest.version.text;) {
    const step = next.get(at);
    if (!step) {
      return undefined;
    }
    next.delete(at); // the way ends, even if it leads in a circle
    way.push(step);
    at = step.version.text;
  }
  return way;
}
