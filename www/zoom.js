// How wide the columns under the strip are, and what joins each to the bits of its field.

import { ID_BITS } from "./bits.js";

/** @import { Place } from "./bits.js" */

/** What every column gets beside its bits, in bits: a name and a value take that much. */
const LEAST_BITS = 10;

/**
 * The width of each field's column, as a share of the strip.
 *
 * @param {Place[]} places
 */
export function columnShares(places) {
  const sum = places.reduce((all, { bits }) => all + bits + LEAST_BITS, 0);
  return places.map(({ bits }) => (bits + LEAST_BITS) / sum);
}

/**
 * The corners of what joins a field's bits, above, to its column, below; across 64 by 1.
 *
 * @param {Place[]} places
 */
export function joints(places) {
  const shares = columnShares(places);
  let from = 0;
  return places.map(({ start, bits }, i) => {
    const until = from + shares[i] * ID_BITS;
    const corners = [
      [start, 0],
      [start + bits, 0],
      [until, 1],
      [from, 1],
    ];
    from = until;
    return corners;
  });
}
