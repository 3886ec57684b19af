// A paste is read as ids or dates, with a sentence on how it was read.

import { CELLS_MAX, columnsOf, unquoted } from "./columns.js";
import {
  bare,
  CELL_MAX,
  couldBe,
  ENCODINGS,
  encodingOf,
  idOf,
  isReadable,
  likeliestEncodings,
  reads,
  sample,
} from "./encodings.js";
import { kindOf } from "./kinds.js";
import { sourceOf } from "./links.js";
import { timesOfRows } from "./row-times.js";
import { count, dateOf } from "./time.js";

/** @import { Encoding } from "edgeflake" */
/** @import { Cell } from "./columns.js" */
/** @import { Kind } from "./kinds.js" */
/** @import { Source } from "./links.js" */

/** @typedef {Cell & { message: string }} Refused a cell that is neither id nor date, and why */

/**
 * @typedef {object} Reading
 * @property {string} how a sentence on how the text was read
 * @property {(bigint | Date)[]} found ids, and dates for which there are no ids yet
 * @property {number[]} lines line of each of them, counted from 1
 * @property {Kind[]} kinds ids of other kinds, if the paste has these instead
 * @property {Refused[]} refused the first refused cells
 * @property {number} refusedCount
 * @property {Encoding | ""} encoding of the ids; empty for dates alone
 * @property {Encoding[]} otherEncodings other encodings that are possible
 * @property {Source | undefined} source the system whose links or mentions these are
 * @property {string} column the column that was read
 * @property {{ name: string, count: number }[]} columns all columns
 * @property {Map<number, number> | undefined} times time of each line, if the lines have times
 */

/** The choice that reads dates, besides the encodings of ids. */
const DATES = "dates";
/** The largest number of refused cells that are shown. */
const REFUSED_MAX = 100;

/**
 * @param {string} text
 * @param {string} wantedEncoding empty for the likeliest
 * @param {string} wantedColumn empty for the likeliest
 * @param {number} [nowMs]
 * @returns {Reading}
 */
export function readPaste(text, wantedEncoding, wantedColumn, nowMs = Date.now()) {
  const { kind, columns } = columnsOf(text);
  const column = columns.has(wantedColumn) ? wantedColumn : likeliestColumn(columns, nowMs);
  const cells = columns.get(column) ?? [];
  const wanted = ENCODINGS.find((one) => one === wantedEncoding);
  const encodings = likeliestEncodings(cells);
  /** @type {Reading} */
  const reading = {
    how: "",
    found: [],
    lines: [],
    kinds: [],
    refused: [],
    refusedCount: 0,
    encoding: "",
    otherEncodings: [],
    source: cells.length > 0 ? sourceOf(unquoted(cells[0].text)) : undefined,
    column,
    columns: [...columns].map(([name, { length }]) => ({ name, count: length })),
    times: timesOfRows(columns, column),
  };
  const isOther = wanted === undefined && hasKinds(cells, nowMs);
  const counts = isOther
    ? readKinds(cells, nowMs, reading)
    : readIds(cells, wanted ?? encodings[0] ?? "decimal", encodings, reading);
  if (isOther) reading.otherEncodings = encodings;
  reading.how = sentence(counts, kind, column, reading);
  if (reading.how && cells.length === CELLS_MAX) {
    reading.how += `; only the first ${count(CELLS_MAX)} are read`;
  }
  return reading;
}

/**
 * Returns whether most cells are ids of other kinds.
 *
 * @param {Cell[]} cells
 * @param {number} nowMs
 */
function hasKinds(cells, nowMs) {
  const some = sample(cells);
  const others = some.filter(({ text }) => kindOf(bare(text), nowMs) !== undefined);
  return others.length > 0 && others.length * 2 >= some.length;
}

/**
 * @param {Cell[]} cells
 * @param {number} nowMs
 * @param {Reading} reading
 * @returns {Map<string, number>} number of ids of each kind
 */
