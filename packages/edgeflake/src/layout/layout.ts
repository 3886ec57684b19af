/// <reference lib="esnext.disposable" preserve="true" />

import { EdgeflakeError } from "../error.js";
import { exchange, read, readLines, refusal, wasm } from "../module/exchange.js";
import type { PresetName } from "../names.js";
import { integer, type Moment } from "../number.js";
import { known, refused } from "../options.js";
import { columnsOf, type IdRows, type Ids, type Numbers, rowsOf } from "../text/rows.js";
import { type Id, idOf } from "../text/text.js";
import { DecodedId, type Warning } from "./decoded.js";
import {
  EXAMPLE,
  type LayoutOptions,
  type PresetOptions,
  parsedNumber,
  presetNumber,
  printed,
} from "./definition.js";
import { type Field, type FieldValue, halves, placesOf, split, valueIn } from "./fields.js";

/**
 * A node as an argument: its number, or in a layout that splits it the value of each of its fields,
 * such as `{ datacenter: 3, worker: 5 }`.
 */
export type NodeId = number | Readonly<Record<string, number>>;

/** Many decoded ids. All columns have the same length. */
export interface DecodedColumns {
  id: Ids;
  timestampMs: Numbers;
  node: Numbers;
  sequence: Numbers;
  tag: Numbers;
  /**
   * The rows that are no ids of the layout, ascending: 0n or the unfitting id, and NaN in all other
   * columns. {@link Layout.decode} says what is wrong with one.
   */
  refused: ReturnType<Uint32ArrayConstructor["from"]>;
}

/** Facts about a layout. */
export interface LayoutInfo {
  /** Number of nodes; 1 without node fields. */
  nodes: number;
  /** Number of ids that a node has in one tick. */
  idsPerTick: number;
  /** The first moment that the layout cannot express. */
  expiresAt: Date;
  /** The share of the layout's life that has passed, 0 to 1. */
  used: number;
  /** Says whether every id is at most 2^53 - 1, so that a JavaScript number holds it. */
  fitsNumber: boolean;
  /** The first moment of which an id may be larger than 2^53 - 1. */
  fitsNumberUntil: Date;
  /** The first moment of which an id may be negative as a signed integer, such as a `BIGINT`. */
  fitsSignedUntil: Date;
  /** The largest id. */
  largestId: bigint;
}

const PARTS = ["timestampMs", "node", "sequence", "tag"];

/** Frees layouts that were collected. Old Workers have no such registry. */
const collected =
  globalThis.FinalizationRegistry &&
  new FinalizationRegistry<number>((number) => wasm.freeLayout(number));

/**
 * The name of a method for this file alone; React Native's Babel preset knows no static block.
 *
 * @internal
 */
const NUMBER = Symbol("number");

/** Returns the number of a layout in the module. */
export function layoutNumber(layout: unknown): number {
  if (layout instanceof Layout) return layout[NUMBER]();
  throw refused("the layout", layout, `a Layout is allowed; ${EXAMPLE}`, "invalid-layout");
}

/** Returns the bits of a layout as text, which is equal for layouts whose ids are equal. */
export const bitsOf = (layout: unknown): string => read(wasm.printBits(layoutNumber(layout)));

/**
 * The division of an id's bits into fields, and the time that its ticks count.
 *
 * ```js
 * import { Layout } from "edgeflake";
 *
 * Layout.preset("twitter").decode(1541815603606036480n).node; // 378
 * ```
 */
export class Layout {
  /** Number of the layout in the module; 0 once it is freed. */
  #number;
  #text: string | undefined;
  #fields: readonly Field[] | undefined;
  #places: ReturnType<typeof placesOf> | undefined;

