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
  /** Its probability. The shares sum to 1 with that of unknown systems. */
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
  /** The probability of the date: the sum of the shares of all sources that give this date. */
  share: Numbers;
  /** The time of issue in Unix ms, if the id is of that source. */
  timestampMs: Numbers;
  /** The sources in `preset` with their numbers of rows, most rows first. */
  systems: { preset: PresetName | UnixTimeName; rows: number }[];
  /** The rows whose texts are no ids, ascending: 0n, `undefined` and NaN in the columns. */
  refused: ReturnType<Uint32ArrayConstructor["from"]>;
}

/** Number of ids by which a column is judged; they are spread evenly over all ids. */
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

/** Judges a column by a sample. Until the next call, ids are identified as ids of this column. */
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
 * and Unix time.
 *
 * Many systems cut at the same places, so one id often leaves a doubt. `around` are ids that were
 * found together with it, which settle this. Systems that give the id one date follow each other.
 *
 * ```js
 * identify(560070183650213889n, { around: [1585841080431321088n] })[0].preset; // "twitter"
 * ```
 *
 * @param options `around`: other ids of the same log or table; rows that are no ids are ignored.
 * `nowMs`: the time at which the id was seen, in Unix ms (default: the current time). An id is
 * likeliest to be of the day before that time, and never later.
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
  const others = around === undefined ? new BigUint64Array() : readable(rowsOf("around", around));
  judge(others.includes(whole) ? others : BigUint64Array.of(whole, ...sample(others)), now);
  return candidatesOf(whole);
}

/** Finds the candidates of an id of the column. */
export function candidatesOf(id: bigint): Candidate[] {
  const lines = readLines(wasm.identify(id));
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
 * row i is of `ids[i]`, or of line i of a text. The system of the column is estimated from 256 ids,
 * spread evenly.
 *
 * ```js
 * identifyMany("560070183650213889\n1585841080431321088").preset; // ["twitter", "twitter"]
 * ```
 *
 * @param options `nowMs`: when the ids were seen, in Unix ms (default: the current time)
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
  judge(readable(rows), now);
  const { preset, share, timestampMs } = likeliestOf(rows.ids);
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

/** Finds the likeliest source of each id of the column. */
export function likeliestOf(
  ids: BigUint64Array,
): Pick<IdentifiedColumns, "preset" | "share" | "timestampMs"> {
  const [places, share, timestampMs] = columnsOf(ids, 3, wasm.identifyMany);
  const names = sources();
  const preset = Array.from(places, (place) => names[place]) as IdentifiedColumns["preset"];
  return { preset, share, timestampMs };
}

/** Returns the names that `Layout.preset` knows. */
export function presets(): string[] {
  return sources().filter((name) => !isUnixTime(name));
}
