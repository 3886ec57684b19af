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

export function statisticsOf({ id, timestampMs, node }: DecodedColumns): Statistics {
  const times = timestampMs.filter((ms) => !Number.isNaN(ms)).sort();
  const gaps = gapsOf(times);
  const { busiest, ticks } = busiestOf(times);
  const nodes = nodesOf(node);
  return {
    times,
    duplicates: duplicatesOf(id),
    backwards: backwardsOf(id),
    busiest,
    ticks,
    gaps,
    nodes: nodes.slice(0, NAMED_MAX),
    nodeCount: nodes.length,
  };
}

function duplicatesOf(ids: BigUint64Array): Pairs {
  const sorted = isAscending(ids) ? ids : ids.slice().sort();
  let count = 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) count += 1;
  const first: Pairs["first"] = [];
  const rows = new Map<bigint, number>();
  for (let i = 0; first.length < Math.min(count, NAMED_MAX); i++) {
    const before = rows.get(ids[i]);
    if (before === undefined) rows.set(ids[i], i);
    else first.push([i, before]);
  }
  return { count, first };
}

/** Most lists are, and sorting takes long. */
function isAscending(ids: BigUint64Array) {
  for (let i = 1; i < ids.length; i++) if ((ids[i] ?? 0n) < (ids[i - 1] ?? 0n)) return false;
  return true;
}

function backwardsOf(ids: BigUint64Array): Pairs {
  let count = 0;
  const first: Pairs["first"] = [];
  for (let i = 1; i < ids.length; i++) {
    if (ids[i] >= ids[i - 1]) continue;
    count += 1;
    if (first.length < NAMED_MAX) first.push([i, i - 1]);
  }
  return { count, first };
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

/** Returns `undefined` if no row has a lag. */
export function lagSummary(lags: Float64Array) {
  const known = lags.filter((lag) => !Number.isNaN(lag)).sort();
  if (known.length === 0) return undefined;
  return {
    count: known.length,
    least: known[0],
    median: known[Math.floor((known.length - 1) / 2)],
    most: known[known.length - 1],
  };
}

/** The lags of the lines in one step of time. */
export interface LagStep {
  ms: number;
  lines: number;
  least: number;
  median: number;
  most: number;
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
    some.sort((a, b) => a - b);
    const median = some[Math.floor((some.length - 1) / 2)];
    const [least, most] = [some[0], some[some.length - 1]];
    all.push({ ms: Math.floor(first + step * width), lines: some.length, least, median, most });
  });
  return all;
}

/**
 * Returns the lag from which a line counts as late: ten times the median, but at least 1 s, rounded
 * up to 1, 2 or 5 times a power of ten.
 */
export function lateFrom(lags: Float64Array): number {
  const most = Math.max(1000, (lagSummary(lags)?.median ?? 0) * 10);
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
