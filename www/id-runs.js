// The runs of ticks that have ids within the rectangles of their leases, by node.

/** @import { DecodedColumns, Layout } from "edgeflake" */

/**
 * @typedef {object} Run
 * @property {number} node
 * @property {number} from the first tick
 * @property {number} until the tick after the last one
 */

/**
 * @param {DecodedColumns} columns ids in the order in which they were issued
 * @param {Pick<Layout, "epochMs" | "tickMs">} layout
 * @returns {Run[]}
 */
export function runsOf({ timestampMs, node }, { epochMs, tickMs }) {
  /** @type {Run[]} */
  const runs = [];
  for (let i = 0; i < node.length; i++) {
    const tick = Math.round((timestampMs[i] - epochMs) / tickMs);
    const last = runs.at(-1);
    if (last?.node === node[i] && tick >= last.from && tick <= last.until) {
      last.until = Math.max(last.until, tick + 1);
    } else runs.push({ node: node[i], from: tick, until: tick + 1 });
  }
  return runs;
}
