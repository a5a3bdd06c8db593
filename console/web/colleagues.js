// @ts-check
// Finds a colleague by a part of the name, to whom something is given.
import { allPages, operatorGet } from "./api.js";
import { fill, h } from "./dom.js";
import { failure, field, isAbort } from "./parts.js";
import { nameOf } from "./people.js";
import { clipped } from "./safe-text.js";
import { pause } from "./tasks.js";

/** How many colleagues one can choose from. */
const choices = 8;
/** What is between the last letter that is typed and the search, in milliseconds. */
const typing = 150;

/** Returns the fields of a form that has the ID of a colleague as assigneeId, or none while nobody is chosen. */
export function colleagueFields() {
  const found = h("div", { class: "stack tight", "aria-live": "polite" });
  const search = h("input", {
    type: "search", autocomplete: "off", spellcheck: "false", maxlength: 100,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
        event.preventDefault(); // the first one found is not always the one who is meant
      } else if (event.key === "ArrowDown") {
        event.preventDefault();
        found.querySelector("input")?.focus();
      }
    },
  });
  let latest = new AbortController();
  /** @type {ReturnType<typeof readDeciders> | undefined} */
  let reading;
  const deciders = () => reading ??= readDeciders();
  const look = async () => {
    latest.abort();
    const { signal } = latest = new AbortController();
    try {
      await pause(typing, signal);
      const [{ users, nextCursor }, decides] = await Promise.all([
        operatorGet("/user/list", { searchQuery: search.value, limit: 50 }, signal), deciders(),
      ]);
      const people = users.filter(({ id, deactivated, automation }) =>
        !deactivated && !automation && decides(id));
      const chosen = /** @type {HTMLInputElement | null} */ (found.querySelector(":checked"))?.value;
      const more = nextCursor !== null || people.length > choices;
      fill(found, people.slice(0, choices).map((user) => h("label", { class: "check" },
        h("input", { type: "radio", name: "assigneeId", value: String(user.id), checked: String(user.id) === chosen }),
        h("span", {}, clipped(nameOf(user), 60), " ", h("span", { class: "muted" }, clipped(user.email ?? "", 60))))),
      people.length === 0 && h("p", { class: "muted" }, "Nobody who can decide is found."),
      more && h("p", { class: "hint" }, "There are more. Type more of the name."));
    } catch (error) {
      if (!isAbort(error)) {
        fill(found, failure(error));
      }
    }
  };
  search.addEventListener("input", () => void look());
  void look();
  return [h("fieldset", { class: "stack tight" }, h("legend", {}, "Colleague"),
    field("Look for", search, "A part of the name or of the e-mail address."), found)];
}

/** The most keys that are looked through. */
const mostKeys = 500;

/**
 * Returns a function that says whether a user has a key that can decide. It says so of everybody if there are too many
 * keys to know, or if there are none: then something else than keys says who may do what.
 */
async function readDeciders() {
  const { items, more } = await allPages(async (/** @type {string | null} */ cursor) => {
    const query = /** @type {any} */ ({ limit: 100, cursor });
    const { keys, nextCursor } = await operatorGet("/key/list", query);
    return { items: keys, nextCursor };
  }, mostKeys);
  const deciding = new Set(items.filter(({ state, scopes }) => state === "ACTIVE" && scopes.includes("operator:write"))
    .flatMap(({ user }) => user?.id ?? []));
  return (/** @type {number} */ id) => more || deciding.size === 0 || deciding.has(id);
}
