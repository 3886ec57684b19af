// Divides a paste into columns of cells. JSON has a column for each path of keys, and an SQL dump
// or a table has its own columns. A log has a column for each text that precedes ids, and any other
// text has one column of words.

import { dateOf } from "../ui/words.ts";
import { addCell, CELLS_MAX, type Cell, type Columns, GROUPED, unquoted } from "./cells.ts";
import { isLog, logColumns } from "./log.ts";
import { isPublicId } from "./public.ts";

export interface Table {
  kind: "JSON" | "CSV" | "SQL" | "a table" | "a log" | "text";
  columns: Columns;
}

const DELIMITERS = ["\t", ";", ",", "|"];

const COLUMNS_MAX = 64;
/** The largest number of characters of a date. Longer lines and cells are not parsed as dates. */
const DATE_MAX = 64;

/** Lines without data: the lines between rows of psql, MySQL and Markdown, and psql's last line. */
const RULE = /^\s*[|+]?[-=:]{2,}[-=:|+\s]*$/;
/** A longer line is not matched against `RULE`: it has data, and matching it would be slow. */
const RULE_MAX = 2000;
const ROW_COUNT = /^\(\d+ rows?\)$/;

/** Divides a text into columns. Empty lines are kept, so that each row keeps its line number. */
export function columnsOf(text: string): Table {
  const json = jsonColumns(text);
  if (json) return { kind: "JSON", columns: json };
  const dump = dumpColumns(text);
  if (dump) return { kind: "SQL", columns: dump };
  const lines = text.split(/\r\n|\n|\r/);
  const isRuled = lines.slice(0, 4).some(isRule);
  const rows = isRuled ? lines.map(withoutRule) : lines;
  const delimiter = delimiterOf(rows, isRuled);
  if (delimiter) {
    return { kind: isRuled ? "a table" : "CSV", columns: csvColumns(rows, delimiter, isRuled) };
  }
  if (!isRuled && isLog(lines)) return { kind: "a log", columns: logColumns(lines) };
  const cells = words(rows);
  const [first, second] = cells;
  const isNamed =
    cells.length > 1 &&
    first.line < second.line &&
    /^"?[A-Za-z][A-Za-z_ .-]*"?$/.test(first.text) &&
    (/\d{5}/.test(second.text) || isPublicId(second.text));
  if (!isNamed) return { kind: "text", columns: new Map([["", cells]]) };
  return { kind: "a table", columns: new Map([[unquoted(first.text), cells.slice(1)]]) };
}

function isRule(line: string) {
  return line.length <= RULE_MAX && RULE.test(line);
}

/** Empties a line that only separates rows, and removes the borders at the ends of a row. */
function withoutRule(line: string) {
  if (isRule(line) || ROW_COUNT.test(line.trim())) return "";
  return line.replace(/^\s*\|\s?/, "").replace(/\s*\|\s*$/, "");
}

/** Returns the delimiter if it divides all of the first lines into the same number of cells. */
function delimiterOf(lines: string[], isRuled: boolean) {
  const first = lines.filter((line) => line.trim() !== "").slice(0, 20);
  if (first.length < 2 || first.every((line) => GROUPED.test(line.trim()))) return undefined;
  return (isRuled ? ["|"] : DELIMITERS).find((delimiter) => {
    const rows = first.map((line) => cellsOf(line, delimiter));
    const widths = new Set(rows.map(({ length }) => length));
    return widths.size === 1 && !widths.has(1) && (isRuled || !isProse(rows));
  });
}

/**
 * Returns whether ids are among words instead of in a column of their own. If so, the delimiter
 * belongs to the words, like commas in a log.
 */
function isProse(rows: string[][]) {
  const cells = rows.flat();
  if (cells.some((cell) => /^\W*\d{15,20}\W*$/.test(cell))) return false;
  return cells.some((cell) => /\d{15,20}/.test(cell) && /[a-z]\S*\s|\s\S*[a-z]/i.test(cell));
}

function csvColumns(lines: string[], delimiter: string, isRuled: boolean): Columns {
  const first = lines.findIndex((line) => line.trim() !== "");
  const header = cellsOf(lines[first], delimiter);
  const isNamed = isRuled || header.every((cell) => !/\d{3}/.test(cell) && cell !== "");
  const columns = header.slice(0, COLUMNS_MAX).map((): Cell[] => []);
  for (const [i, line] of lines.slice(0, CELLS_MAX).entries()) {
    if (isNamed && i === first) continue;
    for (const [at, text] of cellsOf(line, delimiter).entries()) {
      if (text !== "") columns[at]?.push({ text, line: i + 1 });
    }
  }
  const isName = (cell: string, at: number) =>
    isNamed && !/^\d*$/.test(cell) && header.indexOf(cell) === at;
  const names = header.map((cell, at) => (isName(cell, at) ? cell : `${at + 1}`));
  return new Map(columns.map((cells, at) => [names[at], cells]));
}

function cellsOf(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
    const end = quoted ? quoted[0].length : rest.indexOf(delimiter);
    const cell = quoted
      ? (quoted[1] ?? "").replaceAll('""', '"')
      : rest.slice(0, end < 0 ? undefined : end);
    cells.push(cell.trim());
    if (end < 0 || !rest.startsWith(delimiter, end)) return cells;
    rest = rest.slice(end + delimiter.length);
  }
}

