// @ts-check
// Requests hash lists from a published folder. Nothing of it counts before it is verified.
import { HashListError, damaged } from "./hash-error.js";
import { hashFiles, maxManifest, openManifest, requireUsable } from "./hash-manifest.js";
import { parseVerifierKeys } from "./hash-note.js";
import { checksumOf } from "./hash-set.js";

/** @import { HashListResponse } from "./hash-update.js" */
/** @import { Manifest, ManifestFile } from "./hash-manifest.js" */

/** The maximum size of all files that are requested together, in bytes. */
const maxFiles = 2 ** 30;
/** How many files are requested at the same time. */
const maxRequests = 8;
/** How long a manifest and a file may take, in milliseconds. */
const manifestTime = 30_000;
const fileTime = 600_000;
/** The age from which on a manifest is refused, in milliseconds. */
const defaultMaxAge = 3_600_000;

/** A published folder. It keeps the last manifest and refuses older ones. */
export class PublishedFolder {
  /** @type {Manifest | undefined} */
  #last;
  #options;

  /** @param {{ manifest: string, verifierKey: string, manifestMaxAge?: number }} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Requests what leads from a version, or from nothing if it is empty, to that of the manifest. The rules are the
   * version of the own rules.
   *
   * @param {{ version: string, rules: number, signal: AbortSignal | undefined }} request
   * @returns {Promise<HashListResponse>}
   */
  async fetch({ version, rules, signal }) {
    const began = Date.now();
    const manifest = await this.#manifest(signal);
    const maxAge = this.#options.manifestMaxAge ?? defaultMaxAge;
    requireUsable(manifest, { last: this.#last, now: began, maxAge, rules });
    this.#last = manifest;
    const bodies = await this.#bodies(hashFiles(manifest, version), signal);
    return { bodies, version: manifest.version.text, asOf: Math.min(began, manifest.time), rules: manifest.rules };
  }

  /** @param {AbortSignal | undefined} signal */
  async #manifest(signal) {
    const { manifest, verifierKey } = this.#options;
    const verifiers = await parseVerifierKeys(verifierKey);
    const data = await request(manifest, { limit: maxManifest, time: manifestTime, cache: "no-cache", signal });
    return openManifest(data, verifiers);
  }

  /**
   * @param {ManifestFile[]} files
   * @param {AbortSignal | undefined} signal
   */
  async #bodies(files, signal) {
    if (files.reduce((sum, { size }) => sum + size, 0) > maxFiles) {
      throw damaged("the files are too large");
    }
    /** @type {Uint8Array[]} */
    const bodies = [];
    while (bodies.length < files.length) {
      const some = files.slice(bodies.length, bodies.length + maxRequests);
      bodies.push(...await Promise.all(some.map((file) => this.#body(file, signal))));
    }
    return bodies;
  }

  /**
   * Requests a file. It is not kept by the browser, which could keep a damaged one.
   *
   * @param {ManifestFile} file
   * @param {AbortSignal | undefined} signal
   */
  async #body({ name, size, sha256 }, signal) {
    const address = new URL(`./${name}`, new URL(this.#options.manifest, globalThis.location?.href));
    const data = await request(address.href, { limit: size, time: fileTime, cache: "no-store", signal });
    const sum = Array.from(await checksumOf(data), (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (data.length !== size || sum !== sha256) {
      throw damaged(`${name} differs from the manifest`);
    }
    return data;
  }
}

/**
 * Requests a file and returns its first bytes: at most one more than the limit.
 *
 * @param {string} url
 * @param {{ limit: number, time: number, cache: RequestCache, signal: AbortSignal | undefined }} options
 */
async function request(url, { limit, time, cache, signal }) {
  const ends = [AbortSignal.timeout(time), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(url, { cache, credentials: "omit", signal: AbortSignal.any(ends) });
    if (response.status !== 200) {
      const missing = response.status === 404 || response.status === 403;
      const advice = missing ? "check the URL of the manifest, and that all files are published" : "try again later";
      throw new HashListError("SERVER", `the server answered with ${response.status}; ${advice}`,
        { status: response.status });
    }
    return await firstBytes(response, limit + 1);
  } catch (cause) {
    if (cause instanceof HashListError) {
      throw cause;
    }
    throw new HashListError("NETWORK", `cannot reach the server: ${cause}`, { cause });
  }
}

/**
 * @param {Response} response
 * @param {number} count
 */
async function firstBytes(response, count) {
  const reader = response.body?.getReader();
  const chunks = [];
  let size = 0;
  while (reader && size < count) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    chunks.push(value);
    size += value.length;
  }
  await reader?.cancel();
  const data = new Uint8Array(Math.min(size, count));
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, data.length - at);
    data.set(part, at);
    at += part.length;
  }
  return data;
}
