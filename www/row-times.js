// The time at which each line of a log or table says that it was written, to compare it with its
// id.

import { timeOfLine } from "./log-time.js";

/** @import { Cell } from "./columns.js" */

/** The number of cells that tell whether a column has times. */
const SAMPLE = 20;
/** The names of columns whose numbers are times. Other numbers are more likely ids. */
const TIME_NAME = /time|date|^ts$|_at$|[a-z]At$/i;

/**
 * Returns the time of each line in Unix ms, from the first column that has only times and one for
 * each line; `undefined` if there is no such column.
 *
 * @param {Map<string, Cell[]>} columns
 * @param {string} ids the column of the ids
 */
export function timesOfRows(columns, ids) {
  const count = columns.get(ids)?.length ?? 0;
  for (const [name, cells] of columns) {
    if (name === ids || count < 2 || cells.length < 2) continue;
    if (!hasTimes(cells, TIME_NAME.test(name))) continue;
    /** @type {Map<number, number>} */
    const times = new Map();
    for (const { text, line } of cells) {
      const time = timeOfLine(text);
      if (time) times.set(line, time.ms);
    }
    if (times.size * 2 > cells.length) return times;
  }
}

/**
 * @param {Cell[]} cells
 * @param {boolean} numbersToo whether Unix time counts as well
 */
function hasTimes(cells, numbersToo) {
  const step = Math.max(1, Math.floor(cells.length / SAMPLE));
  for (let i = 0; i < cells.length; i += step) {
    const text = cells[i].text.trim();
    const time = timeOfLine(text);
    if (!time || time.from > 0 || time.until < text.length) return false;
    if (!numbersToo && /^[\d.]+$/.test(text)) return false;
  }
  return true;
}
