// What the command line prints of decoded ids: bytes put together from what all ids of a layout
// share, for as many ids at once as have arrived.

import { placesOf, valueIn } from "../lib/fields.js";
import { Bytes, bytesOf } from "./bytes.js";

/** @import { Field, Layout, Warning } from "edgeflake" */

/** The high 32 bits from which on an id is looked at for lost digits: those of 2^55. */
const ROUNDED_HIGH = 2 ** 23;

/** Those of 10^17, from which on what a JavaScript number prints ends with 0. */
const ZERO_HIGH = Math.ceil(1e17 / 2 ** 32);

/**
 * In bytes: how much is written at once. A pipe of Linux holds 64 KiB; a larger piece would wait in
 * its midst for the reader, while nothing is decoded.
 */
const PIECE = 48 * 1024;

/** Those of 2^63. */
const SIGN_HIGH = 2 ** 31;

/**
 * Ids with what they say, by rows. A row without a time is left out.
 *
 * @typedef {object} Rows
 * @property {BigUint64Array} id
 * @property {ArrayLike<number>} timestampMs
 * @property {ArrayLike<number>} node
 * @property {ArrayLike<number>} sequence
 * @property {ArrayLike<number>} tag
 * @property {(row: number) => Layout | undefined} layoutOf a row; none for Unix time
 * @property {{ preset: string[], share: ArrayLike<number> }} [likeliest] what each id is read as if
 * the user named no layout
 */

/** What stands around the values of a line. */
const WORDS = {
  id: bytesOf('{"id":"'),
  timestampMs: bytesOf('","timestampMs":'),
  date: bytesOf(',"date":"'),
  node: bytesOf('","node":'),
  sequence: bytesOf(',"sequence":'),
  tag: bytesOf(',"tag":'),
  fields: bytesOf(',"fields":['),
  warnings: bytesOf('],"warnings":'),
  layout: bytesOf(',"layout":"'),
  quote: bytesOf('"'),
  brace: bytesOf("}"),
  preset: bytesOf(" in "),
  share: bytesOf(", the likeliest layout ("),
  point: bytesOf("."),
  percent: bytesOf(" %)"),
  end: bytesOf("\n"),
};

/** No warnings, in JSON. */
const NONE = bytesOf("[]");

/** What all ids of a layout share. */
class Shape {
  /** @param {Layout} layout @param {boolean} isJson */
  constructor(layout, isJson) {
    this.layout = layout;
    this.fields = placesOf(layout).fields;
    /** What stands before each field's value, and after the last one. */
    this.words = (isJson ? jsonWords : plainWords)(layout.fields).map(bytesOf);
    /** The rows with the first date and the last one. */
    this.ends = [-1, -1];
    /** Whether the date of some row has a warning. */
    this.hasOddDate = false;
  }
}

/** Prints decoded ids, each as a line of JSON or as lines for people. */
export class Lines {
  #isJson;
  #styled;
  /** What stands before an id for people, and after it. */
  #bold;
  /** @type {Map<Layout, Shape>} */
  #shapes = new Map();
  /** @type {Map<string, Uint8Array>} */
  #presets = new Map();
  #out = new Bytes();

  /** @param {boolean} isJson @param {(style: "bold" | "yellow", text: string) => string} styled */
  constructor(isJson, styled) {
    this.#isJson = isJson;
    this.#styled = styled;
    const [before, after] = styled("bold", "|").split("|");
    this.#bold = [bytesOf(before), bytesOf(`${after} `)];
  }

