// Ids with what they say, as CSV.

import { iso } from "./time.js";

/** @import { DecodedColumns } from "edgeflake" */

/** Rows of one part: a text of all rows would be held twice. */
const PART = 10_000;

/**
 * The file in parts. What the layout refuses has an id and no fields.
 *
 * @param {DecodedColumns} columns
 * @param {number[]} lines where each row stands in the paste
 * @param {Float64Array | undefined} lags how long after its id each line was written, in ms
 */
export function csvOf({ id, timestampMs, node, sequence, tag }, lines, lags) {
  const last = lags ? ",logged_after_ms" : "";
  const parts = [`line,id,date,unix_ms,node,sequence,tag${last}\n`];
  for (let from = 0; from < id.length; from += PART) {
    const rows = [];
    const until = Math.min(from + PART, id.length);
    for (let i = from; i < until; i++) {
      const fits = !Number.isNaN(timestampMs[i]);
      const fields = fits
        ? `${iso(timestampMs[i])},${timestampMs[i]},${node[i]},${sequence[i]},${tag[i]}`
        : ",,,,";
      const lag = lags ? `,${Number.isNaN(lags[i]) ? "" : lags[i]}` : "";
      rows.push(`${lines[i]},${id[i]},${fields}${lag}\n`);
    }
    parts.push(rows.join(""));
  }
  return parts;
}
