import { halves, split } from "../halves.js";
import { exchange, readLines, readText, refusal, wasm } from "../module/exchange.js";
import type { PresetName } from "../names.js";
import { integer, known, type Moment, refused } from "../options.js";
import { columnsOf, type IdRows, type Ids, type Numbers, rowsOf } from "../text/rows.js";
import { type Id, idOf } from "../text/text.js";
import { DecodedId, type Warning } from "./decoded.js";
import type { PresetOptions } from "./definition.js";
import { EXAMPLE, type LayoutOptions, numberOf, presetText, printed } from "./definition.js";
import { checkUnused, type Field, type FieldValue, partsOf, placesIn, valueIn } from "./fields.js";

/**
 * A node as an argument: the node's number or, in a layout with several node fields, the value of
 * each node field, such as `{ datacenter: 3, worker: 5 }`.
 */
export type NodeId = number | Readonly<Record<string, number>>;

/** Many decoded ids, in columns of the same length. */
export interface DecodedColumns {
  id: Ids;
  timestampMs: Numbers;
  node: Numbers;
  sequence: Numbers;
  tag: Numbers;
  /**
   * The indices of the rows that are not ids of this layout, ascending. In these rows, `id` is the
   * refused id, or 0n for a text that is no id; the other columns are NaN. To learn why a row is
   * refused, call {@link Layout.decode} with the row's value: its error says the reason.
   */
  refused: ReturnType<Uint32ArrayConstructor["from"]>;
}

/** The capacity of a layout, and the dates on which it reaches its limits. */
export interface LayoutInfo {
  /** Number of nodes; 1 in a layout without node fields. */
  nodes: number;
  /** Number of ids that one node can issue in one tick. */
  idsPerTick: number;
  /** The first time that ids of the layout cannot express. */
  expiresAt: Date;
  /** The fraction of the layout's lifetime that has passed, 0 to 1. */
  used: number;
  /** Whether every id is at most 2^53 - 1, so that a JavaScript number holds it exactly. */
  fitsNumber: boolean;
  /** The first time at which ids may be larger than 2^53 - 1. */
  fitsNumberUntil: Date;
  /** The first time at which ids may be negative in an SQL column of the type `BIGINT`. */
  fitsSignedUntil: Date;
  largestId: bigint;
}

/** Frees the memory of garbage-collected layouts. Old Workers have no `FinalizationRegistry`. */
const collected =
  globalThis.FinalizationRegistry &&
  new FinalizationRegistry<number>((number) => wasm.freeLayout(number));

/** Key of a private option of the constructor: the layout as text, instead of other options. */
const TEXT = Symbol("text");

/**
 * A layout says how the bits of an id are divided into fields, and when each tick starts.
 *
 * ```js
 * import { Layout } from "edgeflake";
 *
 * Layout.preset("twitter").decode(1541815603606036480n).node; // 378
 * ```
 */
export class Layout {
  /** The number by which the WebAssembly module knows the layout. */
  #number;
  #text: string | undefined;
  #places: ReturnType<typeof placesIn> | undefined;

  /**
   * Makes a layout of these fields, the most significant first. Its ticks start at `epochMs` and
   * last `tickMs` ms (default: 1).
   *
   * ```js
   * new Layout({
   *   fields: [
   *     { name: "ms", bits: 41, role: "timestamp" },
   *     { name: "node", bits: 8, role: "node" },
   *   ],
   *   epochMs: new Date("2025-01-01"),
   * });
   * ```
   *
   * @throws {EdgeflakeError} `invalid-layout`; `invalid-number` for a value that is no integer;
   * `invalid-option` for an unknown option
   */
  constructor(options: LayoutOptions) {
    const given = Object(options);
    this.#number = numberOf(TEXT in given ? given[TEXT] : printed(options));
    collected?.register(this, this.#number);
  }

  /**
   * Returns the layout of a known system; `presets` lists the names.
   *
   * ```js
   * Layout.preset("snowcast", { nodes: 129, epochMs: new Date("2014-02-01T00:00+01:00") });
   * ```
   *
   * @throws {EdgeflakeError} `unknown-preset`; `invalid-option` for an unknown option;
   * `invalid-layout` for an option or a value that this preset does not allow
   */
  static preset(name: PresetName | (string & {}), options?: PresetOptions): Layout {
    return Layout.parse(presetText(name, options));
  }

  /**
   * Reads a preset with its options, or a layout string. A layout string lists the fields from the
   * most significant bit on, each as `role:bits` or `role.name:bits`; a role is `unused`,
   * `timestamp`, `node`, `sequence` or `tag`. Then follow `@` with the epoch, in Unix ms or as an
   * RFC 3339 date, and `tick=` with the length of a tick (default: 1 ms).
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
    return new Layout({ [TEXT]: text } as unknown as LayoutOptions);
  }

  /** The fields, the most significant first. */
  get fields(): readonly Field[] {
    return this.#findPlaces().fields;
  }

  /** The start of tick 0, in Unix ms. */
  get epochMs(): number {
    return this.#findPlaces().epochMs;
  }

  /** The length of a tick in ms. */
  get tickMs(): number {
    return this.#findPlaces().tickMs;
  }

  /** Returns the layout string. Equal layouts have equal strings. */
  toString(): string {
    this.#text ??= readText(wasm.printLayout(this.#number));
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }

  /**
   * Splits an id into its parts.
   *
   * @throws {EdgeflakeError} `invalid-id`; `unused-bits` for set bits that the layout does not use
   */
  decode(id: Id): DecodedId {
    const whole = idOf(id);
    const places = this.#findPlaces();
    split(whole);
    const low = halves[0];
    const high = halves[1];
    const isUsed = ((low & places.unusedLow) | (high & places.unusedHigh)) === 0;
    if (!isUsed || !places.areAdjacent) return this.#decodeJoined(whole, low, high);
    const ms = places.epochMs + places.tickMs * valueIn(places.timestamp, low, high);
    const node = valueIn(places.node, low, high);
    const sequence = valueIn(places.sequence, low, high);
    return new DecodedId(this, whole, ms, node, sequence, valueIn(places.tag, low, high));
  }

  /** Decodes an id of any layout. With this code in it, `decode` would take 50 % more time. */
  #decodeJoined(id: bigint, low: number, high: number) {
    const places = this.#findPlaces();
    checkUnused(places, low, high);
    const { timestamp, node, sequence, tag } = partsOf(places, low, high);
    const ms = places.epochMs + places.tickMs * timestamp;
    return new DecodedId(this, id, ms, node, sequence, tag);
  }

