// Prints decoded ids in large pieces. Keeps texts that many ids share, because joining many short
// texts takes longer than decoding.

import { halves, split } from "../halves.js";
import { type Field, placesOf, valueIn } from "../layout/fields.js";
import type { Layout } from "../layout/layout.js";

/** Approximate size of one write, in bytes. It is below the 64 KiB that a Linux pipe holds. */
const PIECE = 48 * 1024;

/** The texts of values below this one are kept. Most nodes and sequences are below it. */
const KEPT_VALUES = 4096;

const DAY_MS = 86_400_000;

/** The numbers 0 to 999 in three digits. */
const THREE_DIGITS = Array.from({ length: 1000 }, (_, i) => `${i}`.padStart(3, "0"));
const MILLIS = THREE_DIGITS.map((digits) => `${digits}Z`);
/** The texts of the seconds of a day, such as `23:59:59.`. Each is made when it is first needed. */
const SECONDS: string[] = [];

/** The data that is printed about an id. A Unix time has no layout. */
interface Reading {
  timestampMs: number;
  layout?: Layout | undefined;
  /** The likeliest source of the id and its probability, if the user named no layout. */
  likeliest?: { preset: string | undefined; share: number };
}

type Run = Parameters<typeof valueIn>[0];

export class Lines {
  #isJson;
  #styled;
  #fieldTexts = new Map<Layout, { run: Run; text: NumberText }[]>();
  #node = new NumberText(',"node":', "");
  #sequence = new NumberText(',"sequence":', "");
  #tag = new NumberText(',"tag":', ',"fields":[');

  constructor(isJson: boolean, styled: (style: "bold" | "yellow", text: string) => string) {
    this.#isJson = isJson;
    this.#styled = styled;
  }

  /**
   * Yields each id as a line of JSON or as lines for people, in pieces that fit into a pipe. Omits
   * ids without a reading.
   */
  *decoded(ids: BigUint64Array, readingOf: (id: bigint, row: number) => Reading | undefined) {
    const nowMs = Date.now();
    let piece = "";
    for (let row = 0; row < ids.length; row++) {
      const id = ids[row];
      const reading = readingOf(id, row);
      if (!reading) continue;
      piece += this.#isJson ? this.#json(id, reading, nowMs) : this.#plain(id, reading, nowMs);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
    yield piece;
  }

  #plain(id: bigint, { timestampMs, layout, likeliest }: Reading, nowMs: number) {
    let text = `${this.#styled("bold", `${id}`)} ${isoOf(timestampMs)}`;
    if (likeliest) {
      const percent = percentOf(likeliest.share);
      text += ` in ${likeliest.preset}, the likeliest layout (${percent} %)`;
    }
    if (!layout) return `${text}\n`;
    text += this.#fields(id, layout);
    for (const { message } of layout.warnings(id, nowMs)) {
      text += `\n${this.#styled("yellow", `  warning: ${message}`)}`;
    }
    return `${text}\n`;
  }

  #json(id: bigint, { timestampMs, layout, likeliest }: Reading, nowMs: number) {
    const ms = textOf(timestampMs);
    let text = `{"id":"${id}","timestampMs":${ms},"date":"${isoOf(timestampMs)}"`;
    if (layout) {
      const { node, sequence, tag } = layout.decode(id);
      text += this.#node.of(node) + this.#sequence.of(sequence) + this.#tag.of(tag);
      text += this.#fields(id, layout);
      const warnings = layout.warnings(id, nowMs);
      text += warnings.length > 0 ? `],"warnings":${JSON.stringify(warnings)}` : '],"warnings":[]';
    }
    if (likeliest) text += `,"layout":"${likeliest.preset}"`;
    return `${text}}\n`;
  }

  #fields(id: bigint, layout: Layout) {
    let fields = this.#fieldTexts.get(layout);
    if (!fields) {
      fields = placesOf(layout.fields).runs.map(({ run, ...field }, place) => {
        return { run, text: this.#isJson ? jsonText(field, place) : plainText(field) };
      });
      this.#fieldTexts.set(layout, fields);
    }
    split(id);
    const low = halves[0];
    const high = halves[1];
    let text = "";
    for (let i = 0; i < fields.length; i++) {
      text += fields[i].text.of(valueIn(fields[i].run, low, high));
    }
    return text;
  }
}

/** A number between two constant texts. */
class NumberText {
  #before;
  #after;
  #kept: string[] = [];

  constructor(before: string, after: string) {
    this.#before = before;
    this.#after = after;
  }

  of(value: number) {
    if (value >= KEPT_VALUES) return this.#before + textOf(value) + this.#after;
    // `join` returns a text in one piece, which is faster to join with others.
    this.#kept[value] ??= [this.#before, value, this.#after].join("");
    return this.#kept[value];
  }
}

function plainText({ name, bits }: Field) {
  return new NumberText(`\n  ${name.padEnd(24)} `, ` (${bits} ${bits === 1 ? "bit" : "bits"})`);
}

function jsonText(field: Field, place: number) {
  const constant = JSON.stringify(field).slice(0, -1);
  return new NumberText(`${place > 0 ? "," : ""}${constant},"value":`, "}");
}

/**
 * Writes an integer from 0 to 2^53 - 1. V8 takes twice as long for a number of 2^31 or more, so
 * this function splits the number.
 */
function textOf(integer: number) {
  const thousands = Math.floor(integer / 1000);
  return thousands === 0 ? `${integer}` : thousands + THREE_DIGITS[integer - 1000 * thousands];
}

/** Writes a time as `Date.toISOString` does, but faster for many times of one day. */
export function isoOf(ms: number) {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.day) {
    lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length) };
  }
  const rest = ms - day * DAY_MS;
  const second = Math.floor(rest / 1000);
  SECONDS[second] ??= new Date(second * 1000).toISOString().slice("1970-01-01T".length, -4);
  return lastDay.text + SECONDS[second] + MILLIS[rest % 1000];
}

let lastDay = { day: NaN, text: "" };

export const percentOf = (share: number) => (Math.round(1000 * share) / 10).toFixed(1);
