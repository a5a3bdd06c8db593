// Drives a page with the keyboard alone, and asserts that the focus can be seen after each key.
import assert from "node:assert/strict";

import { patience } from "./harness.js";

const maxTabs = 150;

export class Keyboard {
  constructor(page) {
    this.page = page;
  }

  /** Presses keys one after the other. */
  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.seen(key);
    }
  }

  async type(text) {
    await this.page.keyboard.type(text);
    await this.seen("typing");
  }

  /** Presses Tab, or another key, until an element has the focus. */
  async tabTo(locator, key = "Tab") {
    await locator.first().waitFor();
    for (let i = 0; i < maxTabs; i++) {
      if (await hasFocus(locator)) {
        return;
      }
      await this.press(key);
    }
    assert.fail(`${key} does not lead to ${locator}`);
  }

  /** Goes to an element with Tab and presses it. */
  async activate(locator) {
    await this.tabTo(locator);
    await this.press("Enter");
  }

  /** Goes to a view with the palette. */
  async goTo(view) {
    await this.press("Control+k");
    await this.type(view);
    await this.press("Enter");
    await this.page.getByRole("heading", { level: 1, name: view }).waitFor();
    await this.seen(`the way to ${view}`);
  }

  /** Waits until an element has the focus. */
  async expect(locator) {
    await locator.first().waitFor();
    await waitUntil(this.page, () => hasFocus(locator),
      async () => `the focus is on ${(await focus(this.page)).html}, not on ${locator}`);
    await this.seen("waiting");
  }

  /** Waits until the focus is somewhere where it can be seen. */
  async seen(after) {
    await waitUntil(this.page, async () => (await focus(this.page)).seen,
      async () => `after ${after}, the focus cannot be seen: ${JSON.stringify(await focus(this.page))}`);
  }
}

const hasFocus = (locator) => locator.first().evaluate((element) => element === document.activeElement);

/** Waits until a condition holds, and looks at it once a frame. */
export async function waitUntil(page, condition, fault) {
  const deadline = Date.now() + patience;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      assert.fail(await fault());
    }
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Describes the element with the focus. */
function focus(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const { borderLeftStyle, content } = getComputedStyle(element, "::before"); // the line beside a place
    const line = content !== "none" && borderLeftStyle !== "none";
    const ring = outlineStyle !== "none" && parseFloat(outlineWidth) > 0 || line;
    const inView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && bottom > top && right > left;
    const dialog = document.querySelector("dialog[open]");
    const inDialog = !dialog || dialog.contains(element);
    return {
      html: element.outerHTML.slice(0, 120), ring, inView, inDialog,
      seen: element !== document.body && ring && inView && inDialog,
    };
  });
}
