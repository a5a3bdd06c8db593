// @ts-check
// Loads the core rules of apguard as WebAssembly and returns typed functions for them. It runs in
// a page, in a worker and in Node. rules-worker.js keeps them off the main thread.
//
// wasm_exec.js of the Go version that built rules.wasm must be loaded before: it defines the
// class Go. local.js and the workers load it.

/** @import { LocalRules, RequestParts, Rules } from "./rules.js" */

/**
 * Loads the rules. The source is the address of rules.wasm, its response, or its bytes. By default, it is
 * the rules.wasm beside this file.
 *
 * @param {string | URL | Response | BufferSource} [source]
 * @returns {Promise<LocalRules>}
 */
export async function loadRules(source = new URL("./rules.wasm", import.meta.url)) {
  /** @type {new () => GoProgram} */
  const Go = Reflect.get(globalThis, "Go");
  const program = new Go();
  let look = (/** @type {number} */ _high, /** @type {number} */ _low) => 0;
  /** What the program calls for a hash. It passes the bits as signed numbers. */
  const apguard = {
    statusOf: (/** @type {number} */ high, /** @type {number} */ low) => look(high >>> 0, low >>> 0),
  };
  const { instance } = await instantiate(source, { ...program.importObject, apguard });
  const name = `apguard-rules-${crypto.randomUUID()}`;
  const [call, checkHashed] = await new Promise((resolve, reject) => {
    Reflect.set(globalThis, name, (/** @type {unknown[]} */ ...functions) => resolve(functions));
    program.argv = ["rules", name];
    program.run(instance).then(() => reject(new Error("the rules have stopped")), reject);
  });
  Reflect.deleteProperty(globalThis, name);
  return {
    ...functions(call),
    checkHashed(content, statusOf) {
      if (typeof content !== "string") {
        throw new TypeError("a content is a text"); // Go would take it for the text that describes it
      }
      look = statusOf;
      return answerOf(checkHashed(content));
    },
  };
}

/**
 * @typedef {object} GoProgram
 * @property {WebAssembly.Imports} importObject
 * @property {string[]} argv
 * @property {(instance: WebAssembly.Instance) => Promise<void>} run
 */

/**
 * @param {string | URL | Response | BufferSource} source
 * @param {WebAssembly.Imports} imports
 * @returns {Promise<WebAssembly.WebAssemblyInstantiatedSource>}
 */
async function instantiate(source, imports) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.instantiate(source, imports);
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) {
    throw new Error(`cannot load the rules: ${response.status} ${response.url}`);
  }
  if (response.headers.get("Content-Type") === "application/wasm") {
    return WebAssembly.instantiateStreaming(response, imports);
  }
  return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}

/**
 * What each rule takes, made of the arguments of its function.
 *
 * @type {{ [R in keyof Rules]: (...args: Parameters<Rules[R]>) => object }}
 */
const takes = {
  classify: (contents) => ({ contents }),
  explain: (content) => ({ content }),
  validate: (operation, parts = {}) => ({ operation, ...withText(parts) }),
  plan: (body, at = new Date()) => ({ body: textOf(body), at }),
  transitions: (state) => ({ state }),
  reportStatus: (reviewStatuses) => ({ reviewStatuses }),
  limits: () => ({}),
};

export const ruleNames = /** @type {(keyof Rules)[]} */ (Object.keys(takes));

/** @typedef {string | { error: string }} Result */

/**
 * Returns the functions for the program's function that takes the name of a rule and its argument in JSON.
 *
 * @param {(rule: string, argument: string) => Result} call
 * @returns {Rules}
 */
function functions(call) {
  return /** @type {any} */ (Object.fromEntries(ruleNames.map((rule) => [rule, (/** @type {any[]} */ ...args) => {
    const argument = Reflect.apply(takes[rule], undefined, args);
    return answerOf(call(rule, JSON.stringify(argument)));
  }])));
}

/**
 * Returns the answer of the program.
 *
 * @param {Result} result
 */
function answerOf(result) {
  if (typeof result !== "string") {
    throw new TypeError(result.error);
  }
  return JSON.parse(result);
}

/** @param {RequestParts} parts */
function withText(parts) {
  return {
    body: parts.body === undefined ? "" : textOf(parts.body),
    query: parts.query ?? "",
    idempotencyKey: parts.idempotencyKey ?? "",
    accountEmail: parts.accountEmail ?? "",
  };
}

/** @param {unknown} body */
function textOf(body) {
  return typeof body === "string" ? body : JSON.stringify(body);
}
