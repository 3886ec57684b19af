// A paste as ids of one layout, kept until either changes.

import { EdgeflakeError } from "edgeflake";
import { iso } from "./time.js";

/** @import { DecodedColumns, Layout } from "edgeflake" */
/** @import { Reading, Refused } from "./paste.js" */

/**
 * @typedef {object} Table the ids of a reading in a layout
 * @property {Reading} reading
 * @property {string} layout its layout string
 * @property {number[]} lines line of each of them
 * @property {Refused[]} refused dates that the layout does not have
 * @property {DecodedColumns} columns
 */
/** @type {Table | undefined} kept, because there may be many ids */
let table;

/**
 * @param {Reading} reading
 * @param {Layout} layout
 * @returns {Table}
 */
export function tableOf(reading, layout) {
  const string = layout.toString();
  if (table?.reading === reading && table.layout === string) return table;
  const ids = [];
  const lines = [];
  const refused = [];
  for (const [i, one] of reading.found.entries()) {
    const line = reading.lines[i];
    try {
      ids.push(typeof one === "bigint" ? one : layout.encode({ timestampMs: one }));
      lines.push(line);
    } catch (error) {
      if (!(error instanceof EdgeflakeError) || typeof one === "bigint") throw error;
      refused.push({ line, text: iso(one.getTime()), message: error.message });
    }
  }
  const columns = layout.decodeMany(BigUint64Array.from(ids));
  table = { reading, layout: string, lines, refused, columns };
  return table;
}
