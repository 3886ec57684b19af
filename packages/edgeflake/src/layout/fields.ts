// Reads an id as two halves of 32 bits, which are numbers, because passing a bigint to the module
// takes longer than all that this does. tests/package/translated.test.js compares it with the
// module.

/** The purpose of a field. */
export type Role = "unused" | "timestamp" | "node" | "sequence" | "tag";

/** One field of a layout. */
export interface Field {
  /** 1 to 24 of `a-z A-Z 0-9 - _`; no two fields of a layout have the same. */
  name: string;
  /** The field's width. */
  bits: number;
  role: Role;
}

/** One field of an id. */
export interface FieldValue extends Field {
  value: number;
}

const whole = new BigUint64Array(1);

/** The low 32 bits of the last id that was split, then the high ones. */
export const halves: Uint32Array = new Uint32Array(whole.buffer);

export function split(id: bigint) {
  whole[0] = id;
}

/** Returns how to read the bits from one up to before another; the least significant bit is 0. */
function runOf(from: number, until: number) {
  // It shifts because old presets of Babel and swc make `Math.pow` of `**`, which takes no bigint.
  split((1n << BigInt(until)) - (1n << BigInt(from)));
  return {
    lowMask: halves[0],
    // A shift of a number takes its width modulo 32.
    lowShift: from,
    highMask: halves[1],
    highShift: Math.max(0, from - 32),
    highOne: 2 ** Math.max(0, 32 - from),
  };
}

/** Reads the number in these bits, which are at most 53. */
export function valueIn(
  { lowMask, lowShift, highMask, highShift, highOne }: ReturnType<typeof runOf>,
  low: number,
  high: number,
) {
  return ((high & highMask) >>> highShift) * highOne + ((low & lowMask) >>> lowShift);
}

/**
 * Finds the places of a layout's fields in an id, and of its parts, each of which has one or more
 * fields. `areAdjacent` says whether the fields of each part are adjacent: only then is a part one
 * run.
 */
export function placesOf({
  fields,
  epochMs,
  tickMs,
}: {
  readonly fields: readonly Field[];
  readonly epochMs: number;
  readonly tickMs: number;
}) {
  const parts: Partial<Record<Role, { from: number; until: number }>> = {};
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
  const partOf = (role: Role) => runOf(parts[role]?.from ?? 0, parts[role]?.until ?? 0);
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
