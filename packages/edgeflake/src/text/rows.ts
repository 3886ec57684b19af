import { exchange, ROWS_MAX, TEXT_MAX, wasm, writeText } from "../module/exchange.js";
import { refused } from "../options.js";
import { type Codec, codecOf, read } from "./codec.js";
import { type Id, idOf } from "./text.js";

/**
 * A `BigUint64Array<ArrayBuffer>`, which `new Blob([ids])` takes. The type is written without the
 * parameter, because TypeScript before 5.7 has no such parameter.
 */
export type Ids = ReturnType<BigUint64ArrayConstructor["from"]>;

/** A `Float64Array<ArrayBuffer>`, written without the parameter for the same reason as `Ids`. */
export type Numbers = ReturnType<Float64ArrayConstructor["from"]>;

/** Many ids as an argument: an array, or a text with one id per line. */
export type IdRows = BigUint64Array | readonly Id[] | string;

export interface Rows {
  /** A copy of the ids of all rows; 0n for a row that is not an id. */
  ids: Ids;
  /** The indices of the rows that are not ids, ascending. */
  unread: number[];
}

const DECIMAL = codecOf("decimal");

export function rowsOf(name: string, given: IdRows): Rows {
  if (given instanceof BigUint64Array) return { ids: given.slice(), unread: [] };
  if (typeof given === "string") return linesOf(given);
  if (!(given?.length >= 0)) {
    throw refused(name, given, "give a BigUint64Array, an array or a text", "invalid-id");
  }
  const ids = new BigUint64Array(given.length);
  const unread: number[] = [];
  for (let row = 0; row < given.length; row++) {
    const id = given[row];
    ids[row] = typeof id === "string" ? lineOf(id, DECIMAL, row, unread) : idOf(id);
  }
  return { ids, unread };
}

/** Returns the id of a text. For a text that is no id, adds `row` to `unread` and returns 0n. */
function lineOf(text: string, codec: Codec, row: number, unread: number[]) {
  const id = read(text, codec);
  if (id === undefined) unread.push(row);
  return id ?? 0n;
}

/**
 * Reads one id per line, without the white space around it. The WebAssembly module reads simple
 * decimal lines, many at once. JavaScript reads each line at which the module stops.
 */
export function linesOf(text: string, codec = DECIMAL): Rows {
  // The array has room for lines of 16 characters; it is enlarged if the lines are shorter.
  let ids = new BigUint64Array(text.length / 16 + ROWS_MAX);
  const unread: number[] = [];
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const length = codec === DECIMAL ? writeText(text.slice(at, at + TEXT_MAX)) : 0;
    const read = wasm.parseLines(length);
    const { ids: found, numbers } = exchange();
    const rows = numbers[0];
    if (count + rows >= ids.length) {
      const more = new BigUint64Array(2 * ids.length);
      more.set(ids);
      ids = more;
    }
    ids.set(found.subarray(0, rows), count);
    count += rows;
    at += read;
    if (read > 0) continue;
    const end = text.indexOf("\n", at);
    const line = end < 0 ? text.slice(at) : text.slice(at, end);
    ids[count] = lineOf(line.trim(), codec, count, unread);
    count += 1;
    at += line.length + 1;
  }
  return { ids: ids.slice(0, count), unread };
}

/** Returns the ids without the rows that are not ids. */
export function readable({ ids, unread }: Rows): Ids {
  if (unread.length === 0) return ids;
  const rows = new Set(unread);
  return ids.filter((_, row) => !rows.has(row));
}

/** Returns `count` columns for the ids. The WebAssembly module fills a chunk of rows per `fill`. */
export function columnsOf(
  ids: BigUint64Array,
  count: number,
  fill: (length: number) => void,
): Numbers[] {
  const columns = Array.from({ length: count }, () => new Float64Array(ids.length));
  for (let from = 0; from < ids.length; from += ROWS_MAX) {
    const some = ids.subarray(from, from + ROWS_MAX);
    exchange().ids.set(some);
    fill(some.length);
    const { columns: filled } = exchange();
    columns.forEach((column, i) => {
      column.set(filled.subarray(i * ROWS_MAX, i * ROWS_MAX + some.length), from);
    });
  }
  return columns;
}
