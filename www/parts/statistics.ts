// Statistics of many ids. For a long text, a worker computes them.

import type { DecodedColumns } from "edgeflake";
import type { Reading } from "../read/read.ts";
import type { IdTable } from "../read/table.ts";

/** The largest number of duplicates, and of ids out of order, that are listed. */
const NAMED_MAX = 12;

export interface Pairs {
  count: number;
  /** The pairs that are listed, at most `NAMED_MAX`. */
  first: [row: number, other: number][];
}

export interface Statistics {
  /** The times of all ids in Unix ms, ascending. */
  times: Float64Array;
  /** Each pair is a row with an id, and the first row with the same id. */
  duplicates: Pairs;
  /** Each pair is a row whose id is smaller than the id before it, and the row of that id. */
  backwards: Pairs;
  nodeCount: number;
}

/** If an earlier call had the same ids, `pairs` are the pairs that it found. */
export function statisticsOf(
  { id, timestampMs, node, refused }: DecodedColumns,
  pairs: Pick<Statistics, "duplicates" | "backwards"> = pairsOf(id),
): Statistics {
  const known = refused.length === 0 ? timestampMs : timestampMs.filter((ms) => !Number.isNaN(ms));
  // Most lists are already in order, and sorting is slow.
  const isOrdered = known.every((ms, i) => i === 0 || ms >= known[i - 1]);
  const times = isOrdered ? known : known.slice().sort();
  const nodes = new Set(node);
  nodes.delete(NaN);
  return { ...pairs, times, nodeCount: nodes.size };
}

function pairsOf(ids: BigUint64Array) {
  const backwards: Pairs = { count: 0, first: [] };
  const halves = halvesOf(ids);
  for (let i = 1; i < ids.length; i++) {
    if (compare(halves, i, i - 1) >= 0) continue;
    backwards.count += 1;
    if (backwards.first.length < NAMED_MAX) backwards.first.push([i, i - 1]);
  }
  const sorted = backwards.count === 0 ? halves : halvesOf(ids.slice().sort());
  const duplicates: Pairs = { count: 0, first: [] };
  for (let i = 1; i < ids.length; i++) {
    if (compare(sorted, i, i - 1) === 0) duplicates.count += 1;
  }
  const rows = new Map<bigint, number>();
  for (let i = 0; duplicates.first.length < Math.min(duplicates.count, NAMED_MAX); i++) {
    const before = rows.get(ids[i]);
    if (before === undefined) rows.set(ids[i], i);
    else duplicates.first.push([i, before]);
  }
  return { duplicates, backwards };
}

/** Returns the lower and upper 32 bits of each id, because 200,000 bigints would be slow. */
function halvesOf({ buffer, byteOffset, length }: BigUint64Array) {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}

function compare(halves: Uint32Array, i: number, j: number) {
  return halves[2 * i + 1] - halves[2 * j + 1] || halves[2 * i] - halves[2 * j];
}

/** A range of time in Unix ms, which includes both ends. */
export interface Stretch {
  fromMs: number;
  untilMs: number;
}

/** The largest number of lags from which the median is computed. */
const SAMPLE_MAX = 2000;

/** The time in ms from each id to the moment at which its line was written. */
export interface Lags {
  lags: Float64Array;
  least: number;
  /** The median lag of some of the lines, because sorting 200,000 lags is slow. */
  median: number;
  most: number;
}

/** Returns `undefined` if no line has a time of day. */
export function lagsOf({ times, areDays }: Reading, { columns }: IdTable): Lags | undefined {
  // The table omits dates that the layout cannot have, so later rows would get other lines' times.
  if (!times || areDays || columns.id.length !== times.length) return undefined;
  const lags = times.map((ms, row) => ms - columns.timestampMs[row]);
  const known = lags.filter((lag) => !Number.isNaN(lag));
  if (known.length === 0) return undefined;
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  const step = Math.ceil(known.length / SAMPLE_MAX);
  const sample = known.filter((_, i) => i % step === 0).sort();
  const median = sample[Math.floor((sample.length - 1) / 2)];
  return { lags, least, median, most };
}

/** Returns the rows of a range of time. */
export function rowsWithin(timestampMs: Float64Array, { fromMs, untilMs }: Stretch): Uint32Array {
  const isWithin = (row: number) => timestampMs[row] >= fromMs && timestampMs[row] <= untilMs;
  return Uint32Array.from(timestampMs.keys()).filter(isWithin);
}
