// Ids that are given in rows: an array, or the lines of a text.

import { EdgeflakeError } from "./error.js";
import { exchange, ROWS_MAX, wasm, write } from "./exchange.js";
import { shown } from "./options.js";
import { DECIMAL, idOf } from "./text.js";

/** @import { Id } from "edgeflake" */

/**
 * The ids of all rows, in memory of their own, and the rows that are none, whose id is 0n.
 *
 * @param {string} name
 * @param {BigUint64Array | readonly Id[] | string} given
 */
export function rowsOf(name, given) {
  if (given instanceof BigUint64Array) return { ids: given.slice(), unread: [] };
  const rows = typeof given === "string" ? lines(given) : given;
  if (!(rows?.length >= 0)) {
    throw new EdgeflakeError(
      "invalid-id",
      `${name} is ${shown(given)}: a BigUint64Array, an array and a text are allowed`,
    );
  }
  const ids = new BigUint64Array(rows.length);
  /** @type {number[]} */
  const unread = [];
  for (const [from, length] of chunks(rows.length)) {
    for (let row = 0; row < length; row++) {
      const id = rows[from + row];
      if (typeof id !== "string") exchange().ids[row] = idOf(id);
      else if (!wasm.parse(write(id), DECIMAL, row)) {
        exchange().ids[row] = 0n;
        unread.push(from + row);
      }
    }
    ids.set(exchange().ids.subarray(0, length), from);
  }
  return { ids, unread };
}

/**
 * Where each chunk of so many rows begins, and how many it has, as the exchange holds them.
 *
 * @param {number} count
 */
export function* chunks(count) {
  for (let from = 0; from < count; from += ROWS_MAX) {
    yield/** @type {const} */ ([from, Math.min(ROWS_MAX, count - from)]);
  }
}

/**
 * The columns that a call fills for each chunk of ids.
 *
 * @param {BigUint64Array} ids
 * @param {number} count of the columns
 * @param {(length: number) => void} fill
 */
export function columnsOf(ids, count, fill) {
  const columns = Array.from({ length: count }, () => new Float64Array(ids.length));
  for (const [from, length] of chunks(ids.length)) {
    exchange().ids.set(ids.subarray(from, from + length));
    fill(length);
    const views = exchange();
    columns.forEach((column, i) => {
      const start = i * ROWS_MAX;
      column.set(views.columns.subarray(start, start + length), from);
    });
  }
  return columns;
}

/**
 * The lines of a text, without the white space around each.
 *
 * @param {string} text
 */
function lines(text) {
  const all = text.split("\n");
  if (text === "" || text.endsWith("\n")) all.pop();
  return all.map((line) => line.trim());
}
