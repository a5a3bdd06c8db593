// @ts-check
// A queue beside the detail of one record: tabs, filters, pages, selection by keys.
import { turns } from "./api.js";
import { h } from "./dom.js";
import { haveOpen, isAttended } from "./live.js";
import { empty, isAbort } from "./parts.js";
import { queueList } from "./queue-list.js";
import { recordPane } from "./queue-pane.js";
import {
  asked, decided, dropped, followed, isSelected, missed, opened, paged, replaced, start, target, unfolded, upcoming,
} from "./queue-state.js";
import { ReadAhead } from "./read-ahead.js";
import { viewersLine } from "./viewers.js";

/** @import { Cursor, Queue } from "./queue-state.js" */

/**
 * What a detail can do with the queue.
 *
 * @template {{ id: number | string }} T
 * @typedef {object} Desk
 * @property {(...children: (Node | string)[]) => void} tell says something above what is shown next, and at once to
 *   screen readers
 * @property {(text: string) => void} warn says in the same places that something was not done
 * @property {(record: T) => void} update shows a record that has changed, in the list too
 * @property {(ids: T["id"][]) => void} done takes records off the list that are decided, and opens the next one
 * @property {(record: T) => void} skip shows a record that has changed in the list, and opens the next one
 * @property {(id: T["id"] | "new") => void} open opens a record, also one that the list must be read again for, or
 *   the form of a new one
 * @property {() => void} close leads back to the list
 */

/**
 * What the pane shows of a record.
 *
 * @template R
 * @typedef {object} Card
 * @property {R} [record] of a queue that is live
 * @property {unknown} [more] what else is known of it
 * @property {() => Node} draw
 */

/**
 * How a queue learns what others change.
 *
 * @template {{ id: number | string }} T what is listed
 * @template {T} R a record that is read alone
 * @typedef {object} Live
 * @property {"dispute" | "report"} kind
 * @property {(listener: (change: { first: boolean }) => void) => void} onChange is given what to call after the list
 *   has changed, or when it is known for the first time what waits
 * @property {(listener: () => void) => void} onQuiet is given what to call when the open record is to be read again
 * @property {(listener: () => void) => void} [onMore] is given what to call after what else a card shows has changed
 * @property {(a: T, b: T) => number} order that of the list
 * @property {(id: string, signal: AbortSignal) => Promise<R>} read
 * @property {(record: R, signal: AbortSignal, desk: Desk<T>) => Promise<{ more?: unknown, draw: () => Node }>} card
 *   reads what else is known of a record, and returns it with what draws both
 * @property {(record: R) => string} stamp differs after the record has changed
 * @property {(before: R, record: R) => string | Promise<string>} change says who has changed it since, and how
 */

/** A list is read again at most this often, because others change it. In milliseconds. */
const betweenReads = 5000;

/**
 * @template {{ id: number | string }} T
 * @template {T} [R=T]
 * @param {object} options
 * @param {string} options.view the name of the view in the address
 * @param {URLSearchParams} options.params
 * @param {AbortSignal} options.signal ends with the view, whose address is not written after that
 * @param {HTMLElement} options.filters
 * @param {HTMLElement} [options.none] what an empty list shows
 * @param {HTMLElement} [options.above] what is shown above each record
 * @param {boolean} [options.slim] whether each record has one line
 * @param {(cursor: Cursor) => Promise<{ items: T[], nextCursor: Cursor, lastRead?: T | undefined }>} options.load
 *   has the last record of a page if that is not among its items
 * @param {(items: T[], nextCursor: Cursor) => void} [options.listed] is called with what the list has
 * @param {(item: T) => (Node | string)[]} options.item
 * @param {(id: string, refresh: () => void, desk: Desk<T>) => Promise<Node>} [options.detail] returns what a queue that
 *   is not live shows of the record with an ID, as the address has it; the field with `autofocus` gets the focus
 * @param {Live<T, R>} [options.live]
 */
