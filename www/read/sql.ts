// The columns of tables in a dump of SQL: PostgreSQL's COPY, and INSERT statements.

import { type Cell, unquoted } from "./cells.ts";

const COPY = /^COPY\s+(\S+)\s*\(([^)]*)\)\s+FROM\s+stdin\b/i;
const INSERT = /\bINSERT\s+INTO\s+(\S+?)\s*(?:\(([^)]*)\)\s*)?VALUES\s*\(/gi;
/** A value, and the character after it. */
const VALUE = /\s*(?:'((?:[^'\\]|''|\\.)*)'|([^,()']*))\s*([,)])/y;

/** Returns `undefined` for a text without such statements. Names have the table if there are two. */
export function dumpColumns(text: string, cellsMax: number, columnsMax: number) {
  const isCopy = /^COPY\s.*\sFROM\s+stdin/im.test(text);
  const isInsert = /\bINSERT\s+INTO\b/i.test(text.slice(0, 100_000));
  if (!isCopy && !isInsert) return undefined;
  const tables = new Map<string, Map<string, Cell[]>>();
  let count = 0;
  const add = (table: string, name: string, cell: Cell) => {
    const columns = tables.get(table) ?? new Map<string, Cell[]>();
    tables.set(table, columns);
    const cells = columns.get(name) ?? [];
    if (cells.length > 0 || columns.size < columnsMax) columns.set(name, cells);
    if (cell.text !== "" && cell.text !== "\\N" && cell.text !== "NULL") cells.push(cell);
    count += 1;
  };
  if (isCopy) readCopies(text, add, () => count >= cellsMax);
  if (isInsert) readInserts(text, add, () => count >= cellsMax);
  const columns = new Map<string, Cell[]>();
  for (const [table, of] of tables) {
    for (const [name, cells] of of) {
      if (cells.length > 0) columns.set(tables.size === 1 ? name : `${table}.${name}`, cells);
    }
  }
  return columns.size === 0 ? undefined : columns;
}

type Add = (table: string, name: string, cell: Cell) => void;

function readCopies(text: string, add: Add, isEnough: () => boolean) {
  let table: { name: string; names: string[] } | undefined;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (isEnough()) return;
    const copy = COPY.exec(line);
    if (copy) table = { name: nameOf(copy[1] ?? ""), names: namesOf(copy[2] ?? "") };
    else if (line === "\\.") table = undefined;
    else if (table) {
      const cells = line.split("\t");
      for (const [at, name] of table.names.entries()) {
        add(table.name, name, { text: cells[at] ?? "", line: i + 1 });
      }
    }
  }
}

function readInserts(text: string, add: Add, isEnough: () => boolean) {
  let [line, counted] = [1, 0];
  for (const insert of text.matchAll(INSERT)) {
    const table = nameOf(insert[1] ?? "");
    const names = namesOf(insert[2] ?? "");
    let at = insert.index + insert[0].length;
    let column = 0;
    while (!isEnough()) {
      VALUE.lastIndex = at;
      const value = VALUE.exec(text);
      if (!value) break;
      for (; counted < at; counted++) if (text[counted] === "\n") line += 1;
      const written = value[1]?.replaceAll("''", "'") ?? value[2] ?? "";
      add(table, names[column] ?? `${column + 1}`, { text: written.trim(), line });
      at = VALUE.lastIndex;
      column += 1;
      if (value[3] === ",") continue;
      // Another row may follow.
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
