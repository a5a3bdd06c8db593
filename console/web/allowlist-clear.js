// @ts-check
// Clears the allowlist of an organization. What that would change is counted before anybody confirms it.
import { ApiError, postOnce } from "./api.js";
import { fill, h } from "./dom.js";
import { grouped, plural } from "./numbers.js";
import { show } from "./parts.js";
import { labelOf } from "./people.js";
import { clipped } from "./safe-text.js";

/** @import { Act } from "./account-acts.js" */
/** @import { Desk } from "./queue.js" */
/** @import { components } from "./operator-types.js" */
/** @typedef {components["schemas"]["Organization"]} Organization */
/** @typedef {{ removed: number, changed: number }} Counts */

/**
 * Returns the act that clears the allowlist of an organization.
 *
 * @param {Organization} organization
 * @param {Desk<Organization>} desk
 * @returns {Act}
 */
export function clearAct(organization, desk) {
  const { id } = organization;
  let place = h("div", {});
  /** What would be removed, once that is counted. @type {Counts | undefined} */
  let planned;
  let done = { removed: 0, changed: 0 };
  return {
    label: "Clear allowlist", title: "Clear the allowlist", action: "Remove all for good", danger: true,
    fields: () => {
      place = h("div", { role: "status" });
      planned = undefined;
      done = { removed: 0, changed: 0 };
      const counting = h("p", { class: "muted" }, "Counting …");
      void show(place, async () => {
        const counts = { removed: 0, changed: 0 };
        await clear(id, true, counts, () => {
          if (!place.contains(counting) || !place.isConnected) { // the question was canceled
            throw new DOMException("canceled", "AbortError");
          }
          fill(counting, `Counting: ${plural(counts.removed, "asset")} …`);
        });
        planned = counts;
        return h("p", {}, counts.removed === 0 ? "The allowlist is empty."
          : h("strong", {}, `${plural(counts.removed, "asset")} would be removed, and the status of `
            + `${grouped(counts.changed)} would change.`));
      }, { meanwhile: counting });
      return [
        h("p", {}, "For good, nothing is left on the allowlist of ", clipped(labelOf(organization), 60),
          ". Operators, lists and other organizations then decide about the assets."),
        place,
      ];
    },
    run: async () => {
      if (planned === undefined) {
        throw new ApiError(400, "Not counted", ["What would be removed is not counted yet."], "operatorKey");
      }
      const { removed } = planned;
      await clear(id, false, done, () => {
        fill(place, h("p", {}, `Removed ${grouped(done.removed)} of ${plural(removed, "asset")} …`));
      });
      desk.tell(`${plural(done.removed, "asset")} removed. The status of ${grouped(done.changed)} has changed.`);
      desk.update(organization);
    },
  };
}

/**
 * Clears an allowlist in as many requests as that takes, or says what would be removed. A request that is repeated
 * after a failure removes nothing more.
 *
 * @param {number} organizationId
 * @param {boolean} dryRun
 * @param {Counts} counts what each request has removed is added to it
 * @param {() => void} counted is called after each request
 */
async function clear(organizationId, dryRun, counts, counted) {
  let cursor = null;
  do {
    const { removed, changed, nextCursor } = /** @type {components["schemas"]["ClearedAllowlist"]} */ (
      await postOnce("/allowlist/clear", { organizationId, dryRun, cursor }));
    counts.removed += removed;
    counts.changed += changed;
    cursor = nextCursor;
    counted();
  } while (cursor !== null);
}
