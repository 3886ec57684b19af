/// <reference lib="esnext.disposable" />

/**
 * 64-bit, time-sorted, unique ids: issued, taken apart and put together by the Rust of edgeflake.
 *
 * An id is a bigint. Wherever one is asked for, its decimal text will do, and so will a number up
 * to 2^53 - 1; a larger number is refused, because JavaScript has already rounded it.
 *
 * @module
 */

import type { ErrorCode } from "./names.js";

export * from "./names.js";

/** An id that is given: a bigint, decimal digits, or a number up to 2^53 - 1. */
export type Id = bigint | string | number;

/** A moment that is given: Unix ms, an integer, or a `Date`. */
export type Moment = number | Date;

/**
 * A node that is given: its number, or in a layout that splits it the value of each of its fields,
 * such as `{ datacenter: 3, worker: 5 }`.
 */
export type NodeId = number | Readonly<Record<string, number>>;

/**
 * Ids in memory of their own, so that `new Blob([ids])` compiles. TypeScript before 5.7 reads it as
 * `BigUint64Array`, which is not generic there.
 */
export type Ids = ReturnType<BigUint64ArrayConstructor["from"]>;

/** What a field holds. */
export type Role = "unused" | "timestamp" | "node" | "sequence" | "tag";

/** One field of a layout. */
export interface Field {
  /** 1 to 24 of `a-z A-Z 0-9 - _`; no two fields of a layout have the same. */
  name: string;
  /** The field's width. */
  bits: number;
  role: Role;
}

/**
 * How the bits of an id are divided, and what time its ticks count.
 *
 * ```js
 * import { Layout } from "edgeflake";
 *
 * Layout.preset("twitter").decode(1541815603606036480n).node; // 378
 * ```
 */
export class Layout {
  /**
   * A layout of these fields, the most significant first, with ticks of `tickMs` ms (1 without it)
   * since `epochMs`.
   *
   * ```js
   * new Layout({
   *   fields: [
   *     { name: "ms", bits: 41, role: "timestamp" },
   *     { name: "node", bits: 8, role: "node" },
   *     { name: "sequence", bits: 4, role: "sequence" },
   *   ],
   *   epochMs: new Date("2025-01-01"),
   * });
   * ```
   *
   * @throws {EdgeflakeError} `invalid-layout`; `invalid-number` for what is not an integer;
   * `invalid-option` for an option of another name
   */
  constructor(options: {
    fields: readonly Field[];
    epochMs: Moment;
    tickMs?: number | undefined;
  });

  /**
   * The layout of a known system, with what the users of its software choose; {@link presets} lists
   * the names.
   *
   * ```js
   * Layout.preset("snowcast", { nodes: 129, epochMs: new Date("2014-02-01T00:00+01:00") });
   * ```
   *
   * @throws {EdgeflakeError} `unknown-preset`; `invalid-option` for an option of another name;
   * `invalid-layout` for one that this preset does not have, or that it does not allow
   */
  static preset(name: PresetName | (string & {}), options?: PresetOptions): Layout;

  /**
   * The layout of a layout string: fields from the most significant bit on, each `role:bits` or
   * `role.name:bits` with a role of `unused`, `timestamp`, `node`, `sequence` or `tag`; then `@`
   * and the epoch, in Unix ms or as an RFC 3339 date; then the tick, of 1 ms without it.
   *
   * ```js
   * Layout.parse("unused:1 timestamp:39 sequence:8 node:16 @1409529600000 tick=10ms");
   * ```
   *
   * @throws {EdgeflakeError} `invalid-layout`
   */
  static parse(text: string): Layout;

  /** The fields, the most significant first. */
  readonly fields: readonly Field[];
  /** When tick 0 begins, in Unix ms. */
  readonly epochMs: number;
  /** The length of a tick in ms. */
  readonly tickMs: number;

  /** The layout string, equal for equal layouts. */
  toString(): string;

  /** The layout string. */
  toJSON(): string;

