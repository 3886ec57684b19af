import { exchange, readLines, wasm } from "./exchange.js";
import { Layout } from "./layout.js";
import { integer } from "./number.js";
import { known } from "./options.js";
import { columnsOf, rowsOf } from "./rows.js";
import { idOf } from "./text.js";

/** @import { Candidate, Id, IdentifiedColumns, Moment } from "edgeflake" */

/** Ids of which a mixture is made, spread evenly over all that are given. */
const SAMPLE = 256;

/** The layouts of the systems found so far. @type {Map<string, Layout>} */
const layouts = new Map();

/** The names of the presets, then those of the units of Unix time. @type {string[]} */
let names;

function sources() {
  names ??= readLines(wasm.sources());
  return names;
}

/** @param {string} name */
const isUnixTime = (name) => name.startsWith("unix-");

/** @param {string} preset */
function layoutOf(preset) {
  let layout = layouts.get(preset);
  if (layout === undefined) {
    layout = Layout.preset(preset);
    layouts.set(preset, layout);
  }
  return layout;
}

/**
 * How much each source weighs among these ids; found from a sample of them.
 *
 * @param {BigUint64Array} ids
 * @param {number} nowMs
 */
export function weightsOf(ids, nowMs) {
  const count = Math.min(SAMPLE, ids.length);
  const views = exchange();
  for (let i = 0; i < count; i++) views.ids[i] = ids[Math.floor((i * ids.length) / count)];
  wasm.mixture(count, nowMs);
  return exchange().numbers.slice(0, sources().length);
}

/**
 * The same of ids that are identified with it: one that stands alone says nothing of itself.
 *
 * @param {BigUint64Array} ids
 * @param {number} nowMs
 */
export function weightsTogether(ids, nowMs) {
  return weightsOf(ids.length > 1 ? ids : new BigUint64Array(), nowMs);
}

/**
 * @param {Id} id
 * @param {{ around?: BigUint64Array | readonly Id[] | string, nowMs?: Moment }} [options]
 */
export function identify(id, options = {}) {
  const { around, nowMs = Date.now() } = known("identify", options, ["around", "nowMs"]);
  const whole = idOf(id);
  const now = integer("nowMs", nowMs);
  if (around === undefined) return candidatesOf(whole, now);
  const others = readable(rowsOf("around", around)).filter((other) => other !== whole);
  return candidatesOf(whole, now, weightsOf(others, now));
}

/**
 * What an id may be, where each source weighs so much.
 *
 * @param {bigint} id
 * @param {number} nowMs
 * @param {Float64Array} [weights] those of the ids that people ask about without it
 * @returns {Candidate[]}
 */
export function candidatesOf(id, nowMs, weights) {
  if (weights) exchange().numbers.set(weights);
  const lines = readLines(wasm.identify(id, nowMs, weights ? 1 : 0));
  const numbers = exchange().numbers.slice();
  return lines.map((line, i) => {
    const [name, title, reasons] = line.split("\t");
    const preset = /** @type {any} */ (name);
    const [share, timestampMs] = numbers.subarray(2 * i);
    const decoded = isUnixTime(name) ? undefined : layoutOf(name).decode(id);
    return { preset, title, share, reasons, timestampMs, date: new Date(timestampMs), decoded };
  });
}

/**
 * @param {BigUint64Array | readonly Id[] | string} ids
 * @param {{ nowMs?: Moment }} [options]
 * @returns {IdentifiedColumns}
 */
export function identifyMany(ids, options = {}) {
  const { nowMs = Date.now() } = known("identifyMany", options, ["nowMs"]);
  const now = integer("nowMs", nowMs);
  const rows = rowsOf("ids", ids);
  const weights = weightsTogether(readable(rows), now);
  const { preset, share, timestampMs } = likeliestOf(rows.ids, now, weights);
  for (const row of rows.unread) {
    preset[row] = undefined;
    share[row] = timestampMs[row] = NaN;
  }
  /** @type {Map<any, number>} */
  const counts = new Map();
  for (const name of preset) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const systems = Array.from(counts, ([preset, rows]) => ({ preset, rows }));
  systems.sort((a, b) => b.rows - a.rows);
  return {
    id: rows.ids,
    preset,
    share,
    timestampMs,
    systems,
    refused: Uint32Array.from(rows.unread),
  };
}

/**
 * What each id most likely is, where each source weighs so much.
 *
 * @param {BigUint64Array} ids
 * @param {number} nowMs
 * @param {Float64Array} weights
 */
export function likeliestOf(ids, nowMs, weights) {
  const [places, share, timestampMs] = columnsOf(ids, 3, (length) => {
    exchange().numbers.set(weights);
    wasm.identifyMany(length, nowMs);
  });
  const names = sources();
  /** @type {any[]} */
  const preset = Array.from(places, (place) => names[place]);
  return { preset, share, timestampMs };
}

/**
 * The ids of the rows that are some.
 *
 * @param {ReturnType<typeof rowsOf>} rows
 */
function readable({ ids, unread }) {
  if (unread.length === 0) return ids;
  const refused = new Set(unread);
  return ids.filter((_, row) => !refused.has(row));
}

export function presets() {
  return sources().filter((name) => !isUnixTime(name));
}
