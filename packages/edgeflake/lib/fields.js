// Reads an id as two halves of 32 bits, which are numbers, because passing a bigint to the module
// takes longer than all that this does. tests/package/translated.test.js compares it with the module.

/** @import { Field } from "edgeflake" */

const whole = new BigUint64Array(1);

/** The low 32 bits of the id that was given to `split`, then the high ones. */
export const halves = new Uint32Array(whole.buffer);

/** @param {bigint} id */
export function split(id) {
  whole[0] = id;
}

/**
 * Where the bits from one up to another stand in the two halves.
 *
 * @param {number} from the least significant bit is 0
 * @param {number} until
 */
function runOf(from, until) {
  // Shifts, because old presets of Babel and swc make `Math.pow` of `**`, which takes no bigint.
  split((1n << BigInt(until)) - (1n << BigInt(from)));
  return {
    lowMask: halves[0],
    // Modulo 32, as for all shifts of numbers.
    lowShift: from,
    highMask: halves[1],
    highShift: Math.max(0, from - 32),
    highOne: 2 ** Math.max(0, 32 - from),
  };
}

/**
 * The number in these bits, which are at most 53.
 *
 * @param {ReturnType<typeof runOf>} run
 * @param {number} low
 * @param {number} high
 */
export function valueIn({ lowMask, lowShift, highMask, highShift, highOne }, low, high) {
  return ((high & highMask) >>> highShift) * highOne + ((low & lowMask) >>> lowShift);
}

/**
 * Where a layout's fields stand in an id, and its parts, each of which has one or more fields.
 * `areAdjacent` says whether the fields of each part are adjacent: only then is a part one run.
 *
 * @param {{ fields: readonly Field[], epochMs: number, tickMs: number }} layout
 */
export function placesOf({ fields, epochMs, tickMs }) {
  /** @type {Partial<Record<Field["role"], { from: number, until: number }>>} */
  const parts = {};
  let [areAdjacent, usedLow, usedHigh, from] = [true, 0, 0, 0];
  const places = [...fields].reverse().map(({ name, bits, role }) => {
    const until = from + bits;
    const run = runOf(from, until);
    if (role !== "unused") {
      const part = parts[role] ?? { from, until: from };
      areAdjacent &&= part.until === from;
      parts[role] = { from: part.from, until };
      usedLow |= run.lowMask;
      usedHigh |= run.highMask;
    }
    from = until;
    return { name, bits, role, run };
  });
  /** @param {Field["role"]} role */
  const partOf = (role) => runOf(parts[role]?.from ?? 0, parts[role]?.until ?? 0);
  return {
    fields: places.reverse(),
    areAdjacent,
    unusedLow: ~usedLow,
    unusedHigh: ~usedHigh,
    timestamp: partOf("timestamp"),
    node: partOf("node"),
    sequence: partOf("sequence"),
    tag: partOf("tag"),
    epochMs,
    tickMs,
  };
}
