import { DecodedId } from "./decoded.js";
import { EdgeflakeError } from "./error.js";
import { exchange, read, readLines, refusal, wasm, write } from "./exchange.js";
import { halves, placesOf, split, valueIn } from "./fields.js";
import { integer } from "./number.js";
import { known, shown } from "./options.js";
import { columnsOf, rowsOf } from "./rows.js";
import { idOf } from "./text.js";

/**
 * @import {
 *   DecodedColumns, Field, FieldValue, Id, LayoutInfo, Moment, NodeId, PresetOptions, Warning,
 * } from "edgeflake"
 */

/** In characters: a layout of 16 fields with the longest names has 700. */
const LAYOUT_STRING_MAX = 1024;

/** What an error says to do. */
const EXAMPLE = 'Layout.preset("twitter") gives a known layout';

/** What `encode` takes. */
const PARTS = ["timestampMs", "node", "sequence", "tag"];

/** Frees the layouts that are out of reach. Old Workers have no such registry. */
const collected =
  globalThis.FinalizationRegistry && new FinalizationRegistry((number) => wasm.freeLayout(number));

/** The method that only this file calls; React Native's Babel preset knows no static block. */
const NUMBER = Symbol("number");

/**
 * The module's number of a layout.
 *
 * @param {unknown} layout
 */
export function layoutNumber(layout) {
  if (layout instanceof Layout) return layout[NUMBER]();
  throw new EdgeflakeError(
    "invalid-layout",
    `the layout is ${shown(layout)}: a Layout is allowed; ${EXAMPLE}`,
  );
}

/**
 * Which bits a layout has, as text: equal for layouts whose ids are equal.
 *
 * @param {unknown} layout
 */
export const bitsOf = (layout) => read(wasm.printBits(layoutNumber(layout)));

export class Layout {
  /** The module's number of it; 0 once it is freed. */
  #number;
  /** @type {string | undefined} */
  #text;
  /** @type {readonly Field[] | undefined} */
  #fields;
  /** @type {ReturnType<typeof placesOf> | undefined} */
  #places;

  /**
   * @param {{ fields: readonly Field[], epochMs: Moment, tickMs?: number } | { text: string } |
   *   { preset: string, options?: PresetOptions }} options the last two are those of `parse` and
   *   `preset`
   */
  constructor(options) {
    // What is no object has no options, and is told so.
    const source = /** @type {any} */ (options);
    if ("preset" in Object(options)) {
      const { preset, options: chosen } = known("new Layout", source, ["preset", "options"]);
      this.#number = named(preset, chosen);
    } else if ("text" in Object(options)) {
      this.#number = parsed(known("new Layout", source, ["text"]).text);
    } else {
      this.#number = parsed(printed(source));
    }
    collected?.register(this, this.#number, this);
  }

  /**
   * @param {string} name
   * @param {PresetOptions} [options]
   */
  static preset(name, options) {
    return new Layout({ preset: name, options });
  }

  /** @param {string} text */
  static parse(text) {
    return new Layout({ text });
  }

  get fields() {
    // A caller that sorts them would change what an id says.
    this.#fields ??= Object.freeze(this.#words().slice(0, -2).map(field));
    return this.#fields;
  }

  get epochMs() {
    const [epoch] = this.#words().slice(-2);
    return Number(epoch.slice("@".length));
  }

  get tickMs() {
    const [tick] = this.#words().slice(-1);
    return Number(tick.slice("tick=".length, -"ms".length));
  }

  #words() {
    return this.toString().split(" ");
  }

  toString() {
    this.#text ??= read(wasm.printLayout(this[NUMBER]()));
    return this.#text;
  }

  toJSON() {
    return this.toString();
  }

  /** @param {Id} id */
  decode(id) {
    const whole = idOf(id);
    // Throws once it is disposed of.
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
   *
   * @param {bigint} id
   */
  #decodeInModule(id) {
    if (!wasm.decode(this[NUMBER](), id)) throw refusal();
    const [timestampMs, node, sequence, tag] = exchange().numbers;
    return new DecodedId(this, id, timestampMs, node, sequence, tag);
  }

