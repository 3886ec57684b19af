// Reads a paste as ids, dates and ids of other kinds, and says how it was read. Nothing here needs
// the page, so a worker can read long texts.

import type { Encoding } from "edgeflake";
import { count, dateOf } from "../ui/words.ts";
import {
  bare,
  CELL_MAX,
  CELLS_MAX,
  type Cell,
  type Columns,
  couldBe,
  ENCODINGS,
  encodingOf,
  idOf,
  likeliestEncodings,
  readersOf,
  reads,
  sample,
  unquoted,
} from "./cells.ts";
import { columnsOf, type Table } from "./columns.ts";
import { type Kind, kindIn, kindReader } from "./kinds.ts";
import { type Source, sourceOf } from "./links.ts";
import { ALL, timesOfRows } from "./log.ts";
import { checkDigitsOf, isPlainPublicId, publicReader } from "./public.ts";

/** A text, and the reader's choices of how to read it. */
export interface Wish {
  text: string;
  /** An empty encoding or column means the likeliest one. */
  encoding: string;
  column: string;
  /** The key of public ids; empty if there is none. Its cipher must be loaded. */
  key: string;
}

/** The text around an id that may name the id's system. */
interface Around {
  /** The words before the id; empty in a table. */
  words: string;
  /** The link or mention that contains the id. */
  source: Source | undefined;
}

/** A cell that is neither an id nor a date, with the reason. */
export type Refused = Cell & { message: string };

export interface Reading {
  /** A sentence that says how the text was read. */
  how: string;
  /** The id of each row; 0 for a date. */
  ids: BigUint64Array;
  /** The date of each row in Unix ms; NaN if the row is an id. */
  dates: Float64Array | undefined;
  /** The line of each row, counted from 1. */
  lines: Uint32Array;
  /** Ids of other kinds, at most {@link KINDS_MAX} of them. */
  kinds: Kind[];
  /** The number of ids of each other kind, by its title. */
  kindCounts: [title: string, count: number][];
  /** The number of opaque public ids, and how many of these have no check digits. */
  publicCount: number;
  uncheckedCount: number;
  /** The first cells that were refused. */
  refused: Refused[];
  refusedCount: number;
  /** The encoding of the ids; empty if there are only dates. */
  encoding: Encoding | "";
  /** The other possible encodings. */
  otherEncodings: Encoding[];
  /** The text around each id; of a long text, only around the first id. */
  around: Around[];
  /** The column that was read, and all columns that may contain ids. */
  column: string;
  columns: { name: string; count: number }[];
  /** The time of each row's line in Unix ms (NaN: no time); `undefined` if no line has a time. */
  times: Float64Array | undefined;
  /** Whether the times of the lines are days without a time of day. */
  areDays: boolean;
}

/** The choice of the visitor to read dates instead of ids. */
const DATES = "dates";
/** The name in `counts` of the public ids that the key decoded. */
const PUBLIC = "public";
/** The largest numbers of refused cells and of ids of other kinds that are shown. */
const REFUSED_MAX = 100;
const KINDS_MAX = 200;
/** Only texts of at most this many characters are searched for words around their ids. */
const SEARCHED_MAX = 20_000;
/** Such a text is a decimal number, although other encodings can read it, too. */
const LONG_NUMBER = /^\d{10,20}$/;
/** The number of characters before an id that are searched for its system's name. */
const BEFORE = 60;

