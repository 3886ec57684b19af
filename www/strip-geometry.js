// Where the bits of the strip are, from its place on the screen.

import { ID_BITS } from "./bits.js";

/**
 * @typedef {object} Geometry
 * @property {number} left of the strip, in px of the window
 * @property {number} top of its first row of cells
 * @property {number} width
 * @property {number} columns cells in a row
 * @property {number} rowHeight from one row to the next
 */

/**
 * The border between two cells that is nearest to a point: how many cells are before it.
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
