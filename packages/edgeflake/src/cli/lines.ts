// Prints decoded ids as bytes, in large pieces. The texts that all ids of a layout share, such as
// field names, are encoded only once. Between them, the values of each id are written.

import type { Warning } from "../layout/decoded.js";
import { type Field, placesOf, valueIn } from "../layout/fields.js";
import type { IdentifiedColumns } from "../layout/identify.js";
import type { DecodedColumns, Layout } from "../layout/layout.js";
import { Bytes, bytesOf } from "./bytes.js";

/** The high 32 bits of 2^55. Smaller ids never get the warning that digits were lost. */
const ROUNDED_HIGH = 2 ** 23;

/** The high 32 bits of 10^17. JavaScript numbers from 10^17 on are printed with a 0 at the end. */
const ZERO_HIGH = Math.ceil(1e17 / 2 ** 32);

/**
 * Size of one write, in bytes. A Linux pipe holds 64 KiB. A larger write would block until the
 * reader has made room, and no ids would be decoded meanwhile.
 */
const PIECE = 48 * 1024;

const SIGN_HIGH = 2 ** 31;

/** Columns of decoded ids. Rows whose `timestampMs` is NaN are not printed. */
interface Rows extends Omit<DecodedColumns, "id" | "refused"> {
  id: BigUint64Array;
  /** Returns the layout of a row; undefined if the row is a Unix time. */
  layoutOf(row: number): Layout | undefined;
  /** The likeliest source of each id, if the user named no layout. */
  likeliest?: Pick<IdentifiedColumns, "preset" | "share">;
}

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

const NONE = bytesOf("[]");

/** The texts and fields that all ids of a layout share. */
class Shape {
  readonly layout;
  readonly fields;
  /** The texts before each field's value, and after the last one. */
  readonly words;
  /** The rows with the earliest and the latest date; -1 until they are found. */
  ends = [-1, -1];
  /** Whether the date of at least one row has a warning. */
  hasOddDate = false;

  constructor(layout: Layout, isJson: boolean) {
    this.layout = layout;
    this.fields = placesOf(layout).fields;
    this.words = (isJson ? jsonWords : plainWords)(layout.fields).map(bytesOf);
  }
}

/** Prints decoded ids, each as a line of JSON or as lines for people. */
export class Lines {
  #isJson;
  #styled;
  /** The texts before and after an id, which print it in bold on a terminal with colours. */
  #bold;
  #shapes = new Map<Layout, Shape>();
  #presets = new Map<string | undefined, Uint8Array>();
  #out = new Bytes();

  constructor(isJson: boolean, styled: (style: "bold" | "yellow", text: string) => string) {
    this.#isJson = isJson;
    this.#styled = styled;
    const [before, after] = styled("bold", "|").split("|");
    this.#bold = [bytesOf(before), bytesOf(`${after} `)];
  }

  /** Yields the lines of all rows, in pieces that fit into a pipe. */
  *decoded(rows: Rows) {
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
   * Checks the earliest and the latest date of each layout for warnings. If these two dates have no
   * warning, no date between them has one.
   */
  #findOddDates({ id, timestampMs, layoutOf }: Rows) {
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

  #shapeOf(layout: Layout) {
    let shape = this.#shapes.get(layout);
    if (shape === undefined) {
      shape = new Shape(layout, this.#isJson);
      this.#shapes.set(layout, shape);
    }
    return shape;
  }

  #json(rows: Rows, row: number, halves: Uint32Array, shape: Shape | undefined) {
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

  #plain(rows: Rows, row: number, halves: Uint32Array, shape: Shape | undefined) {
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

  /** Appends the id of a row. Returns whether it may have a warning that is not about its date. */
  #id(halves: Uint32Array, row: number) {
    const high = halves[2 * row + 1];
    const endsWithZero = this.#out.id(high, halves[2 * row]);
    return high >= ROUNDED_HIGH && (endsWithZero || high < ZERO_HIGH || high >= SIGN_HIGH);
  }

  #fields(halves: Uint32Array, row: number, { words, fields }: Shape) {
    const out = this.#out;
    out.put(words[0]);
    for (let i = 0; i < fields.length; i++) {
      out.number(valueIn(fields[i].run, halves[2 * row], halves[2 * row + 1]));
      out.put(words[i + 1]);
    }
  }

  #preset(name: string | undefined) {
    let bytes = this.#presets.get(name);
    if (bytes === undefined) {
      bytes = bytesOf(`${name}`);
      this.#presets.set(name, bytes);
    }
    return bytes;
  }
}

export function percentOf({ share }: { share: number }) {
  return (tenthsOf(share) / 10).toFixed(1);
}

function tenthsOf(share: number) {
  return Math.round(1000 * share);
}

/** Returns the warnings of a row. The id is decoded only if it may have a warning. */
function warningsOf(
  { id }: Rows,
  row: number,
  { layout, hasOddDate }: Shape,
  isOdd: boolean,
): Warning[] {
  return isOdd || hasOddDate ? layout.decode(id[row]).warnings : [];
}

function plainWords(fields: readonly Field[]) {
  const after = fields.map(({ bits }) => ` (${bits} ${bits === 1 ? "bit" : "bits"})`);
  const before = fields.map(({ name }) => `\n  ${name.padEnd(24)} `);
  return ["", ...after].map((text, i) => text + (before[i] ?? ""));
}

function jsonWords(fields: readonly Field[]) {
  const before = fields.map(({ name, bits, role }, i) => {
    const constant = JSON.stringify({ name, bits, role }).slice(0, -1);
    return `${i > 0 ? "}," : ""}${constant},"value":`;
  });
  return [...before, "}"];
}
