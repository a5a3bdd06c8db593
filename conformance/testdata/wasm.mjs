// The rules as WebAssembly, through rules/js.
import { readFile } from "node:fs/promises";

import { hashOf, hashListRule, verdictOf } from "./hashlists.mjs";

/** Loads rules.wasm. Returns a function that returns the rules. */
export async function webAssembly(wasm, exec) {
  await import(exec);
  const { loadRules } = await import("../../rules/js/rules.js");
  const rules = await loadRules(await readFile(wasm));
  return () => ({
    identity(given) {
      const [{ refused, ...identity }] = rules.classify([textOf(given)]);
      if (refused) {
        const { reason, character, offset = 0 } = refused;
        return character ? { reason, character, offset } : { reason };
      }
      return identity;
    },
    covers(given) {
      const { covers, refused } = rules.explain(textOf(given));
      return covers.length > 0 ? { covers } : { reason: refused.reason };
    },
    check({ content, assets, lists }) {
      if (lists) {
        return undefined; // the rules of a page know no external lists
      }
      const known = new Map(assets.map((asset) => [hashOf(asset).join(), numbers[asset.status]]));
      return verdictOf(rules.checkHashed(content, (...hash) => known.get(hash.join()) ?? 0));
    },
    hashlists: hashListRule(rules),
  });
}

/** The numbers of the statuses in rules/js. */
const numbers = { UNKNOWN: 0, ALLOWED: 1, BLOCKED: 2 };

const textOf = ({ content, padding = 0 }) => content + "a".repeat(padding);