/** Reads a text. The sentence in `how` also says what was left out. */
export function read(
  { text, encoding: wantedEncoding, column: wantedColumn, key }: Wish,
  nowMs = Date.now(),
): Reading {
  const { clean, left } = cleaned(text);
  const table = columnsOf(clean);
  const { columns } = table;
  const known = [wantedColumn, ALL].find((name) => columns.has(name));
  const column = known ?? likeliestColumn(columns, nowMs);
  const cells = columns.get(column) ?? [];
  const wanted = ENCODINGS.find((one) => one === wantedEncoding);
  const encodings = likeliestEncodings(cells);
  const found = readCells(cells, wanted, encodings, nowMs, key);
  const lines = Uint32Array.from(found.rows, ({ line }) => line);
  const times = timesOfRows(columns, column);
  const hasOnlyOthers = found.kindCounts.size > 0 && found.ids.length === 0;
  const { rows, ...rest } = found;
  const reading: Reading = {
    ...rest,
    ids: BigUint64Array.from(found.ids),
    dates: found.counts.has(DATES) ? Float64Array.from(found.dates) : undefined,
    lines,
    around: textAround(clean, table, rows),
    kindCounts: [...found.kindCounts],
    otherEncodings: hasOnlyOthers ? encodings : otherEncodings(cells, encodings, found.encoding),
    column,
    columns: idColumns(columns, column, nowMs),
    times: times && Float64Array.from(lines, (line) => times.ms.get(line) ?? NaN),
    areDays: times?.areDays ?? false,
    how: "",
  };
  const isPlain = isPlainPublicId(unquoted(cells[0]?.text ?? ""));
  reading.how = sentence(found.counts, table, reading, isPlain);
  if (reading.how === "") return reading;
  if (cells.some((cell) => /^\d+\.0$/.test(cell.text))) left.push('".0"');
  if (left.length > 0) reading.how += `, without ${left.join(" and ")}`;
  if (cells.length === CELLS_MAX) reading.how += `; only the first ${count(CELLS_MAX)} are read`;
  return reading;
}

/** Returns the columns of a text in which each line is a row of several; else none. */
export function pastedColumns(text: string): Columns {
  const { kind, columns } = columnsOf(cleaned(text).clean);
  return (kind === "CSV" || kind === "a table") && columns.size > 1 ? columns : new Map();
}

/** Replaces typographic characters of word processors and chats. `left` names what was left out. */
function cleaned(text: string) {
  const left: string[] = [];
  const visible = text.replaceAll(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, "");
  if (visible !== text) left.push("its invisible characters");
  const clean = visible.replaceAll(/[“”„«»]/g, '"').replaceAll(/[‘‚]/g, "'");
  if (clean !== visible) left.push("its curly quotes");
  return { clean, left };
}

