// Ids with what they say, as CSV.

import { iso } from "./time.js";

/** @import { DecodedColumns } from "edgeflake" */

/** Rows of one part: a text of all rows would be held twice. */
const PART = 10_000;

/** What a file has of each row, in this order. */
export const CSV_COLUMNS = /** @type {const} */ ([
  "line",
  "id",
  "date",
  "unix_ms",
  "node",
  "sequence",
  "tag",
  "logged_after_ms",
]);

/** @typedef {typeof CSV_COLUMNS[number]} CsvColumn */

/**
 * The file in parts. What the layout refuses has an id and no fields.
 *
 * @param {DecodedColumns} columns
 * @param {number[]} lines where each row stands in the paste
 * @param {Float64Array | undefined} lags how long after its id each line was written, in ms
 * @param {Uint32Array | undefined} [rows] all of them without it
 * @param {string} [only] one of the columns; empty for all that there are
 */
export function csvOf({ id, timestampMs, node, sequence, tag }, lines, lags, rows, only = "") {
  /** @type {Record<CsvColumn, (row: number) => string | number | bigint>} */
  const cells = {
    line: (row) => lines[row],
    id: (row) => id[row],
    date: (row) => (fits(row) ? iso(timestampMs[row]) : ""),
    unix_ms: (row) => (fits(row) ? timestampMs[row] : ""),
    node: (row) => (fits(row) ? node[row] : ""),
    sequence: (row) => (fits(row) ? sequence[row] : ""),
    tag: (row) => (fits(row) ? tag[row] : ""),
    logged_after_ms: (row) => (lags && !Number.isNaN(lags[row]) ? lags[row] : ""),
  };
  const names = CSV_COLUMNS.filter((name) =>
    only === "" ? lags || name !== "logged_after_ms" : name === only,
  );
  const wanted = names.map((name) => cells[name]);
  const parts = [`${names.join(",")}\n`];
  const count = rows?.length ?? id.length;
  for (let from = 0; from < count; from += PART) {
    const written = [];
    for (let i = from; i < Math.min(from + PART, count); i++) {
      const row = rows?.[i] ?? i;
      written.push(`${wanted.map((cell) => cell(row)).join(",")}\n`);
    }
    parts.push(written.join(""));
  }
  return parts;

  /** @param {number} row */
  function fits(row) {
    return !Number.isNaN(timestampMs[row]);
  }
}
