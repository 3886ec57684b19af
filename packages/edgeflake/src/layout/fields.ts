// Reads the fields of an id, as the Rust code does; tests/package/translated.test.js compares both.

import { EdgeflakeError } from "../error.js";
import { halves, joined, split } from "../halves.js";

/** The purpose of a field's bits; `unused` bits are 0. */
export type Role = "unused" | "timestamp" | "node" | "sequence" | "tag";

/** A run of adjacent bits in an id. */
export interface Field {
  /** 1 to 24 characters of `a-z A-Z 0-9 - _`. Fields of one layout have different names. */
  name: string;
  bits: number;
  role: Role;
}

/** A field and its value in one id. */
export interface FieldValue extends Field {
  value: number;
}

/** Reads a layout string in the form that `Layout.toString` returns. */
export function placesIn(text: string) {
  const words = text.split(" ");
  const [epoch, tick] = words.splice(-2);
  const fields = words.map((word): Field => {
    const [label, bits] = word.split(":");
    const [role, name = role] = label.split(".");
    return Object.freeze({ name, bits: Number(bits), role: role as Role });
  });
  return {
    // The fields are frozen, because a caller that sorts them would change how ids are decoded.
    ...placesOf(Object.freeze(fields)),
    epochMs: Number(epoch.slice("@".length)),
    tickMs: Number(tick.slice("tick=".length, -"ms".length)),
  };
}

/** Returns masks and shifts to read bits `from` to `until - 1`; bit 0 is the least significant. */
function runOf(from: number, until: number) {
  // Use shifts: old presets of Babel and swc turn `**` into `Math.pow`, which takes no bigint.
  split((1n << BigInt(until)) - (1n << BigInt(from)));
  return {
    lowMask: halves[0],
    // JavaScript shifts modulo 32, which does no harm: if `from` is 32 or more, `lowMask` is 0.
    lowShift: from,
    highMask: halves[1],
    highShift: Math.max(0, from - 32),
    highOne: 2 ** Math.max(0, 32 - from),
  };
}

/** Reads the number in a run of at most 53 adjacent bits of an id. */
export function valueIn(
  { lowMask, lowShift, highMask, highShift, highOne }: ReturnType<typeof runOf>,
  low: number,
  high: number,
) {
  return ((high & highMask) >>> highShift) * highOne + ((low & lowMask) >>> lowShift);
}

/**
 * Returns which bits of an id belong to each field, and to each part (all fields of one role).
 * `areAdjacent` tells whether the fields of each part are adjacent: only then can a part be read as
 * one run of bits.
 */
export function placesOf(fields: readonly Field[]) {
  const parts: Partial<Record<Role, { from: number; until: number }>> = {};
  let [areAdjacent, usedLow, usedHigh, from] = [true, 0, 0, 0];
  const runs = [...fields].reverse().map(({ name, bits, role }) => {
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
  const partOf = (role: Role) => runOf(parts[role]?.from ?? 0, parts[role]?.until ?? 0);
  return {
    fields,
    runs: runs.reverse(),
    areAdjacent,
    unusedLow: ~usedLow,
    unusedHigh: ~usedHigh,
    timestamp: partOf("timestamp"),
    node: partOf("node"),
    sequence: partOf("sequence"),
    tag: partOf("tag"),
  };
}

type Places = ReturnType<typeof placesOf>;

/** Returns the parts of an id by joining their fields, which need not be adjacent. */
export function partsOf({ runs }: Places, low: number, high: number) {
  const parts: Record<Role, number> = { unused: 0, timestamp: 0, node: 0, sequence: 0, tag: 0 };
  for (const { bits, role, run } of runs) {
    parts[role] = parts[role] * 2 ** bits + valueIn(run, low, high);
  }
  return parts;
}

/** Throws if an id has set bits that the layout does not use. */
export function checkUnused({ unusedLow, unusedHigh }: Places, low: number, high: number) {
  if (((low & unusedLow) | (high & unusedHigh)) === 0) return;
  const bits = joined(low & unusedLow, high & unusedHigh).toString(16);
  const found = `the layout does not use bits 0x${bits}, which are set`;
  throw new EdgeflakeError("unused-bits", `${found}: choose another layout`);
}
