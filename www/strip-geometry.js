// The places of the strip's bits on the screen.

import { ID_BITS } from "./bits.js";

/**
 * @typedef {object} Geometry
 * @property {number} left left edge of the strip, in px of the window
 * @property {number} top top edge of its first row of cells
 * @property {number} width
 * @property {number} columns number of cells in a row
 * @property {number} rowHeight distance from one row to the next
 */

/**
 * Returns the border between two cells that is nearest to a point, as the number of cells before
 * it.
 *
 * @param {Geometry} geometry
 * @param {number} x in px of the window
 * @param {number} y
 */
export function borderAt({ left, top, width, columns, rowHeight }, x, y) {
  const rows = ID_BITS / columns;
  const row = Math.max(0, Math.min(rows - 1, Math.floor((y - top) / rowHeight)));
  const column = Math.max(0, Math.min(columns, Math.round(((x - left) * columns) / width)));
  return row * columns + column;
}
