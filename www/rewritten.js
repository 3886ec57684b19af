// An edited id, in the notation of the one that it replaces.

import { format } from "edgeflake";

/** @import { Encoding } from "edgeflake" */

/**
 * @param {bigint} id
 * @param {Encoding | ""} encoding encoding of the replaced one; empty for a date
 * @param {string} before text of the replaced one
 * @returns {{ text: string, encoding: Encoding }}
 */
export function rewritten(id, encoding, before) {
  const known = encoding === "" ? "decimal" : encoding;
  const prefix = /^\s*["']?(0x|0b)/i.exec(before)?.[1].toLowerCase() ?? "";
  const says = { "0x": "hex", "0b": "binary" }[prefix] === known;
  return { text: (says ? prefix : "") + format(id, known), encoding: known };
}
