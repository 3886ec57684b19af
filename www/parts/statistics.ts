// The statistics of many ids. A worker makes those of a long text.

import type { DecodedColumns } from "edgeflake";
import type { Reading } from "../read/read.ts";
import type { IdTable } from "../read/table.ts";

/** The largest number of gaps, nodes and pairs that are named. */
const NAMED_MAX = 12;

export interface Pairs {
  count: number;
  /** Some of them. */
  first: [row: number, other: number][];
}

interface Gap {
  fromMs: number;
  untilMs: number;
}

export interface Statistics {
  /** Of all ids, ascending, in Unix ms. */
  times: Float64Array;
  /** An id, and the first row with the same one. */
  duplicates: Pairs;
  /** An id that is smaller than the one before it, and the row before. */
  backwards: Pairs;
  busiest: { timestampMs: number; ids: number };
  /** The number of ticks that have an id. */
  ticks: number;
  /** The longest gaps, the longest first. */
  gaps: Gap[];
  /** The nodes with the most ids. */
  nodes: { node: number; ids: number }[];
  nodeCount: number;
}

/** `pairs` are those of the same ids, if they are known. */
export function statisticsOf(
  { id, timestampMs, node, refused }: DecodedColumns,
  pairs: Pick<Statistics, "duplicates" | "backwards"> = pairsOf(id),
): Statistics {
  const known = refused.length === 0 ? timestampMs : timestampMs.filter((ms) => !Number.isNaN(ms));
  // Most lists are in order, and sorting takes long.
  const isOrdered = known.every((ms, i) => i === 0 || ms >= known[i - 1]);
  const times = isOrdered ? known : known.slice().sort();
  const nodes = nodesOf(node);
  return {
    times,
    duplicates: pairs.duplicates,
    backwards: pairs.backwards,
    ...busiestOf(times),
    gaps: gapsOf(times),
    nodes: nodes.slice(0, NAMED_MAX),
    nodeCount: nodes.length,
  };
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

/** The lower and the upper 32 bits of each id, because a bigint for each of 200,000 takes long. */
function halvesOf({ buffer, byteOffset, length }: BigUint64Array) {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}

function compare(halves: Uint32Array, i: number, j: number) {
  return halves[2 * i + 1] - halves[2 * j + 1] || halves[2 * i] - halves[2 * j];
}

function gapsOf(times: Float64Array) {
  const gaps: Gap[] = [];
  let shortest = 0;
  for (let i = 1; i < times.length; i++) {
    const length = times[i] - times[i - 1];
    if (length <= shortest) continue;
    gaps.push({ fromMs: times[i - 1], untilMs: times[i] });
    if (gaps.length < NAMED_MAX * 2) continue;
    gaps.sort(longestFirst).length = NAMED_MAX;
    shortest = lengthOf(gaps[NAMED_MAX - 1]);
  }
  return gaps.sort(longestFirst).slice(0, NAMED_MAX);
}

function lengthOf({ fromMs, untilMs }: Gap) {
  return untilMs - fromMs;
}

function longestFirst(a: Gap, b: Gap) {
  return lengthOf(b) - lengthOf(a);
}

function busiestOf(times: Float64Array) {
  let busiest = { timestampMs: times[0] ?? NaN, ids: 0 };
  let ticks = 0;
  let start = 0;
  for (let i = 1; i <= times.length; i++) {
    if (i < times.length && times[i] === times[start]) continue;
    ticks += 1;
    if (i - start > busiest.ids) busiest = { timestampMs: times[start], ids: i - start };
    start = i;
  }
  return { busiest, ticks: times.length === 0 ? 0 : ticks };
}

function nodesOf(node: Float64Array) {
  const ids = new Map<number, number>();
  for (const one of node) if (!Number.isNaN(one)) ids.set(one, (ids.get(one) ?? 0) + 1);
  return [...ids]
    .map(([one, many]) => ({ node: one, ids: many }))
    .sort((a, b) => b.ids - a.ids || a.node - b.node);
}

/** Times of ids in Unix ms, both ends included. */
export interface Stretch {
  fromMs: number;
  untilMs: number;
}

interface LagSummary {
  count: number;
  least: number;
  median: number;
  most: number;
}

/** Returns `undefined` if no row has a lag. */
export function lagSummary(lags: Float64Array): LagSummary | undefined {
  const known = lags.filter((lag) => !Number.isNaN(lag));
  const { length: count } = known;
  if (count === 0) return undefined;
  let [least, most] = [known[0], known[0]];
  for (const lag of known) {
    least = Math.min(least, lag);
    most = Math.max(most, lag);
  }
  return { count, least, median: medianOf(known), most };
}

/** Returns the median by quickselect, because sorting 200,000 numbers takes long. It moves values. */
function medianOf(values: Float64Array) {
  const middle = Math.floor((values.length - 1) / 2);
  let [first, last] = [0, values.length - 1];
  while (first < last) {
    const pivot = values[Math.floor((first + last) / 2)];
    let [low, high] = [first, last];
    while (low <= high) {
      while (values[low] < pivot) low += 1;
      while (values[high] > pivot) high -= 1;
      if (low > high) break;
      const value = values[low];
      values[low] = values[high];
      values[high] = value;
      low += 1;
      high -= 1;
    }
    if (middle <= high) last = high;
    else if (middle >= low) first = low;
    else break;
  }
  return values[middle];
}

/** The ms from each id to the writing of its line. */
export interface Lags {
  lags: Float64Array;
  summary: LagSummary;
}

/** Returns `undefined` if no line has a time of day. */
export function lagsOf({ times, areDays }: Reading, { columns }: IdTable): Lags | undefined {
  // Dates that the layout does not have would shift the rows.
  if (!times || areDays || columns.id.length !== times.length) return undefined;
  const lags = columns.timestampMs.map((ms, row) => (times[row] ?? NaN) - ms);
  const summary = lagSummary(lags);
  return summary && { lags, summary };
}

/** The lags of the lines in one step of time. */
interface LagStep extends LagSummary {
  ms: number;
}

/**
 * Divides the times of the ids into `steps` steps. Returns the least, the median and the largest
 * lag of each step that has any, within a stretch of time if there is one.
 */
export function lagsOverTime(
  timestampMs: Float64Array,
  lags: Float64Array,
  steps: number,
  range?: Stretch,
): LagStep[] {
  const isOut = (row: number) =>
    Number.isNaN(lags[row]) ||
    (range && (timestampMs[row] < range.fromMs || timestampMs[row] > range.untilMs));
  let [first, last] = [Infinity, -Infinity];
  for (let row = 0; row < lags.length; row++) {
    if (isOut(row)) continue;
    first = Math.min(first, timestampMs[row]);
    last = Math.max(last, timestampMs[row]);
  }
  const width = Math.max(1, (last - first + 1) / steps);
  const found: number[][] = [];
  for (let row = 0; row < lags.length; row++) {
    if (isOut(row)) continue;
    const step = Math.floor((timestampMs[row] - first) / width);
    found[step] ??= [];
    found[step].push(lags[row]);
  }
  const all: LagStep[] = [];
  found.forEach((some, step) => {
    const summary = lagSummary(Float64Array.from(some));
    if (summary) all.push({ ms: Math.floor(first + step * width), ...summary });
  });
  return all;
}

/**
 * Returns the lag from which a line counts as late: ten times the median lag, but at least 1 s, rounded
 * up to 1, 2 or 5 times a power of ten.
 */
export function lateFrom(median: number): number {
  const most = Math.max(1000, median * 10);
  const ten = 10 ** Math.floor(Math.log10(most));
  return ten * ([1, 2, 5, 10].find((one) => one * ten >= most) ?? 10);
}

/**
 * Returns the rows of a stretch of time, with a lag of more than `lateMs`; `undefined` if all rows
 * are meant.
 */
export function rowsWithin(
  timestampMs: Float64Array,
  lags: Float64Array | undefined,
  stretch: Stretch | undefined,
  lateMs: number | undefined,
): Uint32Array | undefined {
  if (stretch === undefined && lateMs === undefined) return undefined;
  const rows: number[] = [];
  for (const [row, ms] of timestampMs.entries()) {
    if (stretch && !(ms >= stretch.fromMs && ms <= stretch.untilMs)) continue;
    if (lateMs !== undefined && !((lags?.[row] ?? NaN) > lateMs)) continue;
    rows.push(row);
  }
  return Uint32Array.from(rows);
}
