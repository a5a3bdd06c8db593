// @ts-check
// Who else has the open record open.
import { fill, h } from "./dom.js";
import { onViewers, viewersNow } from "./live.js";
import { nameOf } from "./people.js";

/** @param {AbortSignal} signal */
export function viewersLine(signal) {
  const element = h("p", { class: "notice info viewers", role: "status" });
  const draw = () => {
    const names = viewersNow().map(nameOf);
    const text = new Intl.ListFormat("en").format(names);
    fill(element, names.length > 0 && `${text} ${names.length > 1 ? "have" : "has"} this open, too.`);
  };
  onViewers(draw, signal);
  draw();
  return element;
}
