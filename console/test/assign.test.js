// A team shares the queue: a dispute is given to a colleague, who sees it, and says by whom it was given.
import assert from "node:assert/strict";
import { test } from "node:test";

import { colleague, disputedBlock, operate } from "./desk.js";
import { accessible, close, open, shared } from "./harness.js";

const { server, browser } = await shared();

const button = (place, name) => place.getByRole("button", { name, exact: true });
const heading = (page, id) => page.getByRole("heading", { name: new RegExp(`^Dispute #${id}\\b`) });
const row = (page, id) => page.locator(`[data-id='${id}']`);

let assets = 0;
const blocked = () => disputedBlock(server, `https://assign-${++assets}.example.net`);

const anna = await colleague(server, "Anna Assigned");
const left = await colleague(server, "Anna Left");
await operate(server, "/user/deactivate", { id: left.id });
const asks = await operate(server, "/user/create", { fullName: "Anna Asks" });
await operate(server, "/key/create", { userId: asks.id, organizationId: 1, scopes: ["check"] });

/** Chooses a colleague in the form, and sends it. */
async function choose(page, letters, name) {
  const form = page.getByRole("form");
  await form.getByLabel("Look for").fill(letters);
  await form.getByLabel(name).check();
  await button(form, "Assign").click();
}

test("a dispute is given to a colleague, who is found by a part of the name", async () => {
  const id = await blocked();
  const [otto, page] = await Promise.all([
    open(browser, server, `#/disputes?id=${id}`), open(browser, server, "#/disputes?tab=mine", { keys: anna.keys }),
  ]);
  await page.getByText("Nothing is yours").waitFor();
  await heading(otto, id).waitFor();
  await button(otto, "Assign to …").click();
  const form = otto.getByRole("form");
  await form.getByLabel("Look for").fill("ANNA");
  await form.getByLabel("Anna Assigned").waitFor();
  assert.equal(await form.getByLabel("Anna Left").count(), 0, "somebody who has left gets nothing");
  assert.equal(await form.getByLabel("Anna Asks").count(), 0, "who may not decide gets nothing");
  await accessible(otto);
  await button(form, "Assign").click();
  await form.getByText("Choose a colleague").waitFor();
  await form.getByLabel("Anna Assigned").check();
  const again = otto.waitForResponse((response) => response.url().includes("searchQuery=signed"));
  await form.getByLabel("Look for").fill("signed");
  await again;
  await button(form, "Assign").click();
  await otto.getByText(`Dispute #${id}: assigned to Anna Assigned.`).first().waitFor();
  await otto.getByText("Given to Anna Assigned by Otto Operator (you)").waitFor();

  await row(page, id).click();
  await page.getByText("Given to Anna Assigned (you) by Otto Operator").waitFor();
  await button(page, "Release").waitFor();
  await Promise.all([close(otto), close(page)]);
});

test("giving away what a colleague has asks first, and what it was given to is in the notes", async () => {
  const id = await blocked();
  await operate(server, "/dispute/startReview", { id, assigneeId: anna.id });
  const page = await open(browser, server, `#/disputes?id=${id}`);
  await button(page, "Assign to …").click();
  await page.getByText(/^Anna Assigned got it .* Assign anyway\?$/).waitFor();
  await button(page, "Assign anyway").click();
  await choose(page, "Otto", "Otto Operator");
  await page.getByText(`Dispute #${id}: assigned to Otto Operator (you).`).first().waitFor();
  await page.locator(".notes").getByText("to Anna Assigned").waitFor();
  await page.getByText("Taken up by Otto Operator (you)").waitFor();
  await close(page);
});
