// Compares the ids that a new layout will have with the ids that an old system has issued: whether
// every new id is larger than every old id, and whether a new id may equal an old one.

import { EdgeflakeError } from "../error.js";
import { joined } from "../halves.js";
import { type Field, placesOf } from "../layout/fields.js";
import { Layout } from "../layout/layout.js";

/** Default of `aheadMs`, in ms. Hazelcast issues ids this far ahead of its clock by default. */
const AHEAD_MS = 15_000;

/** Tick lengths, in ms, that are tried when the old layout must be found from ids. */
const TICKS_MS = [1, 10, 100, 1_000];

/** Largest number of bits below the timestamp that is tried when the old layout must be found. */
const LOW_BITS_MAX = 40;

/** The given time of an old id may be this many ms, plus `aheadMs`, before the id's timestamp. */
const TOLERANCE_MS = 2_000;

/** Largest error of given times, as a fraction of the time between the first and the last id. */
const TOLERANCE_SHARE = 0.01;

/**
 * A layout can be found from at least `FOUND_FROM` ids with times, if the last of these times is at
 * least `FOUND_OVER_MS` after the first.
 */
const FOUND_FROM = 3;
const FOUND_OVER_MS = 3_600_000;

const DAY_MS = 86_400_000;

/** An old id. `timestampMs` is the time of issue in Unix ms, if you know this time. */
export interface OldId {
  id: bigint;
  timestampMs?: number | undefined;
}

export type MigrationReport = ReturnType<typeof compare>;

/**
 * Compares the ids that a new layout will have with the ids that an old system has issued.
 *
 * @param given the layout of the old ids. Default: a layout that is found from the `ids` that have
 * times, with all bits below the timestamp in one field
 * @param to the layout of the new ids
 * @param ids some old ids; all ids of the old layout up to `atMs` plus `aheadMs` also count as
 * issued
 * @param atMs when the new system begins to issue ids, in Unix ms
 * @param aheadMs how far old ids may be ahead of the old system's clock, in ms
 * @throws {EdgeflakeError} `invalid-option` if the old layout is neither given nor can be found, if
 * an id and its time disagree, or if a layout has no ids for the time of the change; `unused-bits`
 * if an id does not fit the old layout; `not-sorted-by-time` if a layout has a field above its
 * timestamp
 */
export function compare(
  given: Layout | undefined,
  to: Layout,
  ids: OldId[],
  atMs = Date.now(),
  aheadMs = AHEAD_MS,
) {
  const from = given ?? foundFrom(ids, aheadMs);
  for (const old of ids) requireOf(from, old, aheadMs);
  const lastMs = Math.min(atMs + aheadMs, from.info().expiresAt.getTime() - from.tickMs);
  if (lastMs < from.epochMs) {
    throw refused(
      `the old layout begins at ${iso(from.epochMs)}, after the new system takes over: give another --from, or a later --at`,
    );
  }
  const largestOld = ids.reduce(
    (largest, { id }) => (id > largest ? id : largest),
    idsAt(from, lastMs).max,
  );
  const firstMs = Math.max(atMs, to.epochMs);
  const { expiresAt: until, fitsSignedUntil: positiveUntil, largestId } = to.info();
  if (firstMs >= until.getTime()) {
    throw refused(
      `the new layout ends at ${until.toISOString()}, before the new system takes over: give another --to, or an earlier --at`,
    );
  }
  const smallestNew = idsAt(to, firstMs).min;
  /** The time from which on all new ids are larger than every old id. */
  const aboveFrom = firstAbove(to, largestOld, firstMs);
  // Accept a start that is up to `aheadMs` later, because old ids may be this far ahead of the
  // clock.
  const isAbove = aboveFrom !== undefined && aboveFrom.getTime() <= firstMs + aheadMs + to.tickMs;
  const id = isAbove ? undefined : firstCommon(smallestNew, unusedBits(from) | unusedBits(to));
  const meets = id !== undefined && id <= largestOld && id <= largestId;
  /**
   * Describes the old ids that new ids may equal: `id` is the smallest of them, `from` and `until`
   * are the times of the first and the last, and `given` is the number of given ids among them.
   */
  const repeated = meets
    ? {
        id,
        from: from.decode(id).date,
        until: new Date(Math.min(lastMs, from.decode(largestOld).timestampMs)),
        given: ids.filter((old) => isOf(to, old.id) && old.id >= smallestNew).length,
      }
    : undefined;
  const remedies: string[] = [];
  if (!isAbove) {
    remedies.push(...layoutRemedy(from, to, largestOld, aboveFrom, firstMs, aheadMs));
    if (repeated) remedies.push("store the new ids in another column, or in another table");
    else remedies.push("sort by another column than the id");
  }
  const report = { from, largestOld, smallestNew, aboveFrom, isAbove, repeated };
  return { ...report, until, positiveUntil, remedies };
}

