// The encodings of ids, and the text that people and programs write around them.

import { type Encoding, encodings, format, identify, isId, parse } from "edgeflake";
import { ADDRESS, idInAddress, sourceOf } from "./links.ts";
import { isPlainPublicId } from "./public.ts";

/** A part of the pasted text, and its line, counted from 1. */
export interface Cell {
  text: string;
  line: number;
}

/** The cells of each column, by the column's name. */
export type Columns = Map<string, Cell[]>;

/** The encodings, in the order in which the Worker tries them, too. */
export const ENCODINGS = encodings();

/** The prefix `0x` shows that a text is hex. `0b` is not used, because `0b12` may be hex, too. */
const HEX = /^0x/i;
const BINARY = /^0b[01]+$/i;
/** A decimal number of at most 19 digits is always below 2^64. */
const DECIMAL = /^\d{1,19}$/;
const ID_MAX = 2n ** 64n - 1n;
/** The number of digits of the largest id. */
const DIGITS_MAX = 20;
/** The encoding of a column is found from at most this number of cells. */
const SAMPLE_MAX = 60;
/** The largest number of cells. The page leaves out the rest, because more would take too long. */
export const CELLS_MAX = 250_000;
/** The largest number of characters of a cell. It suffices for an address with an id. */
export const CELL_MAX = 300;
/** Every link, mention or name of a known system contains one of these characters. */
const SAYS_SOURCE = /[/<]|activity[-:]|^\W*\d{17,19}_\d+\W*$/i;
/** A word has at most this many characters. Ids from 2^42 on have at least 8, even in base64. */
const WORD_MAX = 7;
/**
 * Digits in groups of three, as people and spreadsheets write them. The number has at least 13
 * digits, because a shorter one could be a list of three-digit numbers.
 */
