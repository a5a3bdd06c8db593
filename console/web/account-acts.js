// @ts-check
// What an administrator does with a user or an organization: new names, an end of their access, an erasure.
import { clearAct } from "./allowlist-clear.js";
import { ApiError, operatorGet, postOnce } from "./api.js";
import { fill, h } from "./dom.js";
import { askInPlace } from "./in-place.js";
import { lacksAdmin } from "./key-card.js";
import { plural } from "./numbers.js";
import { field, show } from "./parts.js";
import { isOwn, labelOf, nameOf } from "./people.js";
import { clipped } from "./safe-text.js";

/** @import { Desk } from "./queue.js" */
/** @import { Caller } from "./people.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Organization"]} Organization */
/** @typedef {components["schemas"]["User"]} User */

/**
 * @template {User | Organization} T
 * @typedef {object} Context
 * @property {Caller} own whose operator key the page has
 * @property {Desk<T>} desk
 * @property {() => void} refresh shows the record and the list as they are now
 */

/**
 * @typedef {object} Act
 * @property {string} label that of its button
 * @property {string} [title] that of its question, if it differs
 * @property {string} action
 * @property {boolean} [danger] whether it cannot be taken back
 * @property {() => HTMLElement[]} fields
 * @property {(form: FormData) => Promise<void>} run
 */

const delay = "Other servers may accept the keys for one more second.";
const workAgain = " work again, unless they are revoked or expired.";
const deactivated = `Deactivated. ${delay}`;

/**
 * Returns the buttons for a user, or nothing for a caller who may not administer.
 *
 * @param {User} user
 * @param {Context<User>} context
 */
export function userActs(user, context) {
  const { desk, refresh } = context;
  const { id } = user;
  const own = () => isOwn(id)
    ? [h("p", { class: "bad" }, h("strong", {}, "This is you. Your own key stops working."))] : [];
  const who = () => clipped(nameOf(user), 60);
  const general = "disputes that the user has under review become open again.";
  const disputes = () => {
    const place = h("p", {});
    void show(place, async () => {
      const { disputes: held, nextCursor } =
        await operatorGet("/dispute/list", { assigneeId: id, states: ["UNDER_REVIEW"], limit: 100 });
      return h("span", {}, held.length === 0 ? "The user has no dispute under review."
        : held.length === 1 ? "1 dispute that the user has under review becomes open again."
          : `${held.length}${nextCursor === null ? "" : " or more"} ${general}`);
    }, { meanwhile: h("span", {}, "All ", general) });
    return place;
  };
  return buttons(context, [
    {
      label: "Rename", action: "Rename",
      fields: () => [
        textField("Full name", "fullName", user.fullName), textField("E-mail", "email", user.email ?? ""),
      ],
      run: async (form) => {
        const email = text(form, "email");
        const names = { fullName: text(form, "fullName"), ...(email === (user.email ?? "") ? {} : { email }) };
        settle(desk, await postOnce("/user/rename", { id, ...names }), "Renamed.");
      },
    },
    user.deactivated ? {
      label: "Reactivate", action: "Reactivate",
      fields: () => [h("p", {}, "The keys of ", who(), workAgain)],
      run: async () => settle(desk, await postOnce("/user/reactivate", { id }), "Reactivated."),
    } : {
      label: "Deactivate", action: "Deactivate", danger: true,
      fields: () => [
        h("p", {}, "No key of ", who(), " works until the user is reactivated."), disputes(), ...own(),
      ],
      run: async () => settle(desk, await postOnce("/user/deactivate", { id }), deactivated),
    },
    {
      label: "Revoke all keys", action: "Revoke all for good", danger: true,
      fields: () => [
        h("p", {}, "At once and for good, no key of ", who(), " works. The user can get new keys."), ...own(),
      ],
      run: async () => {
        const { revoked } = await postOnce("/key/revokeAll", { userId: id });
        desk.tell(`${plural(revoked, "key")} revoked. ${delay}`);
        refresh();
      },
    },
    {
      label: "Erase", title: "Erase this person", action: "Erase for good", danger: true,
      fields: () => [
        h("p", {}, "For good: the user, all users with the same e-mail address, their keys, and the e-mail addresses "
          + "and texts of their disputes. What the person did stays, with an ID in place of the name."), disputes(),
        textField("Type the ID of the user", "confirmed", "", `It is ${id}.`), ...own(),
      ],
      run: async (form) => {
        if (text(form, "confirmed") !== String(id)) {
          throw new ApiError(400, "Not confirmed", [`confirmed: must be ${id}`], "operatorKey");
        }
        const { users, disputes: texts } = await postOnce("/person/erase", { userId: id });
        desk.tell(`Erased: ${plural(users, "user")}, and the texts of ${plural(texts, "dispute")}.`);
        desk.done([id]);
      },
    },
  ]);
}

