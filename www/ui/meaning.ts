import type { Layout, LayoutInfo } from "edgeflake";
import type { Place } from "./bits.ts";
import { count, day } from "./words.ts";

/** Says in words what the value of a field means. */
export function meaningOf(
  { role }: Place,
  value: bigint,
  { epochMs, fields, tickMs }: Layout,
  info: LayoutInfo,
): string {
  const isWhole = fields.filter((field) => field.role === role).length === 1;
  switch (role) {
    case "timestamp": {
      const ticks = tickMs === 1 ? "ms" : `ticks of ${tickMs} ms`;
      const begin = `${ticks} since ${day(epochMs)}`;
      return isWhole ? begin : `part of the ${begin}`;
    }
    case "node":
      return isWhole
        ? `which of ${count(info.nodes)} nodes made it`
        : "part of the node that made it";
    case "sequence": {
      const tick = tickMs === 1 ? "millisecond" : `tick of ${tickMs} ms`;
      return isWhole
        ? `its place among the ${count(info.idsPerTick)} of its ${tick}`
        : "part of its place";
    }
    case "tag":
      return "a value that the caller gave";
    default:
      return value === 0n ? "always 0" : "must be 0 in this layout, and is not";
  }
}
