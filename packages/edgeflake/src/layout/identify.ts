import { exchange, readLines, wasm } from "../module/exchange.js";
import type { PresetName } from "../names.js";
import { integer, type Moment } from "../number.js";
import { known } from "../options.js";
import { columnsOf, type IdRows, type Ids, type Numbers, readable, rowsOf } from "../text/rows.js";
import { type Id, idOf } from "../text/text.js";
import type { DecodedId } from "./decoded.js";
import { Layout } from "./layout.js";

/** A possible source of an id. */
export type Candidate = SystemCandidate | UnixTimeCandidate;

interface CandidateBase {
  /** The name that people know. */
  title: string;
  /** Its likelihood among all candidates: the shares sum to 1. */
  share: number;
  /** Reasons for and against it, for people. */
  reasons: string;
  /** Its time of issue in Unix ms, if this is its source. */
  timestampMs: number;
  /** `timestampMs` as a `Date`. */
  date: Date;
}

/** A system that an id may come from. */
export interface SystemCandidate extends CandidateBase {
  /** The name that `Layout.preset` knows. */
  preset: PresetName;
  /** The id, decoded in this system's layout. */
  decoded: DecodedId;
}

/** A number that may be Unix time, between 2001-09-09 and now. */
export interface UnixTimeCandidate extends CandidateBase {
  preset: UnixTimeName;
  /** It has no layout. */
  decoded: undefined;
}

/** Unix time in s, ms, µs and ns. */
export type UnixTimeName = "unix-s" | "unix-ms" | "unix-us" | "unix-ns";

/** Many identified ids. All columns have the same length. */
export interface IdentifiedColumns {
  id: Ids;
  /** The likeliest source of each row; `undefined` of a refused row. */
  preset: (PresetName | UnixTimeName | undefined)[];
  /** Its likelihood among all candidates of the row, 0 to 1. */
  share: Numbers;
  /** The time of issue in Unix ms, if the id is of that source. */
  timestampMs: Numbers;
  /** The sources in `preset` with their numbers of rows, most rows first. */
  systems: { preset: PresetName | UnixTimeName; rows: number }[];
  /** The rows whose texts are no ids, ascending: 0n, `undefined` and NaN in the columns. */
  refused: ReturnType<Uint32ArrayConstructor["from"]>;
}

/** Number of ids from which the mixture is estimated; they are spread evenly over all ids. */
const SAMPLE = 256;

const layouts = new Map<string, Layout>();

let names: string[];

function sources() {
  names ??= readLines(wasm.sources());
  return names;
}

const isUnixTime = (name: string) => name.startsWith("unix-");

function layoutOf(preset: string) {
  const layout = layouts.get(preset) ?? Layout.preset(preset);
  layouts.set(preset, layout);
  return layout;
}

/** Estimates the weight of each source among these ids from a sample of them. */
function weightsOf(ids: BigUint64Array, nowMs: number): Numbers {
  const count = Math.min(SAMPLE, ids.length);
  const views = exchange();
  for (let i = 0; i < count; i++) views.ids[i] = ids[Math.floor((i * ids.length) / count)];
  wasm.mixture(count, nowMs);
  return exchange().numbers.slice(0, sources().length);
}

/** Estimates the weights for identifying the same ids: a single id has no neighbours. */
export function weightsTogether(ids: BigUint64Array, nowMs: number): Numbers {
  return weightsOf(ids.length > 1 ? ids : new BigUint64Array(), nowMs);
}

/**
 * Finds the possible sources of an id, the likeliest first: each preset that could have issued it,
 * and Unix time.
 *
 * Tweets from before 2022-09 are ids of Discord as well, and many other systems cut at the same
 * places. `around` are ids that were found together with it, which settle this.
 *
 * ```js
 * identify(1541815603606036480n, { around: [1585841080431321088n] })[0].preset; // "twitter"
 * ```
 *
 * @param options `around`: other ids of the same log or table; rows that are no ids are ignored.
 * `nowMs`: the moment at which the id was seen, now without it; an id is likeliest to be of the day
 * before, and never of later.
 * @throws {EdgeflakeError} `invalid-id`; `invalid-option` for an option of another name;
 * `invalid-number` for `nowMs`
 */
