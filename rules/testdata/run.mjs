// Answers calls of the rules from standard input, one in JSON a line, with rules.js. Each is
// [function, ...arguments].
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

const [wasm, exec] = process.argv.slice(2);
await import(exec);
const { loadRules } = await import("../js/rules.js");
const rules = await loadRules(await readFile(wasm));
const lines = (await text(process.stdin)).trimEnd().split("\n");
const answers = lines.map((line) => {
  const [name, ...args] = JSON.parse(line);
  try {
    return JSON.stringify({ answer: rules[name](...args) });
  } catch (error) {
    return JSON.stringify({ error: error.name });
  }
});
process.stdout.write(answers.join("\n"), () => process.exit());
