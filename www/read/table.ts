// The rows of a reading, decoded in a layout, for the table and its file.

import { type DecodedColumns, EdgeflakeError, type Layout } from "edgeflake";
import { iso } from "../ui/words.ts";
import type { Columns } from "./columns.ts";
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

/** An id that the layout refuses has no fields. */
export function csvOf({
  columns,
  lines,
  lags,
  rows,
  systems,
  pasted = new Map(),
}: CsvRows): string {
  const { id, timestampMs, node, sequence, tag } = columns;
  const header = ["line", "id", "date", "unix_ms", "node", "sequence", "tag"];
  if (systems) header.push("system");
  if (lags) header.push("logged_after_ms");
  const names = [...pasted.keys()].map((name) => (header.includes(name) ? `pasted_${name}` : name));
  const cells = [...pasted.values()].map(
    (one) => new Map(one.map(({ line, text }) => [line, text])),
  );
  const line = (row: number) => {
    const ms = timestampMs[row] ?? NaN;
    const fields = Number.isNaN(ms)
      ? ["", "", "", "", ""]
      : [iso(ms), ms, node[row], sequence[row], tag[row]];
    const lag = lags && [Number.isNaN(lags[row]) ? "" : lags[row]];
    const others = cells.map((texts) => quoted(texts.get(lines[row] ?? 0) ?? ""));
    return [
      lines[row],
      id[row],
      ...fields,
      ...(systems ? [quoted(systems[row] ?? "")] : []),
      ...(lag ?? []),
      ...others,
    ].join();
  };
  const all = [...(rows ?? id.keys())].map(line);
  return `${[[...header, ...names.map(quoted)].join(), ...all].join("\n")}\n`;
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