  /**
   * Decodes many ids. Row i of the columns belongs to `ids[i]`, or to line i of a text.
   *
   * ```js
   * const { timestampMs, node } = layout.decodeMany("1541815603606036480\n1541815603606036481");
   * ```
   *
   * @throws {EdgeflakeError} `invalid-id` if `ids` is neither an array nor a text, or if a row is
   * not a bigint, a text or a number up to 2^53 - 1. Other rows that are not ids of this layout are
   * `refused` in the result.
   */
  decodeMany(ids: IdRows): DecodedColumns {
    const { ids: id, unread } = rowsOf("ids", ids);
    let misfits = unread.length;
    const columns = columnsOf(id, 4, (length) => {
      misfits += wasm.decodeMany(this.#number, length);
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
   * Returns the id with these parts; a part that is left out is 0. The time is rounded down to the
   * start of its tick.
   *
   * @throws {EdgeflakeError} `too-large` for a part that is wider than its fields; `before-epoch`,
   * `layout-ended`; `invalid-number` for a part that is no integer; `invalid-option` for an unknown
   * part
   */
  encode(parts: {
    timestampMs: Moment;
    node?: NodeId | undefined;
    sequence?: number | undefined;
    tag?: number | undefined;
  }): bigint {
    const names = ["timestampMs", "node", "sequence", "tag"];
    const { timestampMs, node = 0, sequence = 0, tag = 0 } = known("encode", parts, names);
    const done = wasm.encode(
      this.#number,
      integer("timestampMs", timestampMs),
      nodeNumber(this, node),
      integer("sequence", sequence),
      integer("tag", tag),
    );
    if (!done) throw refusal();
    return exchange().ids[0];
  }

  /**
   * Returns the smallest and the largest id whose tick starts in a window of time, from `fromMs`
   * until just before `untilMs`. Use them for `BETWEEN` in a query.
   *
   * With the option `node`, returns ids of this node. Other nodes may have ids between the two, so
   * filter by node as well. To find all ids that were issued in the window, add the allowed future
   * of the generators to `untilMs`, because ids may be that far ahead of the clock.
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
      this.#number,
      integer("fromMs", fromMs),
      integer("untilMs", untilMs),
      node === undefined ? -1 : nodeNumber(this, node),
    );
    if (!done) throw refusal();
    const [min, max] = exchange().ids;
    return { min, max };
  }

  /** Returns the capacity and limits, and how much of the lifetime has passed at `nowMs`. */
  info(nowMs: Moment = Date.now()): LayoutInfo {
    wasm.info(this.#number, integer("nowMs", nowMs));
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
    const { runs } = this.#findPlaces();
    split(id);
    const low = halves[0];
    const high = halves[1];
    // This code uses a loop, because `map` takes a quarter more time.
    const values = new Array<FieldValue>(runs.length);
    for (let i = 0; i < runs.length; i++) {
      const { name, bits, role, run } = runs[i];
      values[i] = { name, bits, role, value: valueIn(run, low, high) };
    }
    return values;
  }

  /** @internal */
  warnings(id: bigint, nowMs: number = Date.now()): Warning[] {
    const length = wasm.warnings(this.#number, id, nowMs);
    return (length ? readLines(length) : []).map((line) => {
      const [code, message] = line.split("\t");
      return { code: code as Warning["code"], message };
    });
  }

  #findPlaces() {
    this.#places ??= placesIn(this.toString());
    return this.#places;
  }

  /** @internal Returns the number of a layout in the WebAssembly module. */
  static numberOf(layout: unknown): number {
    if (layout instanceof Layout) return layout.#number;
    throw refused("the layout", layout, `give a Layout; ${EXAMPLE}`, "invalid-layout");
  }
}

/** Returns the number of a node. For an object, joins the values of the node fields. */
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
  const number = wasm.nodeOf(Layout.numberOf(layout), values.length);
  if (number < 0) throw refusal();
  return number;
}
