// Runs vectors: node run.mjs [rules.wasm wasm_exec.js]. With the arguments, rules.wasm answers, through rules/js.
// Without them, JavaScript does, in plain.mjs. Each line of standard input is an object with the files by kind.
// The line that answers it has the kind, the name and the answer of each vector that was run, and whether that
// is the one of the file.
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

import { plain } from "./plain.mjs";
import { webAssembly } from "./wasm.mjs";

const [wasm, exec] = process.argv.slice(2);
const clientOf = wasm ? await webAssembly(wasm, exec) : plain;

for await (const line of createInterface({ input: process.stdin })) {
  const files = JSON.parse(line);
  const outcomes = [];
  for (const [kind, answerTo] of Object.entries(clientOf(files))) {
    for (const { name, given, want } of files[kind].vectors) {
      const found = await answerTo(given);
      if (found !== undefined) { // or else this client does not have what is given
        const answer = JSON.parse(JSON.stringify(found));
        outcomes.push({ kind, name, passed: isDeepStrictEqual(answer, want), answer });
      }
    }
  }
  console.log(JSON.stringify(outcomes));
}
process.exit();
