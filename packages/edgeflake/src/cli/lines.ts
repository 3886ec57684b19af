// Prints decoded ids in large pieces. Makes the texts that all ids of a layout share only once.

import { halves, split } from "../halves.js";
import { type Field, placesOf, valueIn } from "../layout/fields.js";
import type { IdentifiedColumns } from "../layout/identify.js";
import type { DecodedColumns, Layout } from "../layout/layout.js";

/** Approximate size of one write, in bytes. It is below the 64 KiB that a Linux pipe holds. */
const PIECE = 48 * 1024;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const digits = (number: number, count: number) => `${Math.trunc(number)}`.padStart(count, "0");

/** The text of each minute, second and millisecond, such as `23:59:`, `59.` and `999Z`. */
const MINUTES = Array.from(
  { length: 1440 },
  (_, i) => `${digits(i / 60, 2)}:${digits(i % 60, 2)}:`,
);
const SECONDS = Array.from({ length: 60 }, (_, i) => `${digits(i, 2)}.`);
const MILLIS = Array.from({ length: 1000 }, (_, i) => `${digits(i, 3)}Z`);

/** Columns of decoded ids. Rows whose `timestampMs` is NaN are not printed. */
interface Rows extends Omit<DecodedColumns, "id" | "refused"> {
  id: BigUint64Array;
  /** Returns the layout of a row; undefined if the row is a Unix time. */
  layoutOf(row: number): Layout | undefined;
  /** The likeliest source of each id, if the user named no layout. */
  likeliest?: Pick<IdentifiedColumns, "preset" | "share">;
}

export class Lines {
  #isJson;
  #styled;
  #shapes = new Map<Layout, ReturnType<typeof shapeOf>>();

  constructor(isJson: boolean, styled: (style: "bold" | "yellow", text: string) => string) {
    this.#isJson = isJson;
    this.#styled = styled;
  }

  /** Yields each row as a line of JSON or as lines for people, in pieces that fit into a pipe. */
  *decoded(rows: Rows) {
    let piece = "";
    for (let row = 0; row < rows.id.length; row++) {
      if (Number.isNaN(rows.timestampMs[row])) continue;
      const id = rows.id[row];
      const layout = rows.layoutOf(row);
      const warnings = layout?.warnings(id) ?? [];
      const fields = layout && this.#fields(id, layout);
      piece += this.#isJson
        ? jsonLine(rows, row, fields, warnings.length > 0 ? JSON.stringify(warnings) : "[]")
        : this.#plain(rows, row, `${fields ?? ""}`, warnings);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
    yield piece;
  }

  #plain(rows: Rows, row: number, fields: string, warnings: { message: string }[]) {
    const { id, timestampMs, likeliest } = rows;
    let text = `${this.#styled("bold", `${id[row]}`)} ${isoOf(timestampMs[row])}`;
    if (likeliest) {
      const percent = percentOf(likeliest.share[row]);
      text += ` in ${likeliest.preset[row]}, the likeliest layout (${percent} %)`;
    }
    text += fields;
    for (const { message } of warnings) {
      text += `\n${this.#styled("yellow", `  warning: ${message}`)}`;
    }
    return `${text}\n`;
  }

  #fields(id: bigint, layout: Layout) {
    let shape = this.#shapes.get(layout);
    if (!shape) {
      shape = shapeOf(layout, this.#isJson);
      this.#shapes.set(layout, shape);
    }
    const { runs, words } = shape;
    split(id);
    const [low, high] = halves;
    let text = words[0];
    for (let i = 0; i < runs.length; i++) text += valueIn(runs[i].run, low, high) + words[i + 1];
    return text;
  }
}

/** Writes a time as `Date.toISOString` does, but faster for many times of one day. */
export function isoOf(ms: number) {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.day) {
    lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length) };
  }
  const rest = ms - day * DAY_MS;
  const minute = MINUTES[Math.floor(rest / MINUTE_MS)];
  return lastDay.text + minute + SECONDS[Math.floor(rest / 1000) % 60] + MILLIS[rest % 1000];
}

let lastDay = { day: NaN, text: "" };

export const percentOf = (share: number) => (Math.round(1000 * share) / 10).toFixed(1);

function jsonLine(rows: Rows, row: number, fields: string | undefined, warnings: string) {
  const { id, timestampMs, node, sequence, tag, likeliest } = rows;
  const ms = timestampMs[row];
  let text = `{"id":"${id[row]}","timestampMs":${ms},"date":"${isoOf(ms)}"`;
  if (fields !== undefined) {
    text += `,"node":${node[row]},"sequence":${sequence[row]},"tag":${tag[row]}`;
    text += `,"fields":[${fields}],"warnings":${warnings}`;
  }
  if (likeliest) text += `,"layout":"${likeliest.preset[row]}"`;
  return `${text}}\n`;
}

/** Returns the bit positions of a layout's fields, and the texts around the fields' values. */
function shapeOf({ fields }: Layout, isJson: boolean) {
  return { runs: placesOf(fields).runs, words: (isJson ? jsonWords : plainWords)(fields) };
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
