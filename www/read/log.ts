// A log, or any text with ids among its words. The ids of each line are in columns by the words
// before them, and the line's time is in a column of its own.

import type { Cell } from "./cells.ts";
import { timeOfLine } from "./line-time.ts";
import { sourceOf } from "./links.ts";

/** The column of the lines' times. */
const TIME = "time";
/** The column of all ids of a text in which each stands after other words, such as a stack trace. */
export const ALL = "all ids";

/** Ids in any context: 15 to 20 digits, hex with its prefix, UUIDs, ULIDs and ObjectIds. */
const ID =
  /(?<![A-Za-z0-9.])(?:\d{15,20}(?:_\d+)?|0x[0-9a-fA-F]{12,16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25}|(?=[a-f]*\d)[0-9a-f]{24})(?![A-Za-z0-9]|\.\d)/g;

/** The number of lines that tell whether the text is a log. */
const SAMPLE = 60;
/** The number of characters before an id that name its column. */
const BEFORE = 48;
const COLUMNS_MAX = 32;
/**
 * The largest number of names that are kept, because the words before an id may be different in
 * each line.
 */
const NAMES_MAX = 10_000;

/** These words name nothing. */
const LITTLE = /^(?:a|an|and|are|as|at|by|for|from|in|is|of|on|or|the|to|was|with)$/;
/**
 * This matches a name and the characters between it and its id: `key="1"`, `/orders/1`, `ord_1`,
 * `order #1`.
 */
const NAMED = /([A-Za-z][\w.-]*?)(?:["']?\s*[=:]\s*["'<@!#&]*|(\/)|[_-]|[\s#:([<"']+)$/;

/** Returns whether ids stand among words in most lines that have one. */
export function isLog(lines: string[]): boolean {
  const step = Math.max(1, Math.floor(lines.length / SAMPLE));
  let [withIds, withWords] = [0, 0];
  for (let i = 0; i < lines.length; i += step) {
    const line = lines[i] ?? "";
    if (!line.match(ID)) continue;
    withIds += 1;
    if (hasWords(line)) withWords += 1;
  }
  return withWords > 0 && withWords * 2 >= withIds;
}

function hasWords(line: string) {
  const time = timeOfLine(line);
  const rest = time ? line.slice(0, time.from) + line.slice(time.until) : line;
  let words = time ? 1 : 0;
  for (const part of rest.split(/\s+/)) {
    const bare = part.replace(ID, "");
    if (bare === part) words += /[A-Za-z]/.test(part) ? 1 : 0;
    // The id is in a path, or has a key before it.
    else if (/^\W*[\w-]+=|^\/\w/.test(bare)) words += 1;
  }
  return words > 1;
}

/** A column has at most `cellsMax` cells. */
export function logColumns(lines: string[], cellsMax: number): Map<string, Cell[]> {
  const columns = new Map<string, Cell[]>();
  /** The name of the column by what stands before the id. */
  const names = new Map<string, string>();
  const add = (name: string, cell: Cell) => {
    const cells = columns.get(name) ?? [];
    if (cells.length === 0 && columns.size === COLUMNS_MAX) return;
    columns.set(name, cells);
    if (cells.length < cellsMax) cells.push(cell);
  };
  let linesWithIds = 0;
  for (const [i, text] of lines.entries()) {
    const time = timeOfLine(text);
    let before = 0;
    const taken: string[] = [];
    for (const match of text.matchAll(ID)) {
      const { 0: id, index } = match;
      const isTime = time !== undefined && index < time.until && index + id.length > time.from;
      if (isTime) continue;
      const start = Math.max(before, index - BEFORE, time && time.until <= index ? time.until : 0);
      const around = text.slice(start, index);
      const name = names.get(around) ?? named(around);
      if (names.size < NAMES_MAX) names.set(around, name);
      let column = name || "id";
      for (let n = 2; taken.includes(column); n++) column = `${name || "id"} ${n}`;
      taken.push(column);
      add(column, { text: linked(text, index, id), line: i + 1 });
      before = index + id.length;
    }
    if (taken.length > 0) linesWithIds += 1;
    if (time && taken.length > 0) add(TIME, { text: new Date(time.ms).toISOString(), line: i + 1 });
  }
  const found = linesWithIds === 1 ? merged(columns) : columns;
  const ids = [...found].filter(([name]) => name !== TIME).map(([, cells]) => cells);
  const isEachNew = ids.length > 1 && ids.every(({ length }) => length === 1);
  return isEachNew ? new Map([[ALL, ids.flat()], ...found]) : found;
}

/**
 * Merges the columns of a single line that have one name, because no other line has as many of
 * them.
 */
function merged(columns: Map<string, Cell[]>) {
  const all = new Map<string, Cell[]>();
  for (const [name, cells] of columns) {
    const one = name.replace(/ \d+$/, "");
    all.set(one, [...(all.get(one) ?? []), ...cells]);
  }
  return all;
}

/** Returns the name of the ids after a text: `/orders/` and `orderId=` have order ids. */
function named(before: string) {
  const match = NAMED.exec(before);
  if (!match) return "";
  const [, name = "", slash] = match;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .toLowerCase();
  if (LITTLE.test(words)) return "";
  const one = slash ? words.replace(/(?<![su])s$/, "") : words;
  return /\bids?$/.test(one) ? one.replace(/ids$/, "id") : `${one} id`;
}

/** Returns the id with the link or mention around it, which tells its system. */
function linked(line: string, index: number, id: string) {
  const start = Math.max(line.lastIndexOf(" ", index), line.lastIndexOf("\t", index)) + 1;
  if (start === index || !/^(?:\(?https?:|<)/.test(line.slice(start, start + 8))) return id;
  const [part = ""] = line.slice(start, index + id.length + 24).split(/[\s)]/);
  const text = part.replace(/^\(/, "");
  return sourceOf(text)?.id === id ? text : id;
}