  /**
   * @param {BigUint64Array | readonly Id[] | string} ids
   * @returns {DecodedColumns}
   */
  decodeMany(ids) {
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

  /** @param {{ timestampMs: Moment, node?: NodeId, sequence?: number, tag?: number }} parts */
  encode(parts) {
    const { timestampMs, node = 0, sequence = 0, tag = 0 } = known("encode", parts, PARTS);
    const done = wasm.pack(
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
   * @param {Moment} fromMs
   * @param {Moment} untilMs
   * @param {{ node?: NodeId }} [options]
   */
  range(fromMs, untilMs, options = {}) {
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

  /**
   * @param {Moment} [nowMs]
   * @returns {LayoutInfo}
   */
  info(nowMs = Date.now()) {
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

  /**
   * @param {bigint} id
   * @returns {FieldValue[]}
   */
  fieldValues(id) {
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

  /**
   * @param {bigint} id
   * @returns {Warning[]}
   */
  warnings(id) {
    const length = wasm.warnings(this[NUMBER](), id, Date.now());
    return (length ? readLines(length) : []).map((line) => {
      const [code, message] = line.split("\t");
      return { code: /** @type {Warning["code"]} */ (code), message };
    });
  }

  #findPlaces() {
    this.#places ??= placesOf(this);
    return this.#places;
  }

  [Symbol.dispose]() {
    collected?.unregister(this);
    wasm.freeLayout(this.#number);
    this.#number = 0;
  }

  [NUMBER]() {
    if (this.#number) return this.#number;
    throw new EdgeflakeError("closed", "the layout was disposed of: make another");
  }
}

/**
 * The number of a node that is given whole, or by the values of its fields.
 *
 * @param {{ fields: readonly Field[] }} layout
 * @param {NodeId} node
 */
export function nodeNumber(layout, node) {
  const fields = layout.fields.filter(({ role }) => role === "node");
  if (Object(node) !== node) {
    const bits = fields.reduce((sum, { bits }) => sum + bits, 0);
    return integer("node", /** @type {number} */ (node), 2 ** bits - 1);
  }
  const names = fields.map(({ name }) => name);
  const given = known("node", /** @type {Record<string, number>} */ (node), names);
  const values = fields.map(({ name, bits }) =>
    BigInt(integer(`node.${name}`, given[name], 2 ** bits - 1)),
  );
  exchange().ids.set(values);
  const number = wasm.nodeOf(layoutNumber(layout), values.length);
  if (number < 0) throw refusal();
  return number;
}

/** What the module calls the options of a preset. */
const PRESET_OPTIONS = {
  epochMs: "epoch",
  nodes: "nodes",
  bitsSequence: "bits-sequence",
  bitsNodeId: "bits-node-id",
};

/**
 * @param {unknown} name
 * @param {PresetOptions} [options]
 */
function named(name, options = {}) {
  const chosen = known("Layout.preset", options, Object.keys(PRESET_OPTIONS));
  if (typeof name !== "string" || !/^[\w-]+$/.test(name)) {
    throw new EdgeflakeError(
      "unknown-preset",
      `the preset is ${shown(name)}: a name that presets() lists is allowed`,
    );
  }
  let text = name;
  for (const [option, word] of Object.entries(PRESET_OPTIONS)) {
    const value = chosen[/** @type {keyof PresetOptions} */ (option)];
    if (value !== undefined) text += ` ${word}=${integer(option, value)}`;
  }
  return parsed(text);
}

/** @param {unknown} text */
function parsed(text) {
  if (typeof text !== "string") {
    throw new EdgeflakeError(
      "invalid-layout",
      `the layout is ${shown(text)}: a text such as "twitter" or "timestamp:41 node:22 @2020-01-01" is allowed`,
    );
  }
  if (text.length > LAYOUT_STRING_MAX) {
    throw new EdgeflakeError(
      "invalid-layout",
      `a layout string of ${text.length} characters: at most ${LAYOUT_STRING_MAX} are allowed`,
    );
  }
  const number = wasm.parseLayout(write(text));
  if (number) return number;
  throw refusal();
}

/**
 * The layout string of these fields, which says what is wrong with them when it is read.
 *
 * @param {{ fields: readonly Field[], epochMs: Moment, tickMs?: number }} options
 */
function printed(options) {
  const names = ["fields", "epochMs", "tickMs"];
  const { fields, epochMs, tickMs = 1 } = known("new Layout", options, names, `; ${EXAMPLE}`);
  if (!Array.isArray(fields)) {
    throw new EdgeflakeError(
      "invalid-layout",
      `fields is ${shown(fields)}: an array of { name, bits, role } is allowed; ${EXAMPLE}`,
    );
  }
  const words = fields.map((field) => {
    const { name, bits, role } = known("a field", Object(field), ["name", "bits", "role"]);
    if (typeof name !== "string" || /[\s:]/.test(name)) {
      throw new EdgeflakeError(
        "invalid-layout",
        `the name of a field is ${shown(name)}: a-z, A-Z, 0-9, - and _ are allowed`,
      );
    }
    return `${String(role)}.${name}:${integer(`bits of field ${name}`, bits)}`;
  });
  words.push(`@${integer("epochMs", epochMs)}`, `tick=${integer("tickMs", tickMs)}ms`);
  return words.join(" ");
}

/**
 * The field of a word of a layout string.
 *
 * @param {string} word
 * @returns {Field}
 */
function field(word) {
  const [label, bits] = word.split(":");
  const [role, name = role] = label.split(".");
  return Object.freeze({ name, bits: Number(bits), role: /** @type {Field["role"]} */ (role) });
}
