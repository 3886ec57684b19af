// The statistics of many ids, and the ids with their decoded values as CSV.

import type { DecodedColumns } from "edgeflake";
import { iso } from "../ui/words.ts";

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

export function statisticsOf({ id, timestampMs, node, refused }: DecodedColumns): Statistics {
  const known = refused.length === 0 ? timestampMs : timestampMs.filter((ms) => !Number.isNaN(ms));
  // Most lists are in order, and sorting takes long.
  const isOrdered = known.every((ms, i) => i === 0 || ms >= known[i - 1]);
  const times = isOrdered ? known : known.slice().sort();
  const nodes = nodesOf(node);
  return {
    times,
    ...pairsOf(id),
    ...busiestOf(times),
    gaps: gapsOf(times),
    nodes: nodes.slice(0, NAMED_MAX),
    nodeCount: nodes.length,
  };
}

function pairsOf(ids: BigUint64Array): { duplicates: Pairs; backwards: Pairs } {
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
  const known = lags.filter((lag) => !Number.isNaN(lag)).sort();
  const { length: count } = known;
  if (count === 0) return undefined;
  const median = known[Math.floor((count - 1) / 2)];
  return { count, least: known[0], median, most: known[count - 1] };
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

/**
 * The number of rows of one part. The file is in parts, because one text of all rows would be held
 * twice.
 */
const PART = 10_000;

/** The columns of a file, in this order. */
export const CSV_COLUMNS = [
  "line",
  "id",
  "date",
  "unix_ms",
  "node",
  "sequence",
  "tag",
  "logged_after_ms",
] as const;

type CsvColumn = (typeof CSV_COLUMNS)[number];

interface CsvRows {
  columns: DecodedColumns;
  /** The line of each row in the paste. */
  lines: ArrayLike<number>;
  /** The ms from each id to the writing of its line. */
  lags: Float64Array | undefined;
  /** The rows to write; all of them without it. */
  rows?: Uint32Array | undefined;
  /** One of the columns; empty for all of them. */
  only?: string;
}

/** Returns the file in parts. An id that the layout refuses has no fields. */
export function csvOf({ columns, lines, lags, rows, only = "" }: CsvRows): string[] {
  const { id, timestampMs, node, sequence, tag } = columns;
  const fits = (row: number) => !Number.isNaN(timestampMs[row]);
  const cells: Record<CsvColumn, (row: number) => string | number | bigint | undefined> = {
    line: (row) => lines[row],
    id: (row) => id[row],
    date: (row) => (fits(row) ? iso(timestampMs[row] ?? NaN) : ""),
    unix_ms: (row) => (fits(row) ? timestampMs[row] : ""),
    node: (row) => (fits(row) ? node[row] : ""),
    sequence: (row) => (fits(row) ? sequence[row] : ""),
    tag: (row) => (fits(row) ? tag[row] : ""),
    logged_after_ms: (row) => (lags && !Number.isNaN(lags[row]) ? lags[row] : ""),
  };
  const names = CSV_COLUMNS.filter((name) =>
    only === "" ? lags || name !== "logged_after_ms" : name === only,
  );
  const wanted = names.map((name) => cells[name]);
  const parts = [`${names.join(",")}\n`];
  const count = rows?.length ?? id.length;
  for (let from = 0; from < count; from += PART) {
    const written = [];
    for (let i = from; i < Math.min(from + PART, count); i++) {
      const row = rows?.[i] ?? i;
      written.push(`${wanted.map((cell) => cell(row)).join(",")}\n`);
    }
    parts.push(written.join(""));
  }
  return parts;
}
