// The rows of a reading, decoded in a layout, for the table and its file.

import { type DecodedColumns, EdgeflakeError, type Layout } from "edgeflake";
import { iso } from "../ui/words.ts";
import type { Columns } from "./cells.ts";
import type { Reading, Refused } from "./read.ts";

export interface IdTable {
  columns: DecodedColumns;
  /** Dates that the layout cannot represent. */
  refused: Refused[];
  /** The line number of each row. */
  rows: Uint32Array;
}

export function tableOf({ ids, dates, lines }: Reading, of: Layout): IdTable {
  if (!dates) return { columns: of.decodeMany(ids), refused: [], rows: lines };
  const [kept, rows, refused]: [bigint[], number[], Refused[]] = [[], [], []];
  for (const [i, id] of ids.entries()) {
    const [ms, line] = [dates[i], lines[i]];
    try {
      kept.push(Number.isNaN(ms) ? id : of.encode({ timestampMs: ms }));
      rows.push(line);
    } catch (error) {
      if (!(error instanceof EdgeflakeError)) throw error;
      refused.push({ line, text: iso(ms), message: error.message });
    }
  }
  const columns = of.decodeMany(BigUint64Array.from(kept));
  return { columns, refused, rows: Uint32Array.from(rows) };
}

/** Decodes each id of a reading without dates in a layout of its own, if it has one. */
export function tableOfEach({ ids, lines }: Reading, layouts: (Layout | undefined)[]): IdTable {
  const rows = layouts.map((layout, row) => layout?.decodeMany(ids.subarray(row, row + 1)));
  const column = (name: "timestampMs" | "node" | "sequence" | "tag") =>
    Float64Array.from(rows, (row) => row?.[name][0] ?? NaN);
  const columns = {
    id: ids.slice(),
    timestampMs: column("timestampMs"),
    node: column("node"),
    sequence: column("sequence"),
    tag: column("tag"),
    refused: Uint32Array.from(rows.keys()).filter((row) => rows[row]?.refused.length !== 0),
  };
  return { columns, refused: [], rows: lines };
}

interface CsvRows {
  columns: DecodedColumns;
  /** The line number of each row in the paste. */
  lines: ArrayLike<number>;
  /** The time in ms from each id to the moment at which its line was written. */
  lags: Float64Array | undefined;
  /** The rows to write; without it, all rows. */
  rows?: Uint32Array | undefined;
  /** The system of each row, if the rows' systems differ. */
  systems?: string[] | undefined;
  /** The columns of the paste, which are added. */
  pasted?: Columns;
}

type CsvColumn = [name: string, cell: (row: number) => unknown];

/** An id that the layout refuses has no fields. */
export function csvOf({ columns, lines, lags, rows, systems, pasted = new Map() }: CsvRows) {
  const { id, timestampMs, node, sequence, tag } = columns;
  const known = (values: Float64Array) => (row: number) =>
    Number.isNaN(values[row]) ? "" : values[row];
  const all: CsvColumn[] = [
    ["line", (row) => lines[row]],
    ["id", (row) => id[row]],
    ["date", (row) => (Number.isNaN(timestampMs[row]) ? "" : iso(timestampMs[row]))],
    ["unix_ms", known(timestampMs)],
    ["node", known(node)],
    ["sequence", known(sequence)],
    ["tag", known(tag)],
  ];
  if (systems) all.push(["system", (row) => systems[row]]);
  if (lags) all.push(["logged_after_ms", known(lags)]);
  const own = all.map(([name]) => name);
  for (const [name, cells] of pasted) {
    const texts = new Map(cells.map(({ line, text }) => [line, text]));
    all.push([own.includes(name) ? `pasted_${name}` : name, (row) => texts.get(lines[row]) ?? ""]);
  }
  const header = all.map(([name]) => quoted(name));
  const written = [...(rows ?? id.keys())].map((row) => all.map(([, cell]) => quoted(cell(row))));
  return [header, ...written].map((cells) => `${cells.join()}\n`).join("");
}

function quoted(cell: unknown) {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