  /**
   * What an id says in this layout.
   *
   * @throws {EdgeflakeError} `invalid-id` for what is not an id of 64 bits; `unused-bits` for an id
   * with bits set that the layout does not use
   */
  decode(id: Id): DecodedId;

  /**
   * What many ids say, in columns: row i is of `ids[i]`, or of line i of a text.
   *
   * ```js
   * const { timestampMs, node } = layout.decodeMany("1541815603606036480\n1541815603606036481");
   * ```
   *
   * @throws {EdgeflakeError} `invalid-id` for what has no rows, and for a row that is neither
   * bigint nor text, nor a number up to 2^53 - 1. What is one, but no id of this layout, is
   * `refused` in the answer.
   */
  decodeMany(ids: BigUint64Array | readonly Id[] | string): DecodedColumns;

  /**
   * The id of these parts; what is left out is 0. A moment within a tick is of that tick.
   *
   * @throws {EdgeflakeError} `too-large` for a part that is wider than its fields; `before-epoch`,
   * `layout-ended`; `invalid-number` for what is not an integer; `invalid-option` for a part of
   * another name
   */
  encode(parts: {
    timestampMs: Moment;
    node?: NodeId | undefined;
    sequence?: number | undefined;
    tag?: number | undefined;
  }): bigint;

  /**
   * The smallest and the largest id of the time from `fromMs` until before `untilMs`, of all nodes
   * or of one: for `BETWEEN` in a query, and for pages by time.
   *
   * An id is in the window if its tick starts in it. With a node, both ends are that node's, but
   * ids of other nodes may lie between them: ask for the node as well.
   *
   * Ids may lie ahead of the clock that issued them by the allowed future. For all that was issued
   * in a window, widen it, then filter.
   *
   * @throws {EdgeflakeError} `invalid-window`; `not-sorted-by-time` for a layout with something
   * above its timestamp; `too-large` for a node that the layout does not have
   */
  range(
    fromMs: Moment,
    untilMs: Moment,
    options?: { node?: NodeId | undefined },
  ): { min: bigint; max: bigint };

  /** What the layout holds, and how much of its life has passed at a moment, now without one. */
  info(nowMs?: Moment): LayoutInfo;

  /** Frees the layout's memory now; without it, the garbage collector does. */
  [Symbol.dispose](): void;
}

/** What the users of a preset's software choose. */
export interface PresetOptions {
  /** When tick 0 begins; of all presets but `twitter`, `discord` and those of other services. */
  epochMs?: Moment | undefined;
  /**
   * Number of nodes, of `snowcast`: 128 to 8,192, rounded up to a power of two. Bits that the nodes
   * do not need are the counter's.
   */
  nodes?: number | undefined;
  /** Hazelcast's `bits-sequence`; 6 without it. */
  bitsSequence?: number | undefined;
  /** Hazelcast's `bits-node-id`; 16 without it. The timestamp has what is left of 63 bits. */
  bitsNodeId?: number | undefined;
}

/** What an id says. */
export interface DecodedId {
  readonly id: bigint;
  /** When the id's tick begins, in Unix ms. */
  readonly timestampMs: number;
  /** The node, whole even when split over fields. */
  readonly node: number;
  /** The sequence within the tick, whole even when split over fields. */
  readonly sequence: number;
  /** The value of the tag fields; 0 in a layout without them. */
  readonly tag: number;
  /** `timestampMs` as a `Date`. */
  readonly date: Date;
  /** The value of each field by itself, the most significant first. */
  readonly fields: FieldValue[];
  /** What is odd about the id when this is read, such as lost digits or a date in the future. */
  readonly warnings: Warning[];

  /** The id as text. */
  text(encoding: Encoding): string;

  /** All of the above, with the id as decimal text. */
  toJSON(): Record<string, unknown>;
}

/** One field of an id. */
export interface FieldValue extends Field {
  value: number;
}

