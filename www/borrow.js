// Fields of a layout whose widths give way to each other, so that they stay within 64 bits.

import { ID_BITS } from "./bits.js";

/** @import { Field } from "edgeflake" */

/**
 * Returns the fields with one of them as wide as asked. Bits beyond 64 are taken from its
 * neighbours, the nearest ones first and the next before the previous; each keeps a bit. A width
 * that is invalid, or for which there is no room, stays as it was asked.
 *
 * @param {Field[]} fields
 * @param {number} at
 * @param {number} bits
 */
export function widened(fields, at, bits) {
  const widths = fields.map((field, i) => (i === at ? bits : field.bits));
  const order = [...fields.keys()].sort((a, b) => distance(a) - distance(b)).slice(1);
  let over = widths.reduce((sum, width) => sum + width, 0) - ID_BITS;
  for (const i of order) {
    const given = Math.max(0, Math.min(over, widths[i] - 1));
    widths[i] -= given;
    over -= given;
  }
  if (!Number.isInteger(bits) || bits < 1 || over > 0) {
    return fields.map((field, i) => (i === at ? { ...field, bits } : field));
  }
  return fields.map((field, i) => ({ ...field, bits: widths[i] }));

  /** @param {number} i */
  function distance(i) {
    return i >= at ? i - at : at - i + 0.5;
  }
}

/**
 * Returns a sentence on the fields from which another one has taken bits; empty if it has taken
 * none.
 *
 * @param {Field[]} before
 * @param {Field[]} after the same fields, and maybe more after them
 * @param {number} at the field that has taken them
 */
export function takenFrom(before, after, at) {
  const given = before.flatMap(({ name, bits }, i) => {
    const less = bits - after[i].bits;
    return i === at || less <= 0 ? [] : [`${less === 1 ? "1 bit" : `${less} bits`} from ${name}`];
  });
  return given.length === 0 ? "" : `${after[at].name} has taken ${given.join(" and ")}`;
}
