// @ts-check
// The pane of a queue: the open record, or until it is read what its row says. It is never blank.
import { announce, h } from "./dom.js";
import { show, waiting } from "./parts.js";
import { isWriting } from "./store.js";

/** @import { Card, Live } from "./queue.js" */

/**
 * @template {{ id: number | string }} T
 * @template {T} R
 * @param {object} options
 * @param {(row: T) => (Node | string)[]} options.item what a row says
 * @param {(id: string, record?: R) => Promise<Card<R>>} options.read
 * @param {(id: string) => Promise<Card<R>> | undefined} options.early returns what is read ahead of a record
 * @param {Live<T, R> | undefined} options.live
 * @param {AbortSignal} options.signal ends with the view
 * @param {() => void} options.close
 * @param {() => void} options.shown is called after a record was read
 * @param {(record: R) => void} options.changed is called with a record that others have changed
 */
export function recordPane({ item, read, early, live, signal, close, shown, changed }) {
  const element = h("section", { class: "detail", "aria-label": "Detail", tabindex: "-1" });
  /** What is open, with its card after that was read. @type {{ card?: Card<R> }} */
  let current = {};
  /** The number of the last look at what others have changed: an older one says nothing any more. */
  let follows = 0;
  /** What to say above the next content. @type {(Node | string)[]} */
  let said = [];
  let look = "info";

  /** @param {...(Node | string)} content */
  function frame(...content) {
    return h("div", { class: "stack" },
      h("button", { type: "button", class: "back", onclick: close }, "← Back to the list"), content);
  }

  function notice() {
    const children = said;
    said = [];
    return children.length > 0 ? h("p", { class: `notice ${look} said`, role: "status" }, children) : "";
  }

  /** @param {...(Node | string)} children */
  function tell(...children) {
    say("info", children);
  }

  /** @param {string} text */
  function warn(text) {
    say("warn", [text]);
  }

  /**
   * @param {string} kind that of the notice
   * @param {(Node | string)[]} children
   */
  function say(kind, children) {
    said = children;
    look = kind;
    announce(children.map((child) => child instanceof Node ? child.textContent : child).join(""));
  }

  /**
   * @param {() => Promise<Card<R>>} load
   * @param {{ keep?: boolean, still?: boolean, meanwhile?: Node }} [options] whether the present content stays until
   *   then, whether the focus stays, and what is there otherwise
   */
  async function put(load, { still = false, ...options } = {}) {
    const mine = current = /** @type {{ card?: Card<R> }} */ ({});
    const above = notice();
    await show(element, async () => {
      const card = mine.card = await load();
      shown();
      return frame(above, card.draw());
    }, options);
    const { activeElement } = document;
    const first = element.querySelector("[autofocus]");
    if (!still && first instanceof HTMLElement && (activeElement === element || activeElement?.matches("h1"))) {
      first.focus();
    }
  }

  /**
   * Shows a record that the operator opens. What was read ahead of it may be old: it is compared with what is read now.
   *
   * @param {string} id
   * @param {T | undefined} row
   */
  async function open(id, row) {
    const ahead = early(id);
    if (!row) {
      hold();
    }
    const work = put(async () => await ahead?.catch(() => undefined) ?? read(id), row
      ? { meanwhile: frame(h("div", { class: "card stack" }, h("p", { class: "line" }, item(row)), waiting())) }
      : { keep: true });
    element.scrollTop = 0;
    if (element.getBoundingClientRect().top < 0) { // on a narrow window, the page scrolls
      element.scrollIntoView();
    }
    element.focus({ preventScroll: true });
    await work;
    if (ahead) {
      await follow({ whole: true });
    }
  }

  /** Keeps what is shown, of which nothing can be used any more, until something else is. */
  function hold() {
    current = {};
    if (element.contains(document.activeElement)) {
      element.focus({ preventScroll: true });
    }
    element.setAttribute("aria-busy", "true");
    [...element.children].forEach((child) => child.toggleAttribute("inert", true));
  }

  /**
   * Shows the open record again, perhaps one that is known already.
   *
   * @param {string} id
   * @param {R} [record]
   */
  async function again(id, record) {
    await put(() => read(id, record), { keep: true });
    element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Shows something else than a record.
   *
   * @param {...(Node | string)} content
   */
  function rest(...content) {
    current = {};
    const above = notice();
    void show(element, async () => h("div", { class: "stack" }, above, content), { keep: true });
  }

  /**
   * Shows the open record again after somebody has changed it. What the operator writes stays.
   *
   * @param {{ whole?: boolean }} [options] whether to compare all that is shown, and not only the record
   */
  async function follow({ whole = false } = {}) {
    const { card } = current;
    if (!live || !card?.record || !whole && isWriting()) {
      return;
    }
    const mine = ++follows;
    const id = String(card.record.id);
    /** @type {Card<R>} */
    let now;
    try {
      now = whole ? await read(id) : { ...card, record: await live.read(id, signal) };
    } catch {
      return; // the next change leads to another read
    }
    const { record } = now;
    if (!record || card !== current.card) {
      return;
    }
    const stamp = live.stamp(record);
    const isOther = stamp !== live.stamp(card.record);
    if (!isOther && (!whole || JSON.stringify(now) === JSON.stringify(card))) {
      return;
    }
    const text = isOther ? await live.change(card.record, record) : "What is known of it has changed.";
    if (card !== current.card || mine !== follows || isWriting()) {
      return;
    }
    changed(record);
    if (!element.querySelector("form, .asked")) {
      if (isOther) {
        warn(text);
      }
      await put(() => whole ? Promise.resolve(now) : read(id, record), { keep: true, still: true });
      return;
    }
    const known = element.querySelector(".changed");
    if (known?.getAttribute("data-stamp") !== stamp) {
      known?.remove();
      element.firstElementChild?.prepend(h("p", {
        class: "notice warn said changed", role: "status", "data-stamp": stamp,
      }, `${text} What you write stays. `,
      h("button", { type: "button", onclick: () => void again(id) }, "Show the change")));
    }
  }

  return {
    element, open, hold, again, rest, follow, tell, warn,
    /** Shows the record of the address. @param {string} id */
    begin: (id) => void put(() => read(id)),
    /** Returns whether a record is shown. */
    isShown: () => current.card !== undefined,
  };
}
