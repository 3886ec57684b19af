// Ids and their decoded values, as CSV.

import { iso } from "./time.js";

/** @import { DecodedColumns } from "edgeflake" */

/**
 * The number of rows of one part. The file is in parts, because one text of all rows would be held
 * twice.
 */
const PART = 10_000;

/** The columns of a file, in this order. */
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
 * Returns the file in parts. An id that the layout refuses has no fields.
 *
 * @param {DecodedColumns} columns
 * @param {number[]} lines line of each row in the paste
 * @param {Float64Array | undefined} lags ms from each id to the writing of its line
 * @param {Uint32Array | undefined} [rows] the rows to write; all of them without it
 * @param {string} [only] one of the columns; empty for all of them
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
