// Prints what the rules of the npm package say in Node.
import { readFile } from "node:fs/promises";

import { loadRules } from "@apguard/rules";

const rules = await loadRules(await readFile(new URL(import.meta.resolve("@apguard/rules/rules.wasm"))));
console.log(JSON.stringify(rules.classify(process.argv.slice(2))));
