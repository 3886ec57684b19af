// The ids of a reading in a layout: decoded, and as a file.

import { type DecodedColumns, EdgeflakeError, type Layout } from "edgeflake";
import { iso } from "../ui/words.ts";
import type { Reading, Refused } from "./read.ts";

export interface IdTable {
  columns: DecodedColumns;
  /** The dates that the layout does not have. */
  refused: Refused[];
  /** The line of each row. */
  rows: Uint32Array;
}

export function tableOf({ ids, dates, lines }: Reading, of: Layout): IdTable {
  if (!dates) return { columns: of.decodeMany(ids), refused: [], rows: lines };
  const [kept, rows, refused]: [bigint[], number[], Refused[]] = [[], [], []];
  for (const [i, id] of ids.entries()) {
    const [ms, line] = [dates[i] ?? NaN, lines[i] ?? 0];
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

/**
 * The number of rows of one part. The file is in parts, because one text of all rows would be held
 * twice.
 */
const PART = 10_000;

/** The columns of a file, in this order. */
export const CSV_COLUMNS = [
  "line",
  "id",
  "date",
  "unix_ms",
  "node",
  "sequence",
  "tag",
  "logged_after_ms",
] as const;

type CsvColumn = (typeof CSV_COLUMNS)[number];

interface CsvRows {
  columns: DecodedColumns;
  /** The line of each row in the paste. */
  lines: ArrayLike<number>;
  /** The ms from each id to the writing of its line. */
  lags: Float64Array | undefined;
  /** The rows to write; all of them without it. */
  rows?: Uint32Array | undefined;
  /** One of the columns; empty for all of them. */
  only?: string;
}

/** Returns the file in parts. An id that the layout refuses has no fields. */
export function csvOf({ columns, lines, lags, rows, only = "" }: CsvRows): string[] {
  const { id, timestampMs, node, sequence, tag } = columns;
  const fits = (row: number) => !Number.isNaN(timestampMs[row]);
  const cells: Record<CsvColumn, (row: number) => string | number | bigint | undefined> = {
    line: (row) => lines[row],
    id: (row) => id[row],
    date: (row) => (fits(row) ? iso(timestampMs[row] ?? NaN) : ""),
    unix_ms: (row) => (fits(row) ? timestampMs[row] : ""),
    node: (row) => (fits(row) ? node[row] : ""),
    sequence: (row) => (fits(row) ? sequence[row] : ""),
    tag: (row) => (fits(row) ? tag[row] : ""),
    logged_after_ms: (row) => (lags && !Number.isNaN(lags[row]) ? lags[row] : ""),
  };
  const names = CSV_COLUMNS.filter((name) =>
    only === "" ? lags || name !== "logged_after_ms" : name === only,
  );
  const wanted = names.map((name) => cells[name]);
  const parts = [`${names.join(",")}\n`];
  const count = rows?.length ?? id.length;
  for (let from = 0; from < count; from += PART) {
    const written = [];
    for (let i = from; i < Math.min(from + PART, count); i++) {
      const row = rows?.[i] ?? i;
      written.push(`${wanted.map((cell) => cell(row)).join(",")}\n`);
    }
    parts.push(written.join(""));
  }
  return parts;
}
