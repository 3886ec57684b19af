import { EdgeflakeError } from "../error.js";
import { halves, split } from "../halves.js";
import { refused } from "../options.js";
import { type Id, idOf } from "../text/text.js";
import type { DecodedId } from "./decoded.js";
import { checkUnused, partsOf, placesIn } from "./fields.js";

/** The parts of an id. `Layout.decode` of `edgeflake` returns these and more. */
export type IdParts = Pick<DecodedId, "id" | "timestampMs" | "date" | "node" | "sequence" | "tag">;

const LAYOUT_STRING =
  /^((unused|timestamp|node|sequence|tag)(\.[\w-]{1,24})?:[1-9]\d? )+@\d{1,16} tick=\d{1,16}ms$/;

/** The largest width, in bits, of an id and of a part. A part must fit a JavaScript number. */
const ID_BITS = 64;
const PART_BITS = 53;

/**
 * Decodes ids of one layout without WebAssembly.
 *
 * ```js
 * const decoder = new Decoder("timestamp:41 node:10 sequence:12 @1288834974657 tick=1ms");
 * decoder.decode("1541815603606036480").node; // 378
 * ```
 */
export class Decoder {
  #places;

  /**
   * @param layout a layout string, as `Layout` of `edgeflake` prints it and `npx edgeflake layouts`
   * lists it. The short forms that `Layout.parse` also reads are refused.
   * @throws {EdgeflakeError} `invalid-layout`
   */
  constructor(layout: string) {
    this.#places = checkedPlaces(layout);
  }

  /**
   * Splits an id into its parts.
   *
   * @throws {EdgeflakeError} `invalid-id`; `unused-bits` for set bits that the layout does not use
   */
  decode(id: Id): IdParts {
    const whole = idOf(id);
    const places = this.#places;
    split(whole);
    const low = halves[0];
    const high = halves[1];
    checkUnused(places, low, high);
    const { timestamp, node, sequence, tag } = partsOf(places, low, high);
    const timestampMs = places.epochMs + places.tickMs * timestamp;
    return { id: whole, timestampMs, date: new Date(timestampMs), node, sequence, tag };
  }
}

/** Reads a whole layout string; throws if it is not one, or if a part is too wide. */
export function checkedPlaces(layout: string) {
  if (typeof layout !== "string" || !LAYOUT_STRING.test(layout)) {
    const allowed =
      'give a whole layout string such as "timestamp:41 node:10 sequence:12 @1288834974657 ' +
      'tick=1ms"';
    throw refused("the layout", layout, allowed, "invalid-layout");
  }
  const places = placesIn(layout);
  const widths = { "the layout": 0, unused: 0, timestamp: 0, node: 0, sequence: 0, tag: 0 };
  for (const { bits, role } of places.fields) {
    widths["the layout"] += bits;
    widths[role] += bits;
  }
  for (const [what, bits] of Object.entries(widths)) {
    const most = what === "the layout" || what === "unused" ? ID_BITS : PART_BITS;
    if (bits <= most) continue;
    const message = `${what} has ${bits} bits: at most ${most} are allowed`;
    throw new EdgeflakeError("invalid-layout", message);
  }
  return places;
}