/** What is odd about an id or a layout. */
export interface Warning {
  /** Stable, for programs; `message` is for people. */
  code:
    | "rounded"
    | "sign-bit"
    | "future"
    | "before-system"
    | "at-epoch"
    | "layout-ending"
    | "layout-ended";
  message: string;
}

/** Numbers in memory of their own, as {@link Ids} are. */
export type Numbers = ReturnType<Float64ArrayConstructor["from"]>;

/** Many decoded ids. All columns have the same length. */
export interface DecodedColumns {
  id: Ids;
  timestampMs: Numbers;
  node: Numbers;
  sequence: Numbers;
  tag: Numbers;
  /**
   * The rows that are no id of the layout, ascending: 0n or the unfitting id, and NaN in all other
   * columns. {@link Layout.decode} says what is wrong with one.
   */
  refused: ReturnType<Uint32ArrayConstructor["from"]>;
}

/** What a layout holds. */
export interface LayoutInfo {
  /** How many nodes there are; 1 without node fields. */
  nodes: number;
  /** How many ids a node has in one tick. */
  idsPerTick: number;
  /** The first moment that the layout cannot express. */
  expiresAt: Date;
  /** The share of the layout's life that has passed, 0 to 1. */
  used: number;
  /** Whether every id is at most 2^53 - 1, so that a JavaScript number holds it. */
  fitsNumber: boolean;
  /** The first moment of which an id may be larger than 2^53 - 1. */
  fitsNumberUntil: Date;
  /** The first moment of which an id may be negative as a signed integer, such as a `BIGINT`. */
  fitsSignedUntil: Date;
  /** The largest id. */
  largestId: bigint;
}

/** How a {@link Generator} issues. */
export interface GeneratorOptions {
  /** The bits of the ids. */
  layout: Layout;
  /** The node that you have assigned to this generator and to no other. */
  node: NodeId;
  /**
   * The allowed future: how far ids may run ahead of the clock, in ms. 0 without it, so that a
   * restart cannot repeat what lay ahead.
   */
  allowedFutureMs?: number | undefined;
  /**
   * Where the sequence of a new tick starts: at 0; at a random number up to `random`, from where it
   * ascends; or at a random number from where it rotates through the whole tick, so that ids of one
   * tick are not in order. `"zero"` without it.
   */
  sequenceStart?: "zero" | "rotating" | { random: number } | undefined;
  /**
   * Up to how many ids are left out after each, at random, so that ids do not tell how many there
   * were. 0 without it.
   */
  gaps?: number | undefined;
  /** The value of the tag fields of ids for which the call gives none. 0 without it. */
  tags?: number | undefined;
  /** The last id that was issued for this node before, from wherever you keep it. */
  resumeAfter?: Id | undefined;
  /** The clock, in Unix ms. `Date.now` without it. */
  now?: (() => number) | undefined;
}

/**
 * Issues the ids of a node that you assign by hand.
 *
 * Such ids are as unique as you are careful: no other process may have the node, and the
 * clock must not go back over a restart. In one memory, a second generator for the same layout and
 * node is refused, and one that follows another goes on after it.
 *
 * ```js
 * import { Generator, Layout } from "edgeflake";
 *
 * const ids = new Generator({ layout: Layout.preset("twitter"), node: 5 });
 * ids.next(); // a bigint
 * ```
 */
export class Generator {
  /**
   * The generator of this layout and node in this process: the one that is there, or a new one. It
   * is the same for all copies of this package that a bundler makes, and after a dev server's
   * reload, so this is what you call at module scope. Give the same options everywhere, except
   * `resumeAfter`: a generator that is there has gone on since then, so it does not need it.
   *
   * @throws {EdgeflakeError} `node-in-use` when it was made with other options, `invalid-option`
   * for `now`, and those of the constructor
   */
  static shared(options: Omit<GeneratorOptions, "now">): Generator;

