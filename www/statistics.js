// The statistics of many ids.

/** @import { DecodedColumns } from "edgeflake" */

/** The largest number of gaps, nodes and pairs that are named. */
const NAMED_MAX = 12;

/**
 * @typedef {object} Pairs
 * @property {number} count
 * @property {[row: number, other: number][]} first some of them
 */

/**
 * @typedef {object} Statistics
 * @property {Float64Array} times of all ids, ascending, in Unix ms
 * @property {Pairs} duplicates an id, and the first row with the same one
 * @property {Pairs} backwards an id that is smaller than the one before it, and the row before
 * @property {{ timestampMs: number, ids: number }} busiest
 * @property {number} ticks number of ticks that have an id
 * @property {{ fromMs: number, untilMs: number }[]} gaps the longest gaps, the longest first
 * @property {{ node: number, ids: number }[]} nodes the nodes with the most ids
 * @property {number} nodeCount
 */

/**
 * @param {DecodedColumns} columns
 * @returns {Statistics}
 */
export function statisticsOf({ id, timestampMs, node }) {
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

/** @param {BigUint64Array} ids @returns {Pairs} */
function duplicatesOf(ids) {
  const sorted = ids.slice().sort();
  let count = 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) count += 1;
  /** @type {Pairs["first"]} */
  const first = [];
  /** @type {Map<bigint, number>} */
  const rows = new Map();
  for (let i = 0; first.length < Math.min(count, NAMED_MAX); i++) {
    const before = rows.get(ids[i]);
    if (before === undefined) rows.set(ids[i], i);
    else first.push([i, before]);
  }
  return { count, first };
}

/** @param {BigUint64Array} ids @returns {Pairs} */
function backwardsOf(ids) {
  let count = 0;
  /** @type {Pairs["first"]} */
  const first = [];
  for (let i = 1; i < ids.length; i++) {
    if (ids[i] >= ids[i - 1]) continue;
    count += 1;
    if (first.length < NAMED_MAX) first.push([i, i - 1]);
  }
  return { count, first };
}

/** @param {Float64Array} times */
function gapsOf(times) {
  /** @type {{ fromMs: number, untilMs: number }[]} */
  const gaps = [];
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

/** @param {{ fromMs: number, untilMs: number }} gap */
function lengthOf({ fromMs, untilMs }) {
  return untilMs - fromMs;
}

/**
 * @param {{ fromMs: number, untilMs: number }} a
 * @param {{ fromMs: number, untilMs: number }} b
 */
function longestFirst(a, b) {
  return lengthOf(b) - lengthOf(a);
}

/** @param {Float64Array} times */
function busiestOf(times) {
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

/** @param {Float64Array} node */
function nodesOf(node) {
  /** @type {Map<number, number>} */
  const ids = new Map();
  for (const one of node) if (!Number.isNaN(one)) ids.set(one, (ids.get(one) ?? 0) + 1);
  return [...ids]
    .map(([one, many]) => ({ node: one, ids: many }))
    .sort((a, b) => b.ids - a.ids || a.node - b.node);
}