  /** In pieces that fit a pipe. @param {Rows} rows */
  *decoded(rows) {
    const { id, timestampMs, layoutOf } = rows;
    const halves = new Uint32Array(id.buffer, id.byteOffset, 2 * id.length);
    this.#findOddDates(rows);
    for (let row = 0; row < id.length; row++) {
      if (Number.isNaN(timestampMs[row])) continue;
      const layout = layoutOf(row);
      const shape = layout && this.#shapes.get(layout);
      if (this.#isJson) this.#json(rows, row, halves, shape);
      else this.#plain(rows, row, halves, shape);
      if (this.#out.length >= PIECE) yield this.#out.take();
    }
    yield this.#out.take();
  }

  /**
   * Dates between two without a warning have none either, so those two tell it of all.
   *
   * @param {Rows} rows
   */
  #findOddDates({ id, timestampMs, layoutOf }) {
    for (const shape of this.#shapes.values()) shape.ends = [-1, -1];
    for (let row = 0; row < id.length; row++) {
      const layout = layoutOf(row);
      const ms = timestampMs[row];
      if (layout === undefined || Number.isNaN(ms)) continue;
      const { ends } = this.#shapeOf(layout);
      if (ends[0] < 0 || ms < timestampMs[ends[0]]) ends[0] = row;
      if (ends[1] < 0 || ms > timestampMs[ends[1]]) ends[1] = row;
    }
    for (const shape of this.#shapes.values()) {
      const found = shape.ends.filter((row) => row >= 0);
      shape.hasOddDate = found.some((row) => shape.layout.decode(id[row]).warnings.length > 0);
    }
  }

  /** @param {Layout} layout */
  #shapeOf(layout) {
    let shape = this.#shapes.get(layout);
    if (shape === undefined) {
      shape = new Shape(layout, this.#isJson);
      this.#shapes.set(layout, shape);
    }
    return shape;
  }

  /**
   * @param {Rows} rows
   * @param {number} row
   * @param {Uint32Array} halves
   * @param {Shape | undefined} shape
   */
  #json(rows, row, halves, shape) {
    const out = this.#out;
    out.put(WORDS.id);
    const isOdd = this.#id(halves, row);
    out.put(WORDS.timestampMs);
    out.number(rows.timestampMs[row]);
    out.put(WORDS.date);
    out.iso(rows.timestampMs[row]);
    if (shape) {
      out.put(WORDS.node);
      out.number(rows.node[row]);
      out.put(WORDS.sequence);
      out.number(rows.sequence[row]);
      out.put(WORDS.tag);
      out.number(rows.tag[row]);
      out.put(WORDS.fields);
      this.#fields(halves, row, shape);
      out.put(WORDS.warnings);
      const warnings = warningsOf(rows, row, shape, isOdd);
      out.put(warnings.length > 0 ? bytesOf(JSON.stringify(warnings)) : NONE);
    } else {
      out.put(WORDS.quote);
    }
    if (rows.likeliest) {
      out.put(WORDS.layout);
      out.put(this.#preset(rows.likeliest.preset[row]));
      out.put(WORDS.quote);
    }
    out.put(WORDS.brace);
    out.put(WORDS.end);
  }

  /**
   * @param {Rows} rows
   * @param {number} row
   * @param {Uint32Array} halves
   * @param {Shape | undefined} shape
   */
  #plain(rows, row, halves, shape) {
    const out = this.#out;
    const { likeliest } = rows;
    out.put(this.#bold[0]);
    const isOdd = this.#id(halves, row);
    out.put(this.#bold[1]);
    out.iso(rows.timestampMs[row]);
    if (likeliest) {
      const tenths = tenthsOf(likeliest.share[row]);
      const percent = Math.floor(tenths / 10);
      out.put(WORDS.preset);
      out.put(this.#preset(likeliest.preset[row]));
      out.put(WORDS.share);
      out.number(percent);
      out.put(WORDS.point);
      out.number(tenths - 10 * percent);
      out.put(WORDS.percent);
    }
    if (shape) {
      this.#fields(halves, row, shape);
      for (const { message } of warningsOf(rows, row, shape, isOdd)) {
        out.put(bytesOf(`\n${this.#styled("yellow", `  warning: ${message}`)}`));
      }
    }
    out.put(WORDS.end);
  }

  /**
   * Puts the id of a row. Says whether it may have a warning, whatever its date is.
   *
   * @param {Uint32Array} halves
   * @param {number} row
   */
  #id(halves, row) {
    const high = halves[2 * row + 1];
    const endsWithZero = this.#out.id(high, halves[2 * row]);
    return high >= ROUNDED_HIGH && (endsWithZero || high < ZERO_HIGH || high >= SIGN_HIGH);
  }

  /**
   * @param {Uint32Array} halves
   * @param {number} row
   * @param {Shape} shape
   */
  #fields(halves, row, { words, fields }) {
    const out = this.#out;
    out.put(words[0]);
    for (let i = 0; i < fields.length; i++) {
      out.number(valueIn(fields[i].run, halves[2 * row], halves[2 * row + 1]));
      out.put(words[i + 1]);
    }
  }

  /** @param {string} name */
  #preset(name) {
    let bytes = this.#presets.get(name);
    if (bytes === undefined) {
      bytes = bytesOf(name);
      this.#presets.set(name, bytes);
    }
    return bytes;
  }
}

/** @param {{ share: number }} candidate */
export function percentOf({ share }) {
  return (tenthsOf(share) / 10).toFixed(1);
}

/** @param {number} share */
function tenthsOf(share) {
  return Math.round(1000 * share);
}

/**
 * @param {Rows} rows
 * @param {number} row
 * @param {Shape} shape
 * @param {boolean} isOdd whether the id may have a warning whatever its date is
 * @returns {Warning[]}
 */
function warningsOf({ id }, row, { layout, hasOddDate }, isOdd) {
  return isOdd || hasOddDate ? layout.decode(id[row]).warnings : [];
}

/** @param {readonly Field[]} fields */
function plainWords(fields) {
  const after = fields.map(({ bits }) => ` (${bits} ${bits === 1 ? "bit" : "bits"})`);
  const before = fields.map(({ name }) => `\n  ${name.padEnd(24)} `);
  return ["", ...after].map((text, i) => text + (before[i] ?? ""));
}

/** @param {readonly Field[]} fields */
function jsonWords(fields) {
  const before = fields.map(({ name, bits, role }, i) => {
    const constant = JSON.stringify({ name, bits, role }).slice(0, -1);
    return `${i > 0 ? "}," : ""}${constant},"value":`;
  });
  return [...before, "}"];
}