/**
 * Returns the buttons for an organization, or nothing for a caller who may not administer.
 *
 * @param {Organization} organization
 * @param {Context<Organization>} context
 */
export function organizationActs(organization, context) {
  const { desk } = context;
  const { id, name, slug } = organization;
  const who = () => clipped(labelOf(organization), 60);
  return buttons(context, [
    {
      label: "Rename", action: "Rename",
      fields: () => [
        textField("Name", "name", name),
        textField("Slug", "slug", slug, "Requests that name the organization by its old slug are refused then."),
      ],
      run: async (form) => {
        const names = { name: text(form, "name"), slug: text(form, "slug") };
        settle(desk, await aboutSlug(postOnce("/organization/rename", { id, ...names })), "Renamed.");
      },
    },
    organization.deactivated ? {
      label: "Reactivate", action: "Reactivate",
      fields: () => [h("p", {}, "The keys of ", who(), workAgain)],
      run: async () => settle(desk, await postOnce("/organization/reactivate", { id }), "Reactivated."),
    } : {
      label: "Deactivate", action: "Deactivate", danger: true,
      fields: () => [
        h("p", {}, "No key of ", who(), " works until the organization is reactivated. Its allowlist, its reports "
          + "and the statuses that follow from them stay. Clear allowlist removes its entries."),
      ],
      run: async () => settle(desk, await postOnce("/organization/deactivate", { id }), deactivated),
    },
    clearAct(organization, desk),
  ]);
}

/**
 * Says of a slug that another organization has it.
 *
 * @template T
 * @param {Promise<T>} request
 */
export async function aboutSlug(request) {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) {
      throw new ApiError(400, error.message, ["slug: belongs to another organization"], error.which);
    }
    throw error;
  }
}

/** Says that a user or an organization has no access. */
export function deactivatedChip() {
  return h("span", { class: "chip warn" }, "deactivated");
}

/**
 * @template {User | Organization} T
 * @param {Context<T>} context
 * @param {Act[]} acts
 */
function buttons({ own }, acts) {
  const place = h("div", { class: "place" });
  if (lacksAdmin(own) !== "") {
    return place;
  }
  fill(place, h("div", { class: "actions" },
    acts.map((act) => h("button", { type: "button", onclick: () => ask(place, act) }, act.label))));
  return place;
}

/**
 * @param {Element} place
 * @param {Act} act
 */
function ask(place, { label, title = label, action, danger = false, fields, run }) {
  askInPlace(place, {
    title, action, danger, fields: fields(),
    act: async (form) => {
      await run(form);
      return [];
    },
  });
}

/**
 * @template {User | Organization} T
 * @param {Desk<T>} desk
 * @param {T} record as the act has left it
 * @param {string} text
 */
function settle(desk, record, text) {
  desk.tell(text);
  desk.update(record);
}

/**
 * @param {string} label
 * @param {string} name
 * @param {string} value
 * @param {string} [hint]
 */
function textField(label, name, value, hint) {
  return field(label, h("input", { name, value, autocomplete: "off", spellcheck: "false" }), hint);
}

/**
 * @param {FormData} form
 * @param {string} name
 */
function text(form, name) {
  return String(form.get(name)).trim();
}