  /**
   * Makes a layout of these fields, the most significant first, with ticks of `tickMs` ms (1
   * without it) since `epochMs`.
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
   * @throws {EdgeflakeError} `invalid-layout`; `invalid-number` for anything but an integer;
   * `invalid-option` for an option of another name
   */
  constructor(options: LayoutOptions);
  /** @internal */
  constructor(options: { text: string } | { preset: string; options: PresetOptions | undefined });
  // biome-ignore lint/suspicious/noExplicitAny: JavaScript may give anything, which is refused
  constructor(source: any) {
    if ("preset" in Object(source)) {
      const { preset, options: chosen } = known("new Layout", source, ["preset", "options"]);
      this.#number = presetNumber(preset, chosen);
    } else if ("text" in Object(source)) {
      this.#number = parsedNumber(known("new Layout", source, ["text"]).text);
    } else {
      this.#number = parsedNumber(printed(source));
    }
    collected?.register(this, this.#number, this);
  }

  /**
   * Returns the layout of a known system, with the options that its software leaves to its users;
   * `presets` lists the names.
   *
   * ```js
   * Layout.preset("snowcast", { nodes: 129, epochMs: new Date("2014-02-01T00:00+01:00") });
   * ```
   *
   * @throws {EdgeflakeError} `unknown-preset`; `invalid-option` for an option of another name;
   * `invalid-layout` for one that this preset does not have, or that it does not allow
   */
  static preset(name: PresetName | (string & {}), options?: PresetOptions): Layout {
    return new Layout({ preset: name, options });
  }

  /**
   * Reads a preset with its options, or a layout string. A layout string has fields from the most
   * significant bit on, each `role:bits` or `role.name:bits` with a role of `unused`, `timestamp`,
   * `node`, `sequence` or `tag`; then `@` and the epoch, in Unix ms or as an RFC 3339 date; then the
   * tick, which is 1 ms if it is left out.
   *
   * ```js
   * Layout.parse("unused:1 timestamp:39 sequence:8 node:16 @1409529600000 tick=10ms");
   * Layout.parse("hazelcast epoch-start=2018-01-01 bits-sequence=6 bits-node-id=16");
   * Layout.parse("snowcast nodes=129 epoch=2014-02-01T00:00+01:00");
   * ```
   *
   * @throws {EdgeflakeError} `invalid-layout`, `unknown-preset`
   */
  static parse(text: string): Layout {
    return new Layout({ text });
  }

  /** The fields, the most significant first. */
  get fields(): readonly Field[] {
    // They are frozen because a caller that sorts them would change how ids are decoded.
    this.#fields ??= Object.freeze(this.#words().slice(0, -2).map(field));
    return this.#fields;
  }

  /** The start of tick 0, in Unix ms. */
  get epochMs(): number {
    const [epoch] = this.#words().slice(-2);
    return Number(epoch.slice("@".length));
  }

  /** The length of a tick in ms. */
  get tickMs(): number {
    const [tick] = this.#words().slice(-1);
    return Number(tick.slice("tick=".length, -"ms".length));
  }

  #words() {
    return this.toString().split(" ");
  }

  /** Returns the layout string, which is equal for equal layouts. */
  toString(): string {
    this.#text ??= read(wasm.printLayout(this[NUMBER]()));
    return this.#text;
  }

  /** Returns the layout string. */
  toJSON(): string {
    return this.toString();
  }

  /**
   * Takes an id apart.
   *
   * @throws {EdgeflakeError} `invalid-id` for anything but an id of 64 bits; `unused-bits` for an
   * id with bits set that the layout does not use
   */
  decode(id: Id): DecodedId {
    const whole = idOf(id);
    // It throws if the layout was disposed of.
    this[NUMBER]();
    const places = this.#findPlaces();
    split(whole);
    const low = halves[0];
    const high = halves[1];
    if (places.areAdjacent && ((low & places.unusedLow) | (high & places.unusedHigh)) === 0) {
      return new DecodedId(
        this,
        whole,
        places.epochMs + places.tickMs * valueIn(places.timestamp, low, high),
        valueIn(places.node, low, high),
        valueIn(places.sequence, low, high),
        valueIn(places.tag, low, high),
      );
    }
    return this.#decodeInModule(whole);
  }