export function identify(
  id: Id,
  options: { around?: IdRows | undefined; nowMs?: Moment | undefined } = {},
): Candidate[] {
  const { around, nowMs = Date.now() } = known("identify", options, ["around", "nowMs"]);
  const whole = idOf(id);
  const now = integer("nowMs", nowMs);
  if (around === undefined) return candidatesOf(whole, now);
  const others = readable(rowsOf("around", around)).filter((other) => other !== whole);
  return candidatesOf(whole, now, weightsOf(others, now));
}

/**
 * Finds the candidates of an id, given the weight of each source. Without `weights`, the module
 * takes those of the ids that people ask about.
 */
export function candidatesOf(id: bigint, nowMs: number, weights?: Float64Array): Candidate[] {
  if (weights) exchange().numbers.set(weights);
  const lines = readLines(wasm.identify(id, nowMs, weights ? 1 : 0));
  const numbers = exchange().numbers.slice();
  return lines.map((line, i) => {
    const [name, title, reasons] = line.split("\t");
    // biome-ignore lint/suspicious/noExplicitAny: of the two kinds of candidates, it decides which
    const preset = name as any;
    const [share, timestampMs] = numbers.subarray(2 * i);
    const decoded = isUnixTime(name) ? undefined : layoutOf(name).decode(id);
    return { preset, title, share, reasons, timestampMs, date: new Date(timestampMs), decoded };
  });
}

/**
 * Finds the likeliest source of each of many ids, in columns, given that they were found together:
 * row i is of `ids[i]`, or of line i of a text. The frequency of each system is estimated from 256
 * ids, spread evenly.
 *
 * ```js
 * identifyMany("1541815603606036480\n1585841080431321088").preset; // ["twitter", "twitter"]
 * ```
 *
 * @param options `nowMs`: the moment at which the ids were seen, now without it
 * @throws {EdgeflakeError} `invalid-id` for a value without rows, and for a row that is neither
 * bigint nor text, nor a number up to 2^53 - 1; `invalid-option` for an option of another name
 */
export function identifyMany(
  ids: IdRows,
  options: { nowMs?: Moment | undefined } = {},
): IdentifiedColumns {
  const { nowMs = Date.now() } = known("identifyMany", options, ["nowMs"]);
  const now = integer("nowMs", nowMs);
  const rows = rowsOf("ids", ids);
  const weights = weightsTogether(readable(rows), now);
  const { preset, share, timestampMs } = likeliestOf(rows.ids, now, weights);
  for (const row of rows.unread) {
    preset[row] = undefined;
    share[row] = timestampMs[row] = NaN;
  }
  const counts = new Map<PresetName | UnixTimeName, number>();
  for (const name of preset) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const systems = Array.from(counts, ([preset, rows]) => ({ preset, rows }));
  systems.sort((a, b) => b.rows - a.rows);
  const refused = Uint32Array.from(rows.unread);
  return { id: rows.ids, preset, share, timestampMs, systems, refused };
}

/** Finds the likeliest source of each id, given the weight of each source. */
export function likeliestOf(
  ids: BigUint64Array,
  nowMs: number,
  weights: Float64Array,
): Pick<IdentifiedColumns, "preset" | "share" | "timestampMs"> {
  const [places, share, timestampMs] = columnsOf(ids, 3, (length) => {
    exchange().numbers.set(weights);
    wasm.identifyMany(length, nowMs);
  });
  const names = sources();
  const preset = Array.from(places, (place) => names[place]) as IdentifiedColumns["preset"];
  return { preset, share, timestampMs };
}

/** Returns the names that `Layout.preset` knows. */
export function presets(): string[] {
  return sources().filter((name) => !isUnixTime(name));
}