export const GROUPED = /^\d{1,3}([,._'’\u00a0\u202f ])\d{3}(?:\1\d{3}){3,5}$/;

/** Returns the encodings that the cells may have, the likeliest first. */
export function likeliestEncodings(cells: Cell[]): Encoding[] {
  const votes = new Map<Encoding, number>();
  for (const { text } of sample(cells)) {
    const own = sourceOf(text)?.encoding;
    if (own) return [own];
    if (isPlainPublicId(unquoted(text))) votes.set("base62", (votes.get("base62") ?? 0) + 2);
    encodingsOf(bare(text)).forEach((encoding, i) => {
      votes.set(encoding, (votes.get(encoding) ?? 0) + 1 + 1 / (i + 1));
    });
  }
  return [...votes].sort(([, a], [, b]) => b - a).map(([encoding]) => encoding);
}

/** Adds a cell to its column. Columns beyond `columnsMax`, and their cells, are left out. */
export function addCell(columns: Columns, name: string, cell: Cell, columnsMax: number) {
  const cells = columns.get(name) ?? [];
  if (cells.length === 0 && columns.size === columnsMax) return;
  columns.set(name, cells);
  if (cells.length < CELLS_MAX) cells.push(cell);
}

/** Returns at most `SAMPLE_MAX` of the items, evenly distributed. */
export function sample<T>(all: T[]): T[] {
  const step = Math.ceil(all.length / SAMPLE_MAX);
  return all.filter((_, i) => i % step === 0);
}

/**
 * Returns the encodings that can read a text. Encodings that would print exactly this text come
 * first. Among these, encodings that give a plausible date come first.
 */
function encodingsOf(text: string): Encoding[] {
  const readable = readersOf(text);
  if (readable.length < 2 || readable[0] === "decimal") return readable;
  const scored = readable.map((encoding, i) => {
    const id = parse(text, encoding);
    const exact = format(id, encoding) === text;
    const dated = identify(id)[0]?.reasons.startsWith("date plausible");
    return { encoding, score: (exact ? 200 : 0) + (dated ? 100 : 0) - i };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ encoding }) => encoding);
}

/** Returns the encodings that can read a text, in the order of `ENCODINGS`. */
export function readersOf(text: string): Encoding[] {
  const own = prefixed(text);
  if (own) return reads(own.digits, own.encoding) === undefined ? [] : [own.encoding];
  return isWord(text) ? [] : ENCODINGS.filter((one) => reads(text, one) !== undefined);
}

/** Returns the encoding that a text's prefix shows, and the digits after the prefix. */
function prefixed(text: string) {
  const encoding: Encoding | "" = HEX.test(text) ? "hex" : BINARY.test(text) ? "binary" : "";
  return encoding === "" ? undefined : { encoding, digits: text.slice(2) };
}

function isWord(text: string) {
  return text.length <= WORD_MAX && !/^-?\d+$/.test(text);
}

/** Returns `undefined` if the encoding cannot read the text. */
export function reads(text: string, encoding: Encoding): bigint | undefined {
  return isId(text, encoding, { unpadded: true }) ? parse(text, encoding) : undefined;
}

/** Returns the encoding of a cell: its own if the text shows one, or else the column's. */
export function encodingOf(cell: string, encoding: Encoding): Encoding {
  // This check is faster than the search for text around an id, which matters for 100,000 cells.
  if (encoding === "decimal" && DECIMAL.test(cell)) return encoding;
  const text = bare(cell);
  return prefixed(text)?.encoding ?? (/^-\d+$/.test(text) ? "signed-decimal" : encoding);
}

/** Reads the id of a cell in its encoding. */
export function idOf(cell: string, encoding: Encoding): bigint {
  if (encoding === "decimal" && DECIMAL.test(cell)) return BigInt(cell);
  const text = bare(cell);
  if (text === "") throw new RangeError("there is no id in it");
  if (/^\d+(\.\d+)?e\+?\d+$/i.test(text)) {
    throw new RangeError(`${text} was rounded: its last digits are lost, so copy the id as text`);
  }
  if (encoding === "decimal" && /^\d+$/.test(text)) {
    const { length } = text;
    if (length > DIGITS_MAX) {
      throw new RangeError(`this number has ${length} digits: an id has at most ${DIGITS_MAX}`);
    }
    if (BigInt(text) > ID_MAX) {
      throw new RangeError(`this number is too large: the largest id is ${ID_MAX}`);
    }
  }
  const own = prefixed(text);
  return parse(own?.encoding === encoding ? own.digits : text, encoding);
}

/** Returns a cell's text without what people and programs write around an id. */
export function bare(cell: string): string {
  if (cell.length > CELL_MAX) return cell;
  if (SAYS_SOURCE.test(cell)) {
    const whole = cell.replace(/^[\s"'`(]+|[\s"'`,;.)]+$/g, "");
    const id = sourceOf(whole)?.id;
    if (id !== undefined) return id;
    if (ADDRESS.test(whole)) return idInAddress(whole);
  }
  let text = cell.replace(/^[\s"'`<>()[\]{},;@!#&]+|[\s"'`<>()[\]{},;!.]+$/g, "");
  // This removes the text around the id in `ObjectId("...")`.
  text = text.replace(/^(?:new )?[A-Za-z]+\(["']?/, "");
  // This removes the text before the id in `id: 1`, `user=1`, `<:name:1>` and `ord_1ptWyK4WgZU`.
  text = text.replace(/^[\w .:@#-]*[:=#]\s*/, "").replace(/^["']|["']$/g, "");
  if (GROUPED.test(text)) return text.replaceAll(/\D/g, "");
  const named = /^[a-z]+_(\d+|[0-9A-Za-z]{10,})$/i.exec(text);
  if (named?.[1] && text.length !== 11) text = named[1];
  // This removes the end of a pandas float and of a JavaScript bigint.
  return text.replace(/^(\d+)(?:\.0|n)$/, "$1");
}

/** Judges a text by its characters alone, because parsing 100,000 words would take seconds. */
export function couldBe(cell: string, encoding: Encoding): boolean {
  if (cell.length > CELL_MAX || !/\d/.test(cell)) return false;
  const text = bare(cell);
  if (prefixed(text)) return true;
  if (encoding === "decimal" || encoding === "signed-decimal") return /^-?\d{1,20}$/.test(text);
  return /^-?[\w-]{1,64}$/.test(text) && !isWord(text);
}

export function unquoted(text: string): string {
  return text.replace(/^[\s"'`]+|[\s"'`,;]+$/g, "");
}