  /**
   * Decodes an id whose parts `placesOf` does not find, and refuses one that the layout does not
   * have.
   */
  #decodeInModule(id: bigint) {
    if (!wasm.decode(this[NUMBER](), id)) throw refusal();
    const [timestampMs, node, sequence, tag] = exchange().numbers;
    return new DecodedId(this, id, timestampMs, node, sequence, tag);
  }

  /**
   * Takes many ids apart, into columns: row i is of `ids[i]`, or of line i of a text.
   *
   * ```js
   * const { timestampMs, node } = layout.decodeMany("1541815603606036480\n1541815603606036481");
   * ```
   *
   * @throws {EdgeflakeError} `invalid-id` for a value without rows, and for a row that is neither
   * bigint nor text, nor a number up to 2^53 - 1. A row that is one of these, but no id of this
   * layout, is `refused` in the result.
   */
  decodeMany(ids: IdRows): DecodedColumns {
    const number = this[NUMBER]();
    const { ids: id, unread } = rowsOf("ids", ids);
    let misfits = unread.length;
    const columns = columnsOf(id, 4, (length) => {
      misfits += wasm.decodeMany(number, length);
    });
    const [timestampMs, node, sequence, tag] = columns;
    for (const row of unread) for (const column of columns) column[row] = NaN;
    const refused = new Uint32Array(misfits);
    let found = 0;
    for (let row = 0; found < misfits; row++) {
      if (Number.isNaN(timestampMs[row])) refused[found++] = row;
    }
    return { id, timestampMs, node, sequence, tag, refused };
  }

  /**
   * Returns the id of these parts; a part that is left out is 0. A moment within a tick is of that
   * tick.
   *
   * @throws {EdgeflakeError} `too-large` for a part that is wider than its fields; `before-epoch`,
   * `layout-ended`; `invalid-number` for anything but an integer; `invalid-option` for a part of
   * another name
   */
  encode(parts: {
    timestampMs: Moment;
    node?: NodeId | undefined;
    sequence?: number | undefined;
    tag?: number | undefined;
  }): bigint {
    const { timestampMs, node = 0, sequence = 0, tag = 0 } = known("encode", parts, PARTS);
    const done = wasm.encode(
      this[NUMBER](),
      integer("timestampMs", timestampMs),
      nodeNumber(this, node),
      integer("sequence", sequence),
      integer("tag", tag),
    );
    if (!done) throw refusal();
    return exchange().ids[0];
  }

  /**
   * Returns the smallest and the largest id of the time from `fromMs` until before `untilMs`, of
   * all nodes or of one: for `BETWEEN` in a query, and for pages by time.
   *
   * An id is in the window if its tick starts in it. With a node, both ends are that node's, but
   * ids of other nodes may lie between them: ask for the node as well.
   *
   * Ids may lie ahead of the clock that issued them by the allowed future. For all ids that
   * were issued in a window, widen it, then filter.
   *
   * @throws {EdgeflakeError} `invalid-window`; `not-sorted-by-time` for a layout with bits
   * above its timestamp; `too-large` for a node that the layout does not have
   */
  range(
    fromMs: Moment,
    untilMs: Moment,
    options: { node?: NodeId | undefined } = {},
  ): { min: bigint; max: bigint } {
    const { node } = known("range", options, ["node"]);
    const done = wasm.range(
      this[NUMBER](),
      integer("fromMs", fromMs),
      integer("untilMs", untilMs),
      node === undefined ? -1 : nodeNumber(this, node),
    );
    if (!done) throw refusal();
    const [min, max] = exchange().ids;
    return { min, max };
  }

  /** Returns facts about the layout, such as the used share of its life at a moment, or now. */
  info(nowMs: Moment = Date.now()): LayoutInfo {
    wasm.info(this[NUMBER](), integer("nowMs", nowMs));
    const { numbers, ids } = exchange();
    const [nodes, idsPerTick, endMs, used, fitsNumber, numberEndMs, signedEndMs] = numbers;
    return {
      nodes,
      idsPerTick,
      expiresAt: new Date(endMs),
      used,
      fitsNumber: fitsNumber === 1,
      fitsNumberUntil: new Date(numberEndMs),
      fitsSignedUntil: new Date(signedEndMs),
      largestId: ids[0],
    };
  }

  /** @internal */
  fieldValues(id: bigint): FieldValue[] {
    const { fields } = this.#findPlaces();
    split(id);
    const low = halves[0];
    const high = halves[1];
    const { length } = fields;
    const values = new Array(length);
    for (let i = 0; i < length; i++) {
      const { name, bits, role, run } = fields[i];
      values[i] = { name, bits, role, value: valueIn(run, low, high) };
    }
    return values;
  }

  /** @internal */
  warnings(id: bigint): Warning[] {
    const length = wasm.warnings(this[NUMBER](), id, Date.now());
    return (length ? readLines(length) : []).map((line) => {
      const [code, message] = line.split("\t");
      return { code: code as Warning["code"], message };
    });
  }

  #findPlaces() {
    this.#places ??= placesOf(this);
    return this.#places;
  }

  /** Frees the layout's memory now; without it, the garbage collector does. */
  [Symbol.dispose](): void {
    collected?.unregister(this);
    wasm.freeLayout(this.#number);
    this.#number = 0;
  }

  /** @internal */
  [NUMBER](): number {
    if (this.#number) return this.#number;
    throw new EdgeflakeError("closed", "the layout was disposed of: make another");
  }
}

/** Returns the number of a node. */
export function nodeNumber(layout: Layout, node: NodeId): number {
  const fields = layout.fields.filter(({ role }) => role === "node");
  if (Object(node) !== node) {
    const bits = fields.reduce((sum, { bits }) => sum + bits, 0);
    return integer("node", node as number, 2 ** bits - 1);
  }
  const names = fields.map(({ name }) => name);
  const given = known("node", node as Record<string, number>, names);
  const values = fields.map(({ name, bits }) =>
    BigInt(integer(`node.${name}`, given[name], 2 ** bits - 1)),
  );
  exchange().ids.set(values);
  const number = wasm.nodeOf(layoutNumber(layout), values.length);
  if (number < 0) throw refusal();
  return number;
}

/** Reads the field in a word of a layout string. */
function field(word: string): Field {
  const [label, bits] = word.split(":");
  const [role, name = role] = label.split(".");
  return Object.freeze({ name, bits: Number(bits), role: role as Field["role"] });
}
