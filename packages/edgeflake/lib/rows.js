// Ids that are given in rows: an array, or the lines of a text.

import { EdgeflakeError } from "./error.js";
import { exchange, ROWS_MAX, TEXT_MAX, wasm, write } from "./exchange.js";
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
  if (typeof given === "string") return linesOf(given);
  if (!(given?.length >= 0)) {
    throw new EdgeflakeError(
      "invalid-id",
      `${name} is ${shown(given)}: a BigUint64Array, an array and a text are allowed`,
    );
  }
  const ids = new BigUint64Array(given.length);
  /** @type {number[]} */
  const unread = [];
  for (let row = 0; row < given.length; row++) {
    const id = given[row];
    ids[row] = typeof id === "string" ? lineOf(id, row, unread) : idOf(id);
  }
  return { ids, unread };
}

/**
 * The id of a text; 0n if it is none, and then its row is one more that is unread.
 *
 * @param {string} text
 * @param {number} row
 * @param {number[]} unread
 */
function lineOf(text, row, unread) {
  if (wasm.parse(write(text), DECIMAL, 0)) return exchange().ids[0];
  unread.push(row);
  return 0n;
}

/**
 * The ids of the lines of a text, without the white space around each. The module reads as many
 * lines at once as it can; the one at which it stops is read here.
 *
 * @param {string} text
 */
function linesOf(text) {
  // Grown as it takes.
  let ids = new BigUint64Array(text.length / 16 + ROWS_MAX);
  /** @type {number[]} */
  const unread = [];
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const read = wasm.parseLines(write(text.slice(at, at + TEXT_MAX)));
    const { ids: found, numbers } = exchange();
    const rows = numbers[0];
    if (count + rows >= ids.length) {
      const more = new BigUint64Array(2 * ids.length);
      more.set(ids);
      ids = more;
    }
    ids.set(found.subarray(0, rows), count);
    count += rows;
    at += read;
    if (read > 0) continue;
    const end = text.indexOf("\n", at);
    const line = end < 0 ? text.slice(at) : text.slice(at, end);
    ids[count] = lineOf(line.trim(), count, unread);
    count += 1;
    at += line.length + 1;
  }
  return { ids: ids.slice(0, count), unread };
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
  for (let from = 0; from < ids.length; from += ROWS_MAX) {
    const some = ids.subarray(from, from + ROWS_MAX);
    exchange().ids.set(some);
    fill(some.length);
    const views = exchange();
    columns.forEach((column, i) => {
      const start = i * ROWS_MAX;
      column.set(views.columns.subarray(start, start + some.length), from);
    });
  }
  return columns;
}