/**
 * Proposes a later start, or a layout whose ids are above the old ids. Returns an empty array if
 * neither is possible.
 */
function layoutRemedy(
  from: Layout,
  to: Layout,
  largestOld: bigint,
  aboveFrom: Date | undefined,
  firstMs: number,
  aheadMs: number,
) {
  if (aboveFrom !== undefined && aboveFrom.getTime() - firstMs <= DAY_MS) {
    return [`issue no new id before ${aboveFrom.toISOString()}`];
  }
  const { fields, tickMs } = to;
  const startMs = firstMs + aheadMs + tickMs;
  const start = { largest: largestOld, startMs, oldEpochMs: from.epochMs };
  const above =
    layoutAbove(fields, tickMs, start) ?? layoutAbove(withSignBit(fields), tickMs, start);
  if (!above) return [];
  const epoch = above.epochMs === from.epochMs ? "keep the old epoch" : "set an earlier epoch";
  const isPositive = above.info().fitsSignedUntil > new Date(startMs);
  return [`${epoch}${isPositive ? "" : ", in an unsigned column"}: "${above}"`];
}

/**
 * Returns a layout that has the given fields, and whose ids from `startMs` on are larger than
 * `largest`. The layout's epoch is the old epoch if the old epoch is early enough, and otherwise
 * the latest epoch that is early enough. Returns undefined if there is no such layout, or if it
 * would end within a day of `startMs`.
 */
function layoutAbove(
  fields: readonly Field[],
  tickMs: number,
  { largest, startMs, oldEpochMs }: { largest: bigint; startMs: number; oldEpochMs: number },
) {
  const since0 = new Layout({ fields, epochMs: 0, tickMs });
  if (largest > since0.info().largestId) return undefined;
  const ticksMs = since0.decode(largest & ~unusedBits(since0)).timestampMs + tickMs;
  if (ticksMs > startMs) return undefined;
  const layout = new Layout({ fields, epochMs: Math.min(oldEpochMs, startMs - ticksMs), tickMs });
  return layout.info().expiresAt.getTime() > startMs + DAY_MS ? layout : undefined;
}

/** Adds the sign bit to the timestamp if the bit is unused; otherwise returns the same fields. */
function withSignBit(fields: readonly Field[]) {
  const [top, timestamp, ...rest] = fields;
  if (top.role !== "unused" || top.bits !== 1 || timestamp.role !== "timestamp") return fields;
  return [{ ...timestamp, bits: timestamp.bits + 1 }, ...rest];
}

/** Returns the smallest and the largest id of the tick at the time `ms`. */
function idsAt(layout: Layout, ms: number) {
  const tick = Math.floor((ms - layout.epochMs) / layout.tickMs);
  const startMs = layout.epochMs + tick * layout.tickMs;
  return layout.range(startMs, startMs + layout.tickMs);
}

