// What the tests of long lists share.
import assert from "node:assert/strict";

import { newPage } from "./harness.js";

/** Pastes into the field as the clipboard does. */
export function paste(page, content) {
  return page.locator("main textarea").evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, content);
}

/** Chooses a text file with lines. */
export function choose(page, lines, name = "lines.txt") {
  const buffer = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join("\n"));
  return page.getByLabel("Text file").setInputFiles({ name, mimeType: "text/plain", buffer });
}

/** Takes over the requests that add assets. Those that only plan go on to the server. */
export function routeAdds(page, handle) {
  return page.route("**/organization/assets",
    (route) => (route.request().postDataJSON().dryRun ? route.continue() : handle(route)));
}

/** Waits for a state of the run and returns its figures by their labels. */
export async function figures(page, state) {
  await page.locator(`[data-state=${state}]`).waitFor();
  const found = await page.locator(".figure").allInnerTexts();
  return Object.fromEntries(found.map((text) => {
    const [, value, label] = /^([\d,]+) (.*)$/.exec(text);
    return [label, Number(value.replaceAll(",", ""))];
  }));
}

/** Returns the rows of the CSV file that the page offers. No cell of them has a line break. */
export async function csvRows(page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  const parts = [];
  for await (const part of await download.createReadStream()) {
    parts.push(part);
  }
  const rows = Buffer.concat(parts).toString("utf8").split("\r\n").map(cells);
  assert.deepEqual(rows.pop(), [""]);
  assert.deepEqual(rows.shift(), ["line", "content", "type", "canonical", "result"]);
  return rows.map(([line, content, type, canonical, result]) =>
    ({ line: Number(line), content: unquoted(content), type, canonical: unquoted(canonical), result }));
}

/** @param {string} row */
function cells(row) {
  const found = row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...found].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
}

/** Removes the mark of a text that a spreadsheet would run. */
function unquoted(text) {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

/** Returns the contents of the changes to ALLOWED that begin with a text. */
export async function allowed(server, prefix) {
  const { status, body } = await server.call("key", "POST", "/asset/changelog", { toStatus: "ALLOWED" });
  assert.equal(status, 200);
  return body.changelog.map(({ content }) => content).filter((content) => content.startsWith(prefix));
}

/** Signs in again after a restart of the server, in another tab, and goes on with a list. */
export async function signInAgain(page, server) {
  await page.getByText("The page no longer has the key of your organization.").waitFor();
  const tab = await newPage(page.context());
  await tab.goto(`${server.address}/#/settings?key=${server.keys.key}&operatorKey=${server.keys.operatorKey}`);
  await page.locator("[data-state=paused]").waitFor();
  await tab.close();
  await page.getByRole("button", { name: "Resume" }).click();
}
