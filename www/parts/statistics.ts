// The statistics of many ids.

import type { DecodedColumns } from "edgeflake";

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
  const sorted = ids.slice().sort();
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
