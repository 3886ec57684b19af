// What was pasted, read as ids or dates, with a word on how.

import { CELLS_MAX, columnsOf, unquoted } from "./columns.js";
import {
  bare,
  CELL_MAX,
  ENCODINGS,
  encodingOf,
  idOf,
  isReadable,
  likeliestEncodings,
  reads,
  sample,
} from "./encodings.js";
import { count, dateOf } from "./time.js";

/** @import { Encoding } from "edgeflake" */
/** @import { Cell } from "./columns.js" */

/** @typedef {Cell & { message: string }} Refused what is neither id nor date, and why */

/**
 * @typedef {object} Reading
 * @property {string} how a sentence on how the text was read
 * @property {(bigint | Date)[]} found ids, and dates that are yet to become ids
 * @property {number[]} lines where each of them stands, from 1 on
 * @property {Refused[]} refused the first of the rest
 * @property {number} refusedCount
 * @property {Encoding | ""} encoding of the ids; empty for dates alone
 * @property {Encoding[]} otherEncodings that could be meant as well
 * @property {string} preset of the system whose links or mentions these are; else empty
 * @property {string} column that was read
 * @property {string[]} columns all there are
 */

/** Beside the encodings of ids. */
const DATES = "dates";
/** What only one system writes around its ids. */
const SOURCES = [
  { pattern: /\b(x|twitter)\.com\//, preset: "twitter", name: "a link to Twitter" },
  { pattern: /\bdiscord(app)?\.com\//, preset: "discord", name: "a link to Discord" },
  { pattern: /^<(@[!&]?|#|a?:\w+:)\d+>$/, preset: "discord", name: "a mention of Discord" },
  { pattern: /\binstagram\.com\//, preset: "instagram", name: "a link to Instagram" },
  { pattern: /\blinkedin\.com\//, preset: "linkedin", name: "a link to LinkedIn" },
];
/** How many refused cells are shown. */
const REFUSED_MAX = 100;
/**
 * @param {string} text
 * @param {string} wantedEncoding empty for the likeliest
 * @param {string} wantedColumn empty for the likeliest
 * @returns {Reading}
 */
export function readPaste(text, wantedEncoding, wantedColumn) {
  const { kind, columns } = columnsOf(text);
  const names = [...columns.keys()];
  const column = columns.has(wantedColumn) ? wantedColumn : likeliestColumn(columns);
  const cells = columns.get(column) ?? [];
  const encodings = likeliestEncodings(cells);
  const encoding = ENCODINGS.find((one) => one === wantedEncoding) ?? encodings[0] ?? "decimal";

  /** @type {Reading} */
  const reading = {
    how: "",
    found: [],
    lines: [],
    refused: [],
    refusedCount: 0,
    encoding: "",
    otherEncodings: [],
    preset: "",
    column,
    columns: names,
  };
  /** @type {Map<string, number>} how many are in each encoding, and how many are dates */
  const kinds = new Map();
  for (const cell of cells) {
    // A refusal with a reason takes long, and is not shown.
    if (reading.refusedCount >= REFUSED_MAX && !couldBeRead(cell.text)) {
      reading.refusedCount += 1;
      continue;
    }
    const date = /^\d+$/.test(cell.text) ? undefined : dateOfCell(cell.text);
    try {
      const own = encodingOf(cell.text, encoding);
      reading.found.push(date === undefined ? idOf(cell.text, own) : new Date(date));
      reading.lines.push(cell.line);
      const kind = date === undefined ? own : DATES;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    } catch (error) {
      reading.refusedCount += 1;
      if (reading.refused.length < REFUSED_MAX && error instanceof Error) {
        reading.refused.push({ ...cell, message: error.message });
      }
    }
  }
  if (reading.refusedCount > 0 || [...kinds.keys()].some((one) => one !== DATES)) {
    reading.encoding = encoding;
    const first = bare((cells.find(({ text: cell }) => isReadable(bare(cell))) ?? cells[0]).text);
    const same = reads(first, encoding);
    reading.otherEncodings = encodings.filter(
      (one) => one !== encoding && reads(first, one) !== same,
    );
  }
  const source = SOURCES.find(({ pattern }) => pattern.test(cells[0]?.text));
  reading.preset = source?.preset ?? "";
  reading.how = sentence(kinds, kind, column, source?.name);
  if (reading.how && cells.length === CELLS_MAX) {
    reading.how += `; only the first ${count(CELLS_MAX)} are read`;
  }
  return reading;
}

/** @param {string} cell */
function dateOfCell(cell) {
  return cell.length > CELL_MAX ? undefined : dateOf(unquoted(cell));
}

/** @param {string} cell */
function couldBeRead(cell) {
  if (cell.length > CELL_MAX) return false;
  return /\d/.test(cell) && (/^\W*[\w-]+\W*$/.test(cell) || /[:=#/]/.test(cell));
}

/**
 * @param {Map<string, number>} kinds
 * @param {string} kind of the whole text
 * @param {string} column
 * @param {string} [source]
 */
function sentence(kinds, kind, column, source) {
  const of = [...kinds].map(([one, many]) => {
    if (one === DATES) return many === 1 ? "one date" : `${count(many)} dates`;
    return many === 1 ? `one id in ${one}` : `${count(many)} ids in ${one}`;
  });
  if (of.length === 0) return "";
  const table = kind === "text" ? [] : [`${kind}${column && ` (${column})`}`];
  const where = [...table, ...(source ? [source] : [])].map((one) => `, from ${one}`).join("");
  const first = kinds.has(DATES) ? ": the smallest id of that moment" : "";
  return `Read as ${of.join(" and ")}${where}${first}`;
}

/**
 * The column that has the most of what could be ids, long ones before short ones.
 *
 * @param {Map<string, Cell[]>} columns
 */
function likeliestColumn(columns) {
  let best = "";
  let bestScore = -1;
  for (const [name, cells] of columns) {
    const lengths = sample(cells).map(({ text }) => (isReadable(bare(text)) ? text.length : 0));
    const score =
      (lengths.reduce((sum, length) => sum + Math.min(length, 20) ** 2, 0) /
        (lengths.length || 1)) *
      (/\bid\b|_id|Id$/i.test(name) ? 1.2 : 1);
    if (score > bestScore) [best, bestScore] = [name, score];
  }
  return best;
}
