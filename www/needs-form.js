// The form for the needs of a layout. Its widths and its epoch follow at once.

import { element, say } from "./dom.js";
import { layoutFor, leftOf } from "./needs.js";
import { today } from "./time.js";

const inputs = {
  nodes: element("needs-nodes", HTMLInputElement),
  years: element("needs-years", HTMLInputElement),
  perSecond: element("needs-rate", HTMLInputElement),
};

/** The largest allowed value of each need, beyond which 63 bits are never enough, and its name. */
const LIMITS = /** @type {const} */ ({
  nodes: ["nodes", 1e12],
  years: ["years", 10_000],
  perSecond: ["ids per second", 1e12],
});

/** @param {(layout: string) => void} choose */
export function setUpNeeds(choose) {
  for (const input of Object.values(inputs)) input.addEventListener("input", lay);

  function lay() {
    for (const input of Object.values(inputs)) input.ariaInvalid = "false";
    let [left, refused] = ["", ""];
    try {
      const [nodes, years, perSecond] = [read("nodes"), read("years"), read("perSecond")];
      if (nodes !== undefined && years !== undefined) {
        const needs = { nodes, years, perSecond };
        const layout = layoutFor(needs, today());
        choose(layout.toString());
        left = leftOf(layout, needs);
      }
    } catch (refusal) {
      if (!(refusal instanceof Error)) throw refusal;
      refused = refusal.message;
    }
    say("needs-left", left);
    say("needs-error", refused);
  }
}

/**
 * Returns the number of an input; `undefined` while it is empty.
 *
 * @param {keyof typeof inputs} name
 */
function read(name) {
  const text = inputs[name].value.replaceAll(/[\s,_]/g, "");
  if (text === "") return undefined;
  const [title, most] = LIMITS[name];
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  inputs[name].ariaInvalid = "true";
  throw new RangeError(
    `"${inputs[name].value}" ${title}: a whole number from 1 to ${most.toLocaleString("en")} is allowed`,
  );
}