  /**
   * @throws {EdgeflakeError} `node-in-use`; `too-large` for a node, start, gap or tag that is wider
   * than its fields; `invalid-option` for an option of another name; `other-node` and `invalid-id`
   * for what cannot be resumed after; `invalid-number` for what is not an integer
   */
  constructor(options: GeneratorOptions);

  /**
   * The next id, with a tag other than that of the options if one is given. It never waits, and
   * never reads more than the clock.
   *
   * @throws {EdgeflakeError} `exhausted` with `retryInMs` when the id would lie further ahead of
   * the clock than allowed, and `clock-back` when it would because the clock went back;
   * `before-epoch`, `layout-ended`, `closed`; `too-large` for a tag
   */
  next(tag?: number): bigint;

  /**
   * The next id, after a wait if there is none now. Any number of callers may wait at once: each
   * gets an id of its own.
   *
   * @throws {EdgeflakeError} those of {@link next} but `exhausted` and `clock-back`
   */
  nextAsync(tag?: number): Promise<bigint>;

  /**
   * The next id as text, in decimal without an encoding.
   *
   * @throws {EdgeflakeError} those of {@link next}; `unknown-encoding`
   */
  nextString(encoding?: Encoding): string;

  /**
   * Writes the next id as ASCII text into bytes, from `at` on, and says how many characters it has:
   * for servers that write bytes. Without an encoding it is in decimal, and without `at` at the start.
   * There must be room for the longest text of the encoding: 20 bytes are enough for all but `binary`,
   * which takes 64.
   *
   * ```js
   * const bytes = new Uint8Array(20);
   * const text = bytes.subarray(0, ids.nextInto(bytes, "base62"));
   * ```
   *
   * @throws {EdgeflakeError} those of {@link next}; `unknown-encoding`; `invalid-option` for what is
   * no `Uint8Array`, or has too little room; `invalid-number` for `at`. Then no id was issued.
   */
  nextInto(bytes: Uint8Array, encoding?: Encoding, at?: number): number;

  /**
   * The next id as a number, of a layout whose ids all fit one (`info().fitsNumber`).
   *
   * @throws {EdgeflakeError} those of {@link next}; `unsafe-number` for any other layout
   */
  nextNumber(): number;

  /**
   * Fills an array from its start with the next ids, and says how many there are: fewer than asked
   * when the allowed future is used up, never none.
   *
   * @throws {EdgeflakeError} those of {@link next}, when not even one id can be issued;
   * `invalid-option` for what is no `BigUint64Array`
   */
  fill(ids: BigUint64Array): number;

  /**
   * The next `count` ids, or as many as there are now: at least one.
   *
   * @throws {EdgeflakeError} those of {@link next}, when not even one id can be issued
   */
  batch(count: number): Ids;

  /** What it has done so far. */
  stats(): Statistics;

  /** Ends the generator and gives its node back. A closed one stays closed. */
  close(): void;

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void;
}

/** What a generator has done so far. */
export interface Statistics {
  /** Ids issued. */
  issued: number;
  /** Calls of `fill` and `batch`. */
  fills: number;
  /** Ticks that were entered before the clock had reached them. */
  ticksBorrowed: number;
  /** The furthest that an id lay ahead of the clock, in ms. */
  furthestAheadMs: number;
  /** How often the clock was seen to have gone back. */
  clockStepsBack: number;
  /** How often there was no id within the allowed future. */
  exhausted: number;
}