/** Returns the first time from `firstMs` on at which all ids are larger than `id`. */
function firstAbove(layout: Layout, id: bigint, firstMs: number) {
  const ticks = Math.floor((layout.info().expiresAt.getTime() - layout.epochMs) / layout.tickMs);
  const startMs = (tick: number) => layout.epochMs + tick * layout.tickMs;
  let [low, high] = [Math.floor((firstMs - layout.epochMs) / layout.tickMs), ticks];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (idsAt(layout, startMs(middle)).min > id) high = middle;
    else low = middle + 1;
  }
  return low < ticks ? new Date(startMs(low)) : undefined;
}

/** Returns a mask of the bits that are 0 in every id of a layout. */
function unusedBits(layout: Layout) {
  const { unusedLow, unusedHigh } = placesOf(layout.fields);
  return joined(unusedLow, unusedHigh);
}

/** Returns the smallest number from `least` on in which all bits of the mask `without` are 0. */
function firstCommon(least: bigint, without: bigint) {
  let value = least;
  while ((value & without) !== 0n) {
    // Clears the highest bit that must be 0, by a carry into the bit above it.
    const highest = 1n << BigInt((value & without).toString(2).length - 1);
    value = (value | (highest - 1n)) + 1n;
  }
  return value;
}

/** Finds the layout of ids whose times are known. All bits below the timestamp are one field. */
function foundFrom(ids: readonly OldId[], aheadMs: number) {
  const timed = ids.filter(({ timestampMs }) => timestampMs !== undefined);
  const times = timed.map(({ timestampMs }) => Number(timestampMs));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (timed.length < FOUND_FROM || last - first < FOUND_OVER_MS) {
    throw refused(
      `--from is missing, and ${timed.length} ids have times: give --from, or ` +
        `at least ${FOUND_FROM} ids with their times, the first and the last an hour apart`,
    );
  }
  const tolerance = Math.min(aheadMs + TOLERANCE_MS, (last - first) * TOLERANCE_SHARE);
  let best: { spread: number; lowBits: number; tickMs: number; epochMs: number } | undefined;
  for (let lowBits = 0; lowBits <= LOW_BITS_MAX; lowBits++) {
    for (const tickMs of TICKS_MS) {
      const epochs = timed.map(
        ({ id }, index) => times[index] - Number(id >> BigInt(lowBits)) * tickMs,
      );
      const [least, most] = [Math.min(...epochs), Math.max(...epochs)];
      const spread = most - least;
      // The time of an id is noted after its issue, so the earliest epoch is closest to the true
      // epoch.
      if (spread < (best?.spread ?? tolerance)) best = { spread, lowBits, tickMs, epochMs: least };
    }
  }
  if (best === undefined) {
    throw refused(
      "the times beside the ids do not match their bits: correct the times, or give --from if the ids contain a time",
    );
  }
  const { lowBits, tickMs, epochMs } = best;
  const fields: Field[] = [
    { name: "unused", bits: 1, role: "unused" },
    { name: "timestamp", bits: 63 - lowBits, role: "timestamp" },
  ];
  if (lowBits > 0) fields.push({ name: "node", bits: lowBits, role: "node" });
  return new Layout({ fields, epochMs: epochMs, tickMs });
}

/** Returns whether an id can come from a layout. */
function isOf(layout: Layout, id: bigint) {
  return id <= layout.info().largestId && (id & unusedBits(layout)) === 0n;
}

/** Throws if an id does not fit the old layout, or if its given time contradicts its timestamp. */
function requireOf(from: Layout, { id, timestampMs }: OldId, aheadMs: number) {
  const found = from.decode(id);
  if (timestampMs === undefined) return;
  const offMs = timestampMs - found.timestampMs;
  if (offMs >= -aheadMs - TOLERANCE_MS && offMs <= DAY_MS) return;
  throw refused(
    `the old layout says ${found.date.toISOString()} for ${id}, but the time beside it is ${iso(timestampMs)}: ` +
      "correct the times (are they UTC?) or --from; without --from, the layout is found from these times",
  );
}

function iso(ms: number) {
  return new Date(ms).toISOString();
}

function refused(message: string) {
  return new EdgeflakeError("invalid-option", message);
}
