// All bit arithmetic of the page. It treats an id as 64 digits, and divides them into a layout's
// fields. The package decodes the values.

import { type Field, format, type Layout, type LayoutInfo } from "edgeflake";
import { count, day } from "./words.ts";

export const ID_BITS = 64;

/** A field, with the index of its first digit and its CSS class. */
export type Place = Field & { start: number; className: string };

/** Returns the fields, and the number of digits before the first one. */
export function placesOf({ fields }: Pick<Layout, "fields">): { places: Place[]; outside: number } {
  const outside = ID_BITS - fields.reduce((sum, { bits }) => sum + bits, 0);
  let start = outside;
  const places: Place[] = [];
  for (const field of fields) {
    // If neighbouring fields have the same role, such as Twitter's datacenter and worker, they
    // differ in shade.
    const before = places.at(-1);
    const className = before?.className === field.role ? `${field.role} shaded` : field.role;
    places.push({ ...field, start, className });
    start += field.bits;
  }
  return { places, outside };
}

export function digitsOf(id: bigint): string {
  return format(id, "binary");
}

/** Returns the value of fields of an id, even of an id that the layout refuses. */
export function numberOf(digits: string, places: Place[]): bigint {
  const own = places.map(({ start, bits }) => digits.slice(start, start + bits)).join("");
  return BigInt(`0b${own}`);
}

export function flipped(id: bigint, at: number): bigint {
  return id ^ (1n << BigInt(ID_BITS - 1 - at));
}

/** Says in words what the value of a field means. */
export function meaningOf(
  place: Place,
  digits: string,
  places: Place[],
  { epochMs, tickMs }: Layout,
  info: LayoutInfo,
): string {
  const { role } = place;
  const parts = places.filter((one) => one.role === role);
  const isWhole = parts.length === 1;
  switch (role) {
    case "timestamp": {
      const ticks = tickMs === 1 ? "ms" : `ticks of ${tickMs} ms`;
      const begin = `${ticks} since ${day(epochMs)}`;
      return isWhole ? begin : `part of the ${begin}`;
    }
    case "node":
      if (isWhole) return `which of ${count(info.nodes)} nodes made it`;
      return `with ${parts
        .filter((one) => one !== place)
        .map(({ name }) => name)
        .join(" and ")}: node ${numberOf(digits, parts)}`;
    case "sequence": {
      const tick = tickMs === 1 ? "millisecond" : `tick of ${tickMs} ms`;
      return isWhole
        ? `its place among the ${count(info.idsPerTick)} of its ${tick}`
        : "part of its place";
    }
    case "tag":
      return "a value that the caller gave";
    default:
      return numberOf(digits, [place]) === 0n ? "always 0" : "must be 0 in this layout, and is not";
  }
}