/**
 * How an id is written as text. All but `base64url-bytes` write the number in these digits.
 *
 * | encoding | digits, from 0 on | characters | sorts as the ids do |
 * |---|---|---|---|
 * | `decimal` | `0-9` | 1 to 20 | no |
 * | `signed-decimal`, for SQL's `BIGINT` | `0-9` after a `-` | 1 to 20 | no |
 * | `hex` | `0-9a-f` | 16 | yes |
 * | `binary` | `01` | 64 | yes |
 * | `base32`, Crockford's | `0-9A-Z` without `ILOU` | 13 | yes |
 * | `z-base-32` | `ybndrfg8ejkmcpqxot1uwisza345h769` | 1 to 13 | no |
 * | `base36` | `0-9a-z` | 1 to 13 | no |
 * | `base58`, Bitcoin's digits | `1-9A-Za-z` without `IOl` | 1 to 11 | no |
 * | `base58-flickr` | `1-9a-zA-Z` without `lIO` | 1 to 11 | no |
 * | `base62`, in the order of ASCII | `0-9A-Za-z` | 11 | yes |
 * | `base62-lower`, as base62.js | `0-9a-zA-Z` | 1 to 11 | no |
 * | `base64url`, as Instagram's short codes | `A-Za-z0-9-_` | 1 to 11 | no |
 * | `base64url-bytes`, RFC 4648 of the 8 bytes | `A-Za-z0-9-_` | 11 | no |
 *
 * An encoding of one width writes leading zeros up to it. {@link parse} reads leading zeros up to
 * the width in every encoding, and their absence in all but `base64url-bytes`.
 */
export type Encoding =
  | "decimal"
  | "signed-decimal"
  | "hex"
  | "binary"
  | "base32"
  | "z-base-32"
  | "base36"
  | "base58"
  | "base58-flickr"
  | "base62"
  | "base62-lower"
  | "base64url"
  | "base64url-bytes";

/**
 * An id as text.
 *
 * ```js
 * encode(1541815603606036480n, "base62"); // "1ptWyK4WgZU"
 * ```
 *
 * @throws {EdgeflakeError} `invalid-id`, `unknown-encoding`
 */
export function encode(id: Id, encoding: Encoding): string;

/**
 * The id of a text, which may have leading zeros: so two texts may be of one id. Compare ids, or
 * `encode(parse(text, encoding), encoding)` with the text.
 *
 * @throws {EdgeflakeError} `invalid-id`, `unknown-encoding`
 */
export function parse(text: string, encoding: Encoding): bigint;

/**
 * Whether a value is the text of an id, of those that {@link parse} reads.
 *
 * ```js
 * isId("1ptWyK4WgZU", "base62"); // true
 * ```
 *
 * @throws {EdgeflakeError} `unknown-encoding`
 */
export function isId(text: unknown, encoding: Encoding): text is string;

/**
 * A replacer for `JSON.stringify`, which refuses bigints by itself: a bigint becomes its decimal
 * text.
 *
 * ```js
 * JSON.stringify({ id: 1541815603606036480n }, jsonReplacer); // '{"id":"1541815603606036480"}'
 * ```
 */
export function jsonReplacer(key: string, value: unknown): unknown;

/**
 * A reviver for `JSON.parse`: decimal texts and numbers under these keys become bigints, and so do
 * those of arrays there. `null` stays.
 *
 * A number above 2^53 - 1 is read from its digits where the engine tells them (Node 22, Chrome 114
 * and later); elsewhere, and in arrays, it is refused because `JSON.parse` has already rounded it.
 *
 * ```js
 * JSON.parse('{"id":"1541815603606036480"}', jsonReviver("id")).id; // 1541815603606036480n
 * ```
 *
 * @throws {EdgeflakeError} `invalid-option` without keys. `JSON.parse` throws `invalid-id` for what
 * is no id.
 */
export function jsonReviver(
  ...keys: [string, ...string[]]
): (key: string, value: unknown, context?: { source?: string }) => unknown;

/**
 * An id as the signed number of the same 64 bits, for SQL's `BIGINT`.
 *
 * @throws {EdgeflakeError} `invalid-id`
 */
export function toSigned(id: Id): bigint;

/**
 * The id that {@link toSigned} makes this number of.
 *
 * @throws {EdgeflakeError} `invalid-id` for what is not a signed number of 64 bits
 */
export function fromSigned(number: Id): bigint;