function readKinds(cells, nowMs, reading) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const cell of cells) {
    const kind = kindOf(bare(cell.text), nowMs);
    if (kind === undefined) {
      refuse(
        cell,
        `it is of another kind than "${bare(cells[0].text)}": paste each kind by itself`,
        reading,
      );
      continue;
    }
    reading.kinds.push(kind);
    reading.lines.push(cell.line);
    counts.set(kind.title, (counts.get(kind.title) ?? 0) + 1);
  }
  return counts;
}

/**
 * @param {Cell[]} cells
 * @param {Encoding} encoding
 * @param {Encoding[]} encodings
 * @param {Reading} reading
 * @returns {Map<string, number>} number of ids in each encoding, and number of dates
 */
function readIds(cells, encoding, encodings, reading) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const cell of cells) {
    const isDigits = /^\d+$/.test(cell.text);
    const date = isDigits ? undefined : dateOfCell(cell.text);
    // The reasons of further refusals are not shown, and making them takes long.
    const isEnough = reading.refusedCount >= REFUSED_MAX;
    if (isEnough && date === undefined && !couldBe(cell.text, encoding)) {
      reading.refusedCount += 1;
      continue;
    }
    try {
      const own = encodingOf(cell.text, encoding);
      reading.found.push(date === undefined ? idOf(cell.text, own) : new Date(date));
      reading.lines.push(cell.line);
      const kind = date === undefined ? own : DATES;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      refuse(cell, error.message, reading);
    }
  }
  if (reading.refusedCount > 0 || [...counts.keys()].some((one) => one !== DATES)) {
    reading.encoding = encoding;
    const first = bare((cells.find(({ text: cell }) => isReadable(bare(cell))) ?? cells[0]).text);
    const same = reads(first, encoding);
    reading.otherEncodings = encodings.filter(
      (one) => one !== encoding && reads(first, one) !== same,
    );
  }
  return counts;
}

/**
 * @param {Cell} cell
 * @param {string} message
 * @param {Reading} reading
 */
function refuse(cell, message, reading) {
  reading.refusedCount += 1;
  if (reading.refused.length < REFUSED_MAX) reading.refused.push({ ...cell, message });
}

/** @param {string} cell */
function dateOfCell(cell) {
  return cell.length > CELL_MAX ? undefined : dateOf(unquoted(cell));
}

/**
 * @param {Map<string, number>} counts
 * @param {string} kind of the whole text
 * @param {string} column
 * @param {Reading} reading
 */
function sentence(counts, kind, column, { kinds, columns, source }) {
  const of = [...counts].map(([one, many]) => {
    if (kinds.length > 0) return many === 1 ? `one ${one}` : `${count(many)} × ${one}`;
    if (one === DATES) return many === 1 ? "one date" : `${count(many)} dates`;
    return many === 1 ? `one id in ${one}` : `${count(many)} ids in ${one}`;
  });
  if (of.length === 0) return "";
  // In words with one id among them, the text before the id is not a name.
  const isTable = kind !== "text" && !(kind === "log" && columns.length === 1);
  const table = isTable ? [`${kind === "log" ? "a log" : kind}${column && ` (${column})`}`] : [];
  const where = [...table, ...(source ? [source.name] : [])].map((one) => `, from ${one}`).join("");
  const first = counts.has(DATES) ? ": the smallest id of that moment" : "";
  return `Read as ${of.join(" and ")}${where}${first}`;
}

/**
 * Returns the column with the most possible ids, where long ones count before short ones.
 *
 * @param {Map<string, Cell[]>} columns
 * @param {number} nowMs
 */
function likeliestColumn(columns, nowMs) {
  const most = Math.max(...[...columns.values()].map(({ length }) => length));
  let best = "";
  let bestScore = -1;
  for (const [name, cells] of columns) {
    const lengths = sample(cells).map(({ text }) => {
      const id = bare(text);
      return isReadable(id) || kindOf(id, nowMs) ? text.length : 0;
    });
    const score =
      (lengths.reduce((sum, length) => sum + Math.min(length, 20) ** 2, 0) /
        (lengths.length || 1)) *
      (/\bid\b|_id|Id$/i.test(name) ? 1.2 : 1) *
      (cells.length / most);
    if (score > bestScore) [best, bestScore] = [name, score];
  }
  return best;
}
