// The page's only bit arithmetic: an id as 64 digits, which are cut where a layout's fields begin.
// The package says what the digits mean.

import { type Field, format, type Layout, type LayoutInfo, parse } from "edgeflake";
import { count, day } from "./words.ts";

export const ID_BITS = 64;

/** A field, with the place of its first digit and its class. */
export type Place = Field & { start: number; className: string };

/** Returns the fields, and the number of digits before the first one. */
export function placesOf({ fields }: Pick<Layout, "fields">): { places: Place[]; outside: number } {
  const outside = ID_BITS - fields.reduce((sum, { bits }) => sum + bits, 0);
  let start = outside;
  const places: Place[] = [];
  for (const field of fields) {
    // The field gets another shade than a neighbour of the same role, as in Twitter's datacenter
    // and worker.
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

function idOfDigits(digits: string) {
  return parse(digits, "binary");
}

/** Returns the value of a field of an id, even of an id that the layout refuses. */
export function fieldValue(digits: string, { start, bits }: Place): bigint {
  return idOfDigits(digits.slice(start, start + bits).padStart(ID_BITS, "0"));
}

/** Returns the id with the bit at a place flipped. */
export function flipped(id: bigint, at: number): bigint {
  const digits = digitsOf(id);
  return idOfDigits(digits.slice(0, at) + (digits[at] === "1" ? "0" : "1") + digits.slice(at + 1));
}

/** Returns the id with another value in a field. */
export function replaced(id: bigint, { name, start, bits }: Place, value: string): bigint {
  const written = digitsOf(parse(value.trim(), "decimal"));
  const cut = ID_BITS - bits;
  if (written.slice(0, cut).includes("1")) {
    const most = idOfDigits("1".repeat(bits).padStart(ID_BITS, "0"));
    throw new RangeError(`${name} ${value.trim()} is too large: at most ${most} is allowed`);
  }
  const digits = digitsOf(id);
  return idOfDigits(digits.slice(0, start) + written.slice(cut) + digits.slice(start + bits));
}

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

/** The place of the strip in px, and the height of a row of its cells. */
export type Geometry = Pick<DOMRect, "left" | "top" | "width"> & { rowHeight: number };

/** Returns the border between two cells that is nearest to a point, as the number of cells before it. */
export function borderAt(
  { left, top, width, rowHeight }: Geometry,
  columns: number,
  x: number,
  y: number,
) {
  const rows = ID_BITS / columns;
  const row = Math.max(0, Math.min(rows - 1, Math.floor((y - top) / rowHeight)));
  const column = Math.max(0, Math.min(columns, Math.round(((x - left) * columns) / width)));
  return row * columns + column;
}
