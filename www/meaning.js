import { count, iso } from "./time.js";

/** @import { Layout, LayoutInfo } from "edgeflake" */
/** @import { Place } from "./bits.js" */

/**
 * Says in words what the value of a field means.
 *
 * @param {Place} place
 * @param {bigint} value
 * @param {Layout} layout
 * @param {LayoutInfo} info
 */
export function meaningOf({ role }, value, { epochMs, fields, tickMs }, info) {
  const whole = fields.filter((field) => field.role === role).length === 1;
  switch (role) {
    case "timestamp": {
      const ticks = tickMs === 1 ? "ms" : `ticks of ${tickMs} ms`;
      const begin = `${ticks} since ${iso(epochMs)}`;
      return whole ? begin : `part of the ${begin}`;
    }
    case "node":
      return whole
        ? `which of ${count(info.nodes)} nodes made it`
        : "part of the node that made it";
    case "sequence": {
      const tick = tickMs === 1 ? "millisecond" : `tick of ${tickMs} ms`;
      return whole
        ? `its place among the ${count(info.idsPerTick)} of its ${tick}`
        : "part of its place";
    }
    case "tag":
      return "a value that the caller gave";
    default:
      return value === 0n ? "always 0" : "must be 0 in this layout, and is not";
  }
}