function readCells(
  cells: Cell[],
  wanted: Encoding | undefined,
  encodings: Encoding[],
  nowMs: number,
  key: string,
) {
  const encoding = wanted ?? encodings[0] ?? "decimal";
  const kindOfCell = kindReader(cells, nowMs);
  const decode = key === "" ? undefined : publicReader(key);
  const found = {
    ids: [] as bigint[],
    dates: [] as number[],
    rows: [] as Cell[],
    kinds: [] as Kind[],
    kindCounts: new Map<string, number>(),
    publicCount: 0,
    uncheckedCount: 0,
    refused: [] as Refused[],
    refusedCount: 0,
    encoding: "" as Encoding | "",
    /** The number of ids in each encoding, and the number of dates. */
    counts: new Map<string, number>(),
  };
  for (const cell of cells) {
    const { text } = cell;
    const isDigits = /^\d+$/.test(text);
    const kind = isDigits || wanted !== undefined ? undefined : kindOfCell(text);
    if (kind?.isOpaque) {
      found.publicCount += 1;
      if (checkDigitsOf(kind.text) === 0) found.uncheckedCount += 1;
    }
    const isDecoded = kind?.isOpaque && decode !== undefined;
    if (kind && !isDecoded) {
      if (found.kinds.length < KINDS_MAX) found.kinds.push(kind);
      found.kindCounts.set(kind.title, (found.kindCounts.get(kind.title) ?? 0) + 1);
      continue;
    }
    const date =
      isDigits || isDecoded || text.length > CELL_MAX ? undefined : dateOf(unquoted(text));
    // Reasons are made only for the first refused cells, because making them is slow.
    const isEnough = found.refusedCount >= REFUSED_MAX;
    if (isEnough && date === undefined && !isDecoded && !couldBe(text, encoding)) {
      found.refusedCount += 1;
      continue;
    }
    try {
      const own = encodingOf(text, encoding);
      const id = isDecoded ? decode(kind.text) : date === undefined ? idOf(text, own) : 0n;
      found.ids.push(id);
      found.dates.push(date ?? NaN);
      found.rows.push(cell);
      const name = isDecoded ? PUBLIC : date === undefined ? own : DATES;
      found.counts.set(name, (found.counts.get(name) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      found.refusedCount += 1;
      if (found.refused.length < REFUSED_MAX) {
        found.refused.push({ ...cell, message: error.message });
      }
    }
  }
  const isOfIds = [...found.counts.keys()].some((one) => one !== DATES && one !== PUBLIC);
  const isOfOthers = found.kindCounts.size > 0 || found.publicCount > 0;
  if (isOfIds || (found.refusedCount > 0 && !isOfOthers)) found.encoding = encoding;
  return found;
}

function otherEncodings(cells: Cell[], encodings: Encoding[], encoding: Encoding | "") {
  const some = sample(cells).map(({ text }) => bare(text));
  const isOfNumbers = encoding === "decimal" && some.every((text) => LONG_NUMBER.test(text));
  if (encoding === "" || isOfNumbers) return [];
  const text = some.find((one) => readersOf(one).length > 0) ?? some[0];
  const same = reads(text, encoding);
  return encodings.filter((one) => one !== encoding && reads(text, one) !== same);
}

function sentence(
  counts: Map<string, number>,
  { kind, columns }: Table,
  reading: Reading,
  isPlain: boolean,
) {
  const of = [...counts].map(([name, many]) => {
    const noun = name === DATES ? "date" : name === PUBLIC ? "public id" : "id";
    const named = many === 1 ? `one ${noun}` : `${count(many)} ${noun}s`;
    return noun === "id" ? `${named} in ${name}` : named;
  });
  for (const [title, many] of reading.kindCounts) {
    of.push(many === 1 ? `one ${title}` : `${count(many)} × ${title}`);
  }
  const last = of.pop();
  if (last === undefined) return "";
  const { column } = reading;
  // A log with one column, or with one id for each, may be a sentence. Its columns are not named.
  const isSentence = kind === "a log" && (columns.size === 1 || column === ALL);
  const isTable = kind !== "text" && !isSentence;
  const source = reading.around[0]?.source;
  const table = isTable ? [`${kind}${column && ` (${column})`}`] : [];
  const plain = isPlain && counts.has("base62") ? ["a public id of edgeflake without a key"] : [];
  const sources = [...table, ...(source ? [source.name] : []), ...plain];
  const where = sources.map((one) => `, from ${one}`).join("");
  const first = counts.has(DATES) ? ": the smallest id of that moment" : "";
  const all = of.length === 0 ? last : `${of.join(", ")} and ${last}`;
  return `Read as ${all}${where}${first}`;
}

/** Length makes an id likelier only up to this number of characters. */
const LONG = 15;

/** Returns the column with the most possible ids. Long ids count more than short ones. */
function likeliestColumn(columns: Columns, nowMs: number) {
  const most = Math.max(...[...columns.values()].map(({ length }) => length));
  let best = "";
  let bestScore = -1;
  for (const [name, cells] of columns) {
    const lengths = sample(cells).map(({ text }) => {
      const id = bare(text);
      return readersOf(id).length > 0 || kindIn(text, id, nowMs) ? text.length : 0;
    });
    const score =
      (lengths.reduce((sum, length) => sum + Math.min(length, LONG) ** 2, 0) /
        (lengths.length || 1)) *
      (/\bid\b|_id|Id$/i.test(name) ? 1.2 : 1) *
      (cells.length / most);
    if (score > bestScore) [best, bestScore] = [name, score];
  }
  return best;
}

/** Returns the columns whose cells may be ids; all columns if the chosen one has no ids. */
function idColumns(columns: Columns, chosen: string, nowMs: number) {
  const all = [...columns];
  const ofIds = all.filter(([, cells]) => {
    const some = sample(cells);
    const ids = some.filter(({ text }) => {
      const id = bare(text);
      return /^(?:-?\d{10,20}|0x[0-9a-f]{10,16})$/i.test(id) || kindIn(text, id, nowMs);
    });
    return ids.length * 2 >= some.length && ids.length > 0;
  });
  const shown = ofIds.some(([name]) => name === chosen) ? ofIds : all;
  return shown.map(([name, cells]) => ({ name, count: cells.length }));
}

function textAround(text: string, { kind }: Table, rows: Cell[]): Around[] {
  const isShort = text.length <= SEARCHED_MAX;
  const lines = isShort && (kind === "a log" || kind === "text") ? text.split(/\r\n|\n|\r/) : [];
  let [last, from] = [0, 0];
  return (isShort ? rows : rows.slice(0, 1)).map(({ text: cell, line }) => {
    const whole = lines[line - 1] ?? "";
    // A line may have the same id twice.
    const at = Math.max(0, whole.indexOf(cell, line === last ? from : 0));
    [last, from] = [line, at + cell.length];
    const words = whole.slice(Math.max(0, at - BEFORE), at).trim();
    return { words, source: sourceOf(unquoted(cell)) };
  });
}