function words(lines: string[]): Cell[] {
  const cells: Cell[] = [];
  for (const [i, line] of lines.entries()) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const isWhole =
      trimmed.length <= DATE_MAX &&
      (GROUPED.test(trimmed) || dateOf(unquoted(trimmed)) !== undefined);
    const texts = isWhole ? [trimmed] : trimmed.split(/[\s,;|]+/);
    for (const text of texts) {
      if (text !== "") cells.push({ text, line: i + 1 });
      if (cells.length === CELLS_MAX) return cells;
    }
  }
  return cells;
}

/** The beginning of JSON. */
const BEGIN = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:["{[\]]|-?\d[\d.eE+]*\s*[,\]]|$))/;
/** The beginning of a log line: something in brackets, and then text. */
const BRACKETED = /^\s*\[[^\]\n"{]*\]\s*[^\s,\]]/;
const TOKEN =
  /"((?:[^"\\\n]|\\.){0,20000})"(\s*:)?|-?\d[\d.eE+-]{0,2000}|[{}[\]\n]|true|false|null/g;

/** Returns `undefined` for a text that is not JSON. */
function jsonColumns(text: string) {
  if (!BEGIN.test(text) || BRACKETED.test(text)) return undefined;
  const columns = new Map<string, Cell[]>();
  /** The path of each object or array that is open, without array indices. */
  const paths: string[] = [];
  let key = "";
  let line = 1;
  let count = 0;
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    const outer = paths.at(-1) ?? "";
    if (token === "\n") line += 1;
    else if (colon) {
      key = outer === "" ? (string ?? "") : `${outer}.${string}`;
      line += token.split("\n").length - 1;
    } else if (token === "{" || token === "[") paths.push(key || outer);
    else if (token === "}" || token === "]") {
      paths.pop();
      key = paths.at(-1) ?? "";
    } else if (string !== undefined || /^-?\d/.test(token)) {
      addCell(columns, key, { text: string ?? token, line }, COLUMNS_MAX);
      count += 1;
      if (count === CELLS_MAX) break;
    }
  }
  return columns.size > 0 ? columns : undefined;
}

const COPY = /^COPY\s+(\S+)\s*\(([^)]*)\)\s+FROM\s+stdin\b/i;
const INSERT = /\bINSERT\s+INTO\s+(\S+?)\s*(?:\(([^)]*)\)\s*)?VALUES\s*\(/gi;
/** A value of an SQL dump, and the character after it. */
const VALUE = /\s*(?:'((?:[^'\\]|''|\\.)*)'|([^,()']*))\s*([,)])/y;

interface DumpCell extends Cell {
  table: string;
  name: string;
}

/**
 * Returns `undefined` for a text without such statements. If there are several tables, a column's
 * name includes the name of its table.
 */
function dumpColumns(text: string) {
  const isCopy = /^COPY\s.*\sFROM\s+stdin/im.test(text);
  const isInsert = /\bINSERT\s+INTO\b/i.test(text.slice(0, 100_000));
  if (!isCopy && !isInsert) return undefined;
  const columns = new Map<string, Cell[]>();
  const tables = new Set<string>();
  let count = 0;
  for (const { table, name, ...cell } of isCopy ? copiedCells(text) : insertedCells(text)) {
    count += 1;
    if (count > CELLS_MAX) break;
    if (["", "\\N", "NULL"].includes(cell.text)) continue;
    tables.add(table);
    addCell(columns, `${table}.${name}`, cell, COLUMNS_MAX);
  }
  if (tables.size > 1) return columns;
  const [table = ""] = tables;
  const named = [...columns].map(([name, cells]) => [name.slice(table.length + 1), cells] as const);
  return columns.size === 0 ? undefined : new Map(named);
}

function* copiedCells(text: string): Generator<DumpCell> {
  let table: { name: string; names: string[] } | undefined;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const copy = COPY.exec(line);
    if (copy) table = { name: nameOf(copy[1] ?? ""), names: namesOf(copy[2] ?? "") };
    else if (line === "\\.") table = undefined;
    else if (table) {
      const cells = line.split("\t");
      for (const [at, name] of table.names.entries()) {
        yield { table: table.name, name, text: cells[at] ?? "", line: i + 1 };
      }
    }
  }
}

function* insertedCells(text: string): Generator<DumpCell> {
  let [line, counted] = [1, 0];
  for (const insert of text.matchAll(INSERT)) {
    const table = nameOf(insert[1] ?? "");
    const names = namesOf(insert[2] ?? "");
    let at = insert.index + insert[0].length;
    let column = 0;
    for (;;) {
      VALUE.lastIndex = at;
      const value = VALUE.exec(text);
      if (!value) break;
      for (; counted < at; counted++) if (text[counted] === "\n") line += 1;
      const written = value[1]?.replaceAll("''", "'") ?? value[2] ?? "";
      yield { table, name: names[column] ?? `${column + 1}`, text: written.trim(), line };
      at = VALUE.lastIndex;
      column += 1;
      if (value[3] === ",") continue;
      // The statement may have another row.
      const next = /\s*,\s*\(/y;
      next.lastIndex = at;
      if (!next.test(text)) break;
      at = next.lastIndex;
      column = 0;
    }
  }
}

function namesOf(list: string) {
  return list.split(",").map((name) => unquoted(name.trim()));
}

/** Returns the name of a table without its schema. */
function nameOf(table: string) {
  return unquoted(table.split(".").at(-1) ?? "");
}
