// A paste is cut into columns of cells: JSON by its keys, CSV by its delimiter, a log by the words
// before its ids, and anything else into one column of words.

import { isGrouped } from "./grouped-digits.js";
import { isLog, logColumns } from "./log.js";
import { dateOf } from "./time.js";

/** @typedef {{ text: string, line: number }} Cell a text and its line, counted from 1 */
/** @typedef {{ kind: "JSON" | "CSV" | "log" | "text", columns: Map<string, Cell[]> }} Table */

const DELIMITERS = ["\t", ";", ",", "|"];

/**
 * The largest numbers of cells and columns. The page would take too long with more, so it leaves
 * out the rest.
 */
export const CELLS_MAX = 250_000;
const COLUMNS_MAX = 64;
/** The most characters of a date, so that longer lines and cells are not tried. */
const DATE_MAX = 64;

/** The key of JSON values that have no key. */
const NO_KEY = "";

/** The beginning of JSON. */
const JSON_BEGIN = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:["{[\]]|-?\d[\d.eE+]*\s*[,\]]|$))/;
/** The beginning of a line of a log that has something in brackets, and then text. */
const BRACKETED = /^\s*\[[^\]\n"{]*\]\s*[^\s,\]]/;

/**
 * @param {string} text
 * @returns {Table}
 */
export function columnsOf(text) {
  if (JSON_BEGIN.test(text) && !BRACKETED.test(text)) {
    const columns = jsonColumns(text);
    if (columns) return { kind: "JSON", columns };
  }
  const lines = text.split(/\r\n|\n|\r/);
  const delimiter = delimiterOf(lines);
  if (delimiter) return { kind: "CSV", columns: csvColumns(lines, delimiter) };
  if (isLog(lines)) return { kind: "log", columns: logColumns(lines, CELLS_MAX) };
  return { kind: "text", columns: new Map([[NO_KEY, words(lines)]]) };
}

/**
 * Returns the values under their keys. JSON.parse would round the numbers, and refuse JSON lines.
 *
 * @param {string} text
 */
function jsonColumns(text) {
  /** @type {Map<string, Cell[]>} */
  const columns = new Map();
  const token = /"((?:[^"\\\n]|\\.){0,2000})"(\s*:)?|-?\d[\d.eE+-]{0,2000}|\n/g;
  let count = 0;
  let key = NO_KEY;
  let line = 1;
  for (const [whole, string, colon] of text.matchAll(token)) {
    if (whole === "\n") line += 1;
    else if (colon) {
      key = string;
      line += whole.split("\n").length - 1;
    } else {
      const cells = columns.get(key) ?? [];
      if (cells.length === 0 && columns.size === COLUMNS_MAX) continue;
      columns.set(key, cells);
      cells.push({ text: string ?? whole, line });
      count += 1;
      if (count === CELLS_MAX) break;
    }
  }
  return columns.size > 0 ? columns : undefined;
}

/**
 * Returns the delimiter of the cells, if all of the first lines have the same number of cells.
 *
 * @param {string[]} lines
 */
function delimiterOf(lines) {
  const first = lines.filter((line) => line.trim() !== "").slice(0, 20);
  if (first.length < 2 || first.every((line) => isGrouped(line.trim()))) return undefined;
  return DELIMITERS.find((delimiter) => {
    const rows = first.map((line) => cellsOf(line, delimiter));
    const widths = new Set(rows.map(({ length }) => length));
    return widths.size === 1 && !widths.has(1) && !isProse(rows);
  });
}

/**
 * Returns whether ids stand among words and in no column of their own. If so, the delimiter belongs
 * to the words, like the commas of a log.
 *
 * @param {string[][]} rows
 */
function isProse(rows) {
  const cells = rows.flat();
  if (cells.some((cell) => /^\W*\d{15,20}\W*$/.test(cell))) return false;
  return cells.some((cell) => /\d{15,20}/.test(cell) && /[a-z]\S*\s|\s\S*[a-z]/i.test(cell));
}

/**
 * @param {string[]} lines
 * @param {string} delimiter
 */
function csvColumns(lines, delimiter) {
  const header = cellsOf(lines[0], delimiter);
  const named = header.every((cell) => !/\d{3}/.test(cell) && cell !== "");
  const names = header.map((cell, i) => (named ? cell : `${i + 1}`));
  const columns = names
    .slice(0, COLUMNS_MAX)
    .map((name) => ({ name, cells: /** @type {Cell[]} */ ([]) }));
  const end = Math.min(lines.length, CELLS_MAX);
  for (let row = named ? 1 : 0; row < end; row++) {
    if (lines[row].trim() === "") continue;
    const cells = cellsOf(lines[row], delimiter);
    for (let i = 0; i < columns.length; i++) {
      const text = cells[i] ?? "";
      if (text !== "") columns[i].cells.push({ text, line: row + 1 });
    }
  }
  return new Map(columns.map(({ name, cells }) => [name, cells]));
}

/**
 * @param {string} line
 * @param {string} delimiter
 */
function cellsOf(line, delimiter) {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells = [];
  let rest = line;
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
    const end = quoted ? quoted[0].length : rest.indexOf(delimiter);
    const cell = quoted
      ? quoted[1].replaceAll('""', '"')
      : rest.slice(0, end < 0 ? undefined : end);
    cells.push(cell.trim());
    if (end < 0 || !rest.startsWith(delimiter, end)) return cells;
    rest = rest.slice(end + delimiter.length);
  }
}

/** @param {string[]} lines */
function words(lines) {
  /** @type {Cell[]} */
  const cells = [];
  for (const [i, line] of lines.entries()) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const isWhole =
      trimmed.length <= DATE_MAX && (isGrouped(trimmed) || dateOf(unquoted(trimmed)) !== undefined);
    const texts = isWhole ? [trimmed] : trimmed.split(/[\s,;|]+/);
    for (const text of texts) {
      if (text !== "") cells.push({ text, line: i + 1 });
      if (cells.length === CELLS_MAX) return cells;
    }
  }
  return cells;
}

/** @param {string} text */
export function unquoted(text) {
  return text.replace(/^[\s"'`]+|[\s"'`,;]+$/g, "");
}