export function queue(
  { view, params, signal, filters, none, above, slim = false, load, listed, item, detail, live },
) {
  /** @type {Queue<T>} */
  let state = start(params.get("id") ?? "");
  const list = queueList({ filters, slim, item, none, open, unfold, page });
  /** @type {ReadAhead<T, Card<R>> | undefined} */
  const ahead = live && new ReadAhead((id, ending) => read(id, undefined, ending), turns, signal);
  const pane = recordPane({
    item, read, early: (id) => ahead?.take(id), live, signal, close, shown: lookAhead,
    changed: (record) => change(replaced(state, record)),
  });
  const element = h("div", { class: "desk" }, list.element, h("div", { class: "side" },
    h("div", { class: "stack tight" }, above, live && viewersLine(signal)), pane.element));
  /** What the pane shows when no record is open. */
  let rest = "";

  /** @param {Queue<T>} next */
  function change(next) {
    state = next;
    draw();
  }

  function draw() {
    list.draw(state);
    if (live && !signal.aborted) {
      haveOpen(live.kind, state.selected);
    }
    if (state.readAt > 0) {
      listed?.(state.items, state.following);
    }
    const before = rest;
    rest = restOf(state);
    if (rest !== before && rest !== "") {
      pane.rest(...resting(rest));
    }
  }

  /** @param {string} rest */
  function resting(rest) {
    return rest === "all decided" ? [empty("All decided", "Nothing is left in this list.")]
      : rest === "nothing open" ? [empty("Nothing is open", "Choose a record from the list, or press j.",
        h("button", { type: "button", onclick: () => void move(1) }, "Open the first",
          h("kbd", { "aria-hidden": "true" }, "j")))]
      : [];
  }

  /** @param {Cursor} cursor */
  async function page(cursor) {
    askedAt = performance.now();
    change(asked(state));
    const { moment } = state;
    try {
      const found = await load(cursor);
      change(paged(state, found, cursor, moment)); // the state has changed meanwhile
      lookAhead();
    } catch (error) {
      if (!isAbort(error)) {
        change(missed(state, { cursor, error }, moment));
      }
    }
  }

  /** @param {T["id"] | "new"} id */
  function open(id) {
    if (signal.aborted) {
      return;
    }
    params.set("id", String(id));
    const address = `#/${view}?${params}`;
    if (state.selected === "") {
      history.pushState({ opened: true }, "", address); // going back leads to the list
    } else {
      history.replaceState(history.state, "", address);
    }
    change(opened(state, String(id)));
    drop();
    list.rows.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    element.classList.add("open");
    void pane.open(String(id), state.items.find((record) => record.id === id));
  }

  function close() {
    if (history.state?.opened) {
      history.back();
      return;
    }
    params.delete("id");
    history.replaceState(null, "", `#/${view}?${params}`);
    element.classList.remove("open");
    change(opened(state, ""));
  }

  /**
   * @param {string} id
   * @param {R} [record] if it is known
   * @param {AbortSignal} [ending]
   * @returns {Promise<Card<R>>}
   */
  async function read(id, record, ending = signal) {
    if (!live) {
      const content = await /** @type {NonNullable<typeof detail>} */ (detail)(id, refresh, desk);
      return { draw: () => content };
    }
    const found = record ?? await live.read(id, ending);
    return { record: found, ...await live.card(found, ending, desk) };
  }

  function refresh() {
    if (!signal.aborted) {
      void page(null);
      void pane.again(state.selected);
    }
  }

  /** Reads the next record while somebody looks at this one. */
  function lookAhead() {
    if (pane.isShown() && isAttended()) {
      ahead?.want(upcoming(state));
    }
  }

  /** @param {number} step */
  async function move(step) {
    const index = target(state, step);
    if (index >= state.items.length && state.following !== null) {
      await page(state.following);
    }
    const next = state.items[Math.max(0, Math.min(index, state.items.length - 1))];
    if (next) {
      open(next.id);
    }
  }

  /** Drops the records that others have taken off the list, unless the operator looks at them or points at the list. */
  function drop() {
    if (state.gone.size > 0 && !list.rows.matches(":hover")) {
      change(dropped(state));
    }
  }

  /** @type {Desk<T>} */
  const desk = {
    tell: pane.tell,
    warn: pane.warn,
    update: (record) => {
      change(replaced(state, record));
      if (isSelected(state, record)) {
        void pane.again(state.selected, /** @type {R} */ (record));
      }
    },
    done: (ids) => void moveOn(ids),
    skip: (record) => {
      change(replaced(state, record));
      if (isSelected(state, record)) {
        void move(1);
      }
    },
    open: (id) => {
      void page(null);
      open(id);
    },
    close,
  };

  /** @param {T["id"][]} ids */
  async function moveOn(ids) {
    const { selected } = state;
    change(decided(state, ids));
    if (!ids.some((id) => String(id) === selected)) {
      return; // the operator has opened another one meanwhile
    }
    if (state.position >= state.items.length && state.following !== null) {
      pane.hold();
      await page(state.items.length === 0 ? null : state.following);
    }
    const next = upcoming(state);
    if (signal.aborted || state.selected !== selected) {
      return;
    }
    if (next) {
      open(next.id);
      return;
    }
    params.delete("id");
    history.replaceState(history.state, "", `#/${view}?${params}`);
    change(opened(state, "", { done: state.failed === null }));
    pane.element.focus({ preventScroll: true });
  }

  /** When the list was asked for. */
  let askedAt = 0;
  let timer = 0;
  /** Whether the list is to be read again when somebody sees it. */
  let late = false;

  if (live) {
    const { order } = live;
    /** Reads the list again after others have changed it, without moving what the operator reads. */
    const follow = async () => {
      askedAt = performance.now();
      state = asked(state, { quietly: true });
      const { moment } = state;
      const first = await load(null).catch(() => undefined); // the next change leads to another read
      if (first) {
        change(followed(state, first, moment, order));
        drop();
        lookAhead();
      }
    };
    live.onChange(({ first }) => {
      clearTimeout(timer); // what was read before anything was known may be old, but it is not read too often
      timer = Number(setTimeout(() => {
        late = document.hidden;
        if (!late) {
          void follow();
        }
      }, Math.max(0, askedAt + betweenReads - performance.now())));
      if (!first) {
        void pane.follow();
      }
    });
    live.onQuiet(() => {
      if (late) {
        late = false;
        void follow();
      }
      void pane.follow();
      lookAhead();
    });
    live.onMore?.(() => {
      change({ ...state, items: state.items.map((one) => ({ ...one })) }); // each row is drawn again
      void pane.follow({ whole: true });
    });
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      haveOpen(live.kind, "");
    });
    list.rows.addEventListener("pointerleave", drop);
  }

  function unfold() {
    if (live) {
      change(unfolded(state, live.order));
      drop();
    }
  }

  void page(null);
  if (state.selected !== "") {
    element.classList.add("open");
    pane.begin(state.selected);
  }
  return { element, desk, shortcuts: { j: () => void move(1), k: () => void move(-1) } };
}

/**
 * Returns what there is to say while no record is open.
 *
 * @param {Queue<any>} state
 */
function restOf({ selected, done, items, readAt, following }) {
  const isEmpty = items.length === 0 && following === null;
  return selected !== "" ? "" : !isEmpty || readAt === 0 ? "nothing open" : done ? "all decided" : "nothing listed";
}
