// The widths of the columns under the strip, and the joints between them and the bits of their
// fields.

import { ID_BITS } from "./bits.js";

/** @import { Place } from "./bits.js" */

/** The width of a column besides its bits, in bits, because a name and a value take that much. */
const LEAST_BITS = 10;

/**
 * Returns the width of each field's column, as a share of the strip.
 *
 * @param {Place[]} places
 */
export function columnShares(places) {
  const sum = places.reduce((all, { bits }) => all + bits + LEAST_BITS, 0);
  return places.map(({ bits }) => (bits + LEAST_BITS) / sum);
}

/**
 * Returns the corners of the joint between a field's bits, above, and its column, below. It is 64
 * wide and 1 high.
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
