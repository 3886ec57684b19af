import { exchange, readLines, wasm } from "../module/exchange.js";
import type { PresetName } from "../names.js";
import { integer, known, type Moment } from "../options.js";
import { columnsOf, type IdRows, type Ids, type Numbers, readable, rowsOf } from "../text/rows.js";
import { type Id, idOf } from "../text/text.js";
import type { DecodedId } from "./decoded.js";
import { Layout } from "./layout.js";

/** A possible source of an id: a system that may have issued it, or Unix time. */
export interface Candidate {
  /** A name for `Layout.preset` or, for times since 2001-09-09, a unit of Unix time. */
  preset: PresetName | UnixTimeName;
  /** Name of the source, for people. */
  title: string;
  /** Probability of this source. The shares of all sources and of unknown systems sum to 1. */
  share: number;
  /** Reasons for and against this source, for people. */
  reasons: string;
  /** The time of issue in Unix ms, if the id comes from this source. */
  timestampMs: number;
  date: Date;
  /** The id, decoded in the source's layout; undefined for Unix time, which has no layout. */
  decoded: DecodedId | undefined;
}

/** Names of Unix time in s, ms, µs and ns. */
export type UnixTimeName = "unix-s" | "unix-ms" | "unix-us" | "unix-ns";

/** The likeliest sources of many ids, in columns of the same length. */
export interface IdentifiedColumns {
  id: Ids;
  /** The likeliest source of each row's id; `undefined` for a refused row. */
  preset: (Candidate["preset"] | undefined)[];
  /** Probability of each row's date: the sum of the shares of all sources that give this date. */
  share: Numbers;
  /** Time of issue in Unix ms, if the id comes from the source in `preset`. */
  timestampMs: Numbers;
  /** Each source in `preset` with its number of rows, the most frequent source first. */
  systems: { preset: Candidate["preset"]; rows: number }[];
  /**
   * The indices of the rows that are not ids, ascending. Their `id` is 0n, their `preset` is
   * `undefined`, and their other columns are NaN.
   */
  refused: ReturnType<Uint32ArrayConstructor["from"]>;
}

/** The source of a column is estimated from this number of its ids, which are spread evenly. */
const SAMPLE = 256;

const layouts = new Map<string, Layout>();

const sources = () => readLines(wasm.sources());

const isUnixTime = (name: string) => name.startsWith("unix-");

/** Returns the layout of a source; undefined for Unix time, which has no layout. */
export function layoutOf(source: string | undefined): Layout | undefined {
  if (source === undefined || isUnixTime(source)) return undefined;
  const layout = layouts.get(source) ?? Layout.preset(source);
  layouts.set(source, layout);
  return layout;
}

/** Estimates the common source of a column. `candidatesOf` and `likeliestOf` use the estimate. */
export function judge(ids: BigUint64Array, nowMs: number): void {
  const some = sample(ids);
  exchange().ids.set(some);
  wasm.column(some.length, nowMs);
}

function sample(ids: BigUint64Array) {
  const length = Math.min(SAMPLE, ids.length);
  return BigUint64Array.from({ length }, (_, i) => ids[Math.floor((i * ids.length) / length)]);
}

/**
 * Finds the possible sources of an id, the likeliest first: each preset that could have issued it,
 * and Unix time. Sources that give the id the same date follow each other.
 *
 * Many systems divide ids at the same bits, so one id often fits several systems. To find the right
 * system, pass as `around` other ids that were found together with this id.
 *
 * ```js
 * identify(560070183650213889n, { around: [1585841080431321088n] })[0].preset; // "twitter"
 * ```
 *
 * @param options `around`: other ids of the same log or table; rows that are not ids are ignored.
 * `nowMs`: when the id was seen, by default now. Ids of the day before this time are likeliest, and
 * later ids are impossible.
 * @throws {EdgeflakeError} `invalid-id`; `invalid-option`; `invalid-number` for `nowMs`
 */
export function identify(
  id: Id,
  options: { around?: IdRows | undefined; nowMs?: Moment | undefined } = {},
): Candidate[] {
  const { around, nowMs = Date.now() } = known("identify", options, ["around", "nowMs"]);
  const whole = idOf(id);
  const now = integer("nowMs", nowMs);
  const others = around === undefined ? new BigUint64Array() : readable(rowsOf("around", around));
  judge(others.includes(whole) ? others : BigUint64Array.of(whole, ...sample(others)), now);
  return candidatesOf(whole);
}

/** Finds the possible sources of an id. Call `judge` for the id's column before. */
export function candidatesOf(id: bigint): Candidate[] {
  const lines = readLines(wasm.identify(id));
  const numbers = exchange().numbers.slice();
  return lines.map((line, i) => {
    const [name, title, reasons] = line.split("\t");
    const preset = name as Candidate["preset"];
    const [share, timestampMs] = numbers.subarray(2 * i);
    const decoded = layoutOf(name)?.decode(id);
    return { preset, title, share, reasons, timestampMs, date: new Date(timestampMs), decoded };
  });
}

/**
 * Finds the likeliest source of each of many ids that were found together. Row i of the columns
 * belongs to `ids[i]`, or to line i of a text. The common source is estimated from 256 of the ids.
 *
 * ```js
 * identifyMany("560070183650213889\n1585841080431321088").preset; // ["twitter", "twitter"]
 * ```
 *
 * @param options `nowMs`: when the ids were seen, by default now
 * @throws {EdgeflakeError} `invalid-id` if `ids` is neither an array nor a text, or if a row is not
 * a bigint, a text or a number up to 2^53 - 1; `invalid-option` for an unknown option
 */
export function identifyMany(
  ids: IdRows,
  options: { nowMs?: Moment | undefined } = {},
): IdentifiedColumns {
  const { nowMs = Date.now() } = known("identifyMany", options, ["nowMs"]);
  const now = integer("nowMs", nowMs);
  const rows = rowsOf("ids", ids);
  judge(readable(rows), now);
  const { preset, share, timestampMs } = likeliestOf(rows.ids);
  for (const row of rows.unread) {
    preset[row] = undefined;
    share[row] = timestampMs[row] = NaN;
  }
  const counts = new Map<Candidate["preset"], number>();
  for (const name of preset) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const systems = Array.from(counts, ([preset, rows]) => ({ preset, rows }));
  systems.sort((a, b) => b.rows - a.rows);
  const refused = Uint32Array.from(rows.unread);
  return { id: rows.ids, preset, share, timestampMs, systems, refused };
}

/** Finds the likeliest source of each id. Call `judge` for their column before. */
export function likeliestOf(
  ids: BigUint64Array,
): Pick<IdentifiedColumns, "preset" | "share" | "timestampMs"> {
  const [places, share, timestampMs] = columnsOf(ids, 3, wasm.identifyMany);
  const names = sources();
  const preset = Array.from(places, (place) => names[place]) as IdentifiedColumns["preset"];
  return { preset, share, timestampMs };
}

/** Returns the names of all presets that `Layout.preset` accepts. */
export function presets(): string[] {
  return sources().filter((name) => !isUnixTime(name));
}
