// @ts-check
// The form that creates a key.
import { ApiError, allPages, operatorGet, postOnce } from "./api.js";
import { h } from "./dom.js";
import { askInPlace } from "./in-place.js";
import { lacksAdmin, rights, showKey } from "./key-card.js";
import { field, select } from "./parts.js";
import { labelOf, nameOf } from "./people.js";

/** @import { ListedKey, Scope } from "./key-card.js" */
/** @import { Caller } from "./people.js" */
/** @import { Desk } from "./queue.js" */

/** How many organizations and users one can choose from. */
const choices = 1000;

const day = 24 * 60 * 60;

/** How long keys live, in seconds. @type {[string, string][]} */
const lifetimes = [
  [String(8 * 60 * 60), "in 8 hours"], [String(day), "in a day"], [String(7 * day), "in 7 days"],
  [String(30 * day), "in 30 days"], [String(90 * day), "in 90 days"], [String(365 * day), "in a year"], ["", "never"],
];

/**
 * @param {URLSearchParams} params may have an organization and a user
 * @param {Desk<ListedKey>} desk
 * @param {Caller} own
 * @param {AbortSignal} signal
 */
export async function keyForm(params, desk, own, signal) {
  const refusal = lacksAdmin(own);
  if (refusal !== "") {
    return h("article", { class: "card stack" }, h("h2", {}, "Create a key"), h("p", {}, refusal));
  }
  const [organizations, users] = await Promise.all([
    options(params.get("organizationId") ?? "", organizationPage(signal),
      async (id) => labelOf(await operatorGet("/organization/get", { id }, signal))),
    options(params.get("userId") ?? "", userPage(signal),
      async (id) => nameOf(await operatorGet("/user/get", { id }, signal))),
  ]);
  const place = h("article", { class: "card" });
  askInPlace(place, {
    title: "Create a key", action: "Create", heading: "h2", canceled: desk.close,
    fields: [
      field("Name", h("input", { name: "name", autofocus: true, autocomplete: "off" }),
        "Where it is used, such as: Nightly crawl"),
      h("div", { class: "filters" },
        field("Organization", select("organizationId", params.get("organizationId") ?? "", organizations),
          "For which it acts. Operators need none."),
        field("User", select("userId", params.get("userId") ?? "", users),
          "Who answers for what is done with it."),
        field("It expires", select("expiresInSeconds", String(90 * day), lifetimes),
          "Until then it can be rotated or revoked.")),
      scopes("Rights of organizations", own, (scope) => !scope.startsWith("operator:")),
      scopes("Rights of operators, for all organizations", own, (scope) => scope.startsWith("operator:")),
    ],
    act: async (form) => {
      const number = (/** @type {string} */ name) => form.get(name) === "" ? null : Number(form.get(name));
      const request = {
        name: String(form.get("name")).trim(), organizationId: number("organizationId"), userId: number("userId"),
        scopes: /** @type {Scope[]} */ (form.getAll("scopes")), expiresInSeconds: number("expiresInSeconds"),
      };
      const issues = unusable(request);
      if (issues.length > 0) {
        return issues;
      }
      try {
        const made = await postOnce("/key/create", request);
        showKey("The key", made, () => desk.open(made.fingerprint));
      } catch (error) {
        if (error instanceof ApiError && error.temporary) {
          return [`${error.message}. The key may have been created all the same. Look for it in the list before you `
            + "try again, and revoke it, because its text is lost."];
        }
        throw error;
      }
      return [];
    },
  });
  return place;
}

/**
 * Returns what the server would accept and the key could never use.
 *
 * @param {{ scopes: Scope[], organizationId: number | null, userId: number | null }} request
 */
function unusable({ scopes: chosen, organizationId, userId }) {
  const has = (/** @type {Scope[]} */ ...some) => some.some((scope) => chosen.includes(scope));
  return [
    ...(organizationId === null && has("allowlist", "reports", "report:write")
      ? ["organizationId: is needed for these rights"]
      : []),
    ...(userId === null && has("operator:write", "operator:admin") ? ["userId: is needed for these rights"] : []),
  ];
}

/**
 * @param {string} legend
 * @param {Caller} own
 * @param {(scope: string) => boolean} belongs
 */
function scopes(legend, own, belongs) {
  return h("fieldset", { class: "rights" }, h("legend", {}, legend),
    Object.entries(rights).filter(([scope]) => belongs(scope)).map(([scope, [short, sentence]]) => {
      const mine = own.scopes.includes(/** @type {Scope} */ (scope));
      return h("label", { class: "check" },
        h("input", { type: "checkbox", name: "scopes", value: scope, disabled: !mine }),
        h("span", {}, h("strong", {}, short), " ", h("span", { class: "muted" },
          mine ? sentence : "Your own key lacks this, so you cannot give it.")));
    }));
}

/**
 * @param {string} chosen an ID, or empty
 * @param {(cursor: number | null) => Promise<{ items: [number, string][], nextCursor: number | null }>} page
 * @param {(id: number) => Promise<string>} label returns the name of one that is on no page
 * @returns {Promise<[string, string][]>}
 */
async function options(chosen, page, label) {
  const { items } = await allPages(page, choices);
  /** @type {[string, string][]} */
  const found = items.map(([id, name]) => [String(id), name]);
  return [
    ["", "None"],
    ...(chosen === "" || found.some(([id]) => id === chosen)
      ? []
      : [/** @type {[string, string]} */ ([chosen, await label(Number(chosen))])]),
    ...found,
  ];
}

/** @param {AbortSignal} signal */
function organizationPage(signal) {
  return async (/** @type {number | null} */ cursor) => {
    const query = { limit: 100, ...(cursor === null ? {} : { cursor }) };
    const { organizations, nextCursor } = await operatorGet("/organization/list", query, signal);
    return { items: organizations.map((one) => pair(one.id, labelOf(one))), nextCursor };
  };
}

/** @param {AbortSignal} signal */
function userPage(signal) {
  return async (/** @type {number | null} */ cursor) => {
    const query = { limit: 100, ...(cursor === null ? {} : { cursor }) };
    const { users, nextCursor } = await operatorGet("/user/list", query, signal);
    return { items: users.map((user) => pair(user.id, nameOf(user))), nextCursor };
  };
}

/**
 * @param {number} id
 * @param {string} name
 * @returns {[number, string]}
 */
function pair(id, name) {
  return [id, name];
}
