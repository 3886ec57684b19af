/** @import { Field } from "edgeflake" */

/** The parts of an id, of which each field but an unused one has some bits. */
const ROLES = ["timestamp", "node", "sequence", "tag"];

/**
 * A layout's fields from the least significant one on, each with where it stands in its part: where
 * the part begins, how much of it is one of the field, and how many values the field has.
 *
 * @param {{ fields: readonly Field[], epochMs: number, tickMs: number }} layout
 */
export function placesOf({ fields, epochMs, tickMs }) {
  const ones = [tickMs, 1, 1, 1];
  return [...fields].reverse().map(({ name, bits, role }) => {
    const part = ROLES.indexOf(role);
    const [one, range] = [ones[part], 2 ** bits];
    ones[part] *= range;
    return { name, bits, role, part, from: part ? 0 : epochMs, one, range };
  });
}

/**
 * The value of a field, from the parts of an id.
 *
 * @param {ReturnType<typeof placesOf>[number]} place
 * @param {{ timestampMs: number, node: number, sequence: number, tag: number }} parts
 */
export function valueIn({ part, from, one, range }, { timestampMs, node, sequence, tag }) {
  if (part < 0) return 0;
  // An array of them would take as long as all the rest.
  const whole = part < 1 ? timestampMs : part < 2 ? node : part < 3 ? sequence : tag;
  const above = Math.floor((whole - from) / one);
  return above - Math.floor(above / range) * range;
}