/**
 * What an id may be, the likeliest first: an id of each preset that could have issued it, or Unix
 * time.
 *
 * Tweets from before 2022-09 are ids of Discord as well, and many other systems cut at the same
 * places. `around` are ids that were found together with it, which settle this.
 *
 * ```js
 * identify(1541815603606036480n, { around: [1585841080431321088n] })[0].preset; // "twitter"
 * ```
 *
 * @param options `around`: other ids of the same log or table; what is no id is left out. `nowMs`:
 * when the id was seen, now without it; an id is likeliest to be of the day before, and never of
 * later.
 * @throws {EdgeflakeError} `invalid-id`; `invalid-option` for an option of another name;
 * `invalid-number` for `nowMs`
 */
export function identify(
  id: Id,
  options?: {
    around?: BigUint64Array | readonly Id[] | string | undefined;
    nowMs?: Moment | undefined;
  },
): Candidate[];

/**
 * What each of many ids most likely is, in columns, given that they were found together: row i is
 * of `ids[i]`, or of line i of a text. How often each system occurs is found from 256 ids, spread
 * evenly.
 *
 * ```js
 * identifyMany("1541815603606036480\n1585841080431321088").preset; // ["twitter", "twitter"]
 * ```
 *
 * @param options `nowMs`: when the ids were seen, now without it
 * @throws {EdgeflakeError} `invalid-id` for what has no rows, and for a row that is neither bigint
 * nor text, nor a number up to 2^53 - 1; `invalid-option` for an option of another name
 */
export function identifyMany(
  ids: BigUint64Array | readonly Id[] | string,
  options?: { nowMs?: Moment | undefined },
): IdentifiedColumns;

/** What many ids may be. All columns have the same length. */
export interface IdentifiedColumns {
  id: Ids;
  /** The likeliest source of each row; `undefined` of a refused row. */
  preset: (PresetName | UnixTimeName | undefined)[];
  /** How likely that is among all candidates of the row, 0 to 1. */
  share: Numbers;
  /** When the id was issued if it is of that source, in Unix ms. */
  timestampMs: Numbers;
  /** The sources that occur in `preset` and how many rows each has, most rows first. */
  systems: { preset: PresetName | UnixTimeName; rows: number }[];
  /** The rows that are texts of no id, ascending: 0n, `undefined` and NaN in the columns. */
  refused: ReturnType<Uint32ArrayConstructor["from"]>;
}

/** What an id may be. */
export type Candidate = SystemCandidate | UnixTimeCandidate;

interface CandidateBase {
  /** The name that people know. */
  title: string;
  /** How likely it is among all candidates: the shares sum to 1. */
  share: number;
  /** What speaks for and against it, for people. */
  reasons: string;
  /** When it was issued if it is this, in Unix ms. */
  timestampMs: number;
  /** `timestampMs` as a `Date`. */
  date: Date;
}

/** A system that an id may come from. */
export interface SystemCandidate extends CandidateBase {
  /** The name that {@link Layout.preset} knows. */
  preset: PresetName;
  /** What the id says in this system's layout. */
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

/** A name that {@link Layout.preset} knows. */
export type PresetName =
  | "hazelcast"
  | "twitter"
  | "discord"
  | "instagram"
  | "mastodon"
  | "linkedin"
  | "sonyflake"
  | "sonyflake-v2"
  | "snowcast"
  | "datacenter-worker"
  | "random-start"
  | "resource-type"
  | "worker-queue"
  | "baidu"
  | "leaf"
  | "bwmarrin"
  | "yitter"
  | "tsid"
  | "cosid"
  | "cosid-js"
  | "flake-idgen"
  | "nodejs-snowflake"
  | "snowid"
  | "js-safe"
  | "edge";

/** The names that {@link Layout.preset} knows. */
export function presets(): string[];

/** What this package throws. */
export class EdgeflakeError extends Error {
  constructor(code: ErrorCode, message: string, retryInMs?: number | undefined);

  /** Stable, for programs; `message` is for people. */
  readonly code: ErrorCode;
  /** When it is worth another try, in ms; of `exhausted`, when there will be an id again. */
  readonly retryInMs?: number | undefined;
}
