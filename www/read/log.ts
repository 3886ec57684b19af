// Reads a log, or any text with ids among its words. The words before an id name its column. The
// line's time is in a column of its own, to compare it with the id's date.

import { type Cell, sample } from "./cells.ts";
import { sourceOf } from "./links.ts";

/** The name of the column with the times of lines. */
const TIME = "time";
/** The name of the only column if different words precede each id, as in a stack trace. */
export const ALL = "all ids";

/**
 * Texts that are ids in any context: 15 to 20 digits, prefixed hex, UUIDs, ULIDs, ObjectIds, public
 * ids.
 */
const ID =
  /(?<![A-Za-z0-9.])(?:[a-z][a-z_]{0,62}_(?=[0-9a-z]*[A-Z])(?=[0-9A-Z]*[a-z])[0-9A-Za-z]{11,16}|\d{15,20}(?:_\d+)?|0x[0-9a-fA-F]{12,16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25}|(?=[a-f]*\d)[0-9a-f]{24})(?![A-Za-z0-9]|\.\d)/g;

/** A column's name is searched in this many characters before an id. */
const BEFORE = 48;
const COLUMNS_MAX = 32;
/**
 * The largest number of column names. There must be a limit, because the words before an id may
 * differ in each line.
 */
const NAMES_MAX = 10_000;

/** Words that do not name a column. */
const LITTLE = /^(?:a|an|and|are|as|at|by|for|from|in|is|of|on|or|the|to|was|with)$/;
/**
 * This matches a name and the characters between it and its id: `key="1"`, `/orders/1`, `ord_1`,
 * `order #1`.
 */
const NAMED = /([A-Za-z][\w.-]*?)(?:["']?\s*[=:]\s*["'<@!#&]*|(\/)|[_-]|[\s#:([<"']+)$/;

/** Returns whether at least half of the lines with ids have words around the ids. */
export function isLog(lines: string[]): boolean {
  let [withIds, withWords] = [0, 0];
  for (const line of sample(lines)) {
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
    // The id is in a path, or follows a key.
    else if (/^\W*[\w-]+=|^\/\w/.test(bare)) words += 1;
  }
  return words > 1;
}

/** A column gets at most `cellsMax` cells. */
export function logColumns(lines: string[], cellsMax: number): Map<string, Cell[]> {
  const columns = new Map<string, Cell[]>();
  /** The names of columns, by the text before the id. */
  const names = new Map<string, string>();
  const add = (name: string, cell: Cell) => {
    const cells = columns.get(name) ?? [];
    if (cells.length === 0 && columns.size === COLUMNS_MAX) return;
    columns.set(name, cells);
    if (cells.length < cellsMax) cells.push(cell);
  };
  let linesWithIds = 0;
  let hasOthers: boolean | undefined;
  for (const [i, text] of lines.entries()) {
    const written = timeOfLine(text);
    const isTime = isOf(written);
    const matches = [...text.matchAll(ID)];
    // A number of ns at the beginning may be an id. It is the id, if no line has another.
    const isFirst = written?.from === 0 && matches.every(isTime);
    if (isFirst) hasOthers ??= lines.some(hasOther);
    const time = isFirst && !hasOthers ? undefined : written;
    let before = 0;
    const taken: string[] = [];
    for (const match of matches) {
      if (time && isTime(match)) continue;
      const { 0: id, index } = match;
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

/** Returns whether a line has an id beside its time. */
function hasOther(line: string) {
  const isTime = isOf(timeOfLine(line));
  return [...line.matchAll(ID)].some((match) => !isTime(match));
}

/** Returns a function that says whether a match is a part of this time. */
function isOf(time: LineTime | undefined) {
  return ({ 0: id, index }: RegExpExecArray) =>
    time !== undefined && index < time.until && index + id.length > time.from;
}

/** Merges columns such as "id" and "id 2". It is called if a single line has all ids. */
function merged(columns: Map<string, Cell[]>) {
  const all = new Map<string, Cell[]>();
  for (const [name, cells] of columns) {
    const one = name.replace(/ \d+$/, "");
    all.set(one, [...(all.get(one) ?? []), ...cells]);
  }
  return all;
}

/**
 * Returns the column's name from the text before an id: `/orders/` and `orderId=` give "order ids".
 */
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

/** Returns the id with the link or mention around it, which shows its system. */
function linked(line: string, index: number, id: string) {
  const start = Math.max(line.lastIndexOf(" ", index), line.lastIndexOf("\t", index)) + 1;
  if (start === index || !/^(?:\(?https?:|<)/.test(line.slice(start, start + 8))) return id;
  const [part = ""] = line.slice(start, index + id.length + 24).split(/[\s)]/);
  const text = part.replace(/^\(/, "");
  return sourceOf(text)?.id === id ? text : id;
}

/** Names of columns whose numbers are times. In other columns, numbers are more likely ids. */
const TIME_NAME = /time|date|^ts$|_at$|[a-z]At$|created|joined/i;
/** A date without a time of day. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface Times {
  /** The time of each line in Unix ms. */
  ms: Map<number, number>;
  areDays: boolean;
}

/**
 * Returns the times of the lines; `undefined` if no column has one time for each line. A column
 * with times of day is chosen before one with days.
 */
export function timesOfRows(columns: Map<string, Cell[]>, ids: string): Times | undefined {
  const count = columns.get(ids)?.length ?? 0;
  if (count === 0) return undefined;
  let days: Times | undefined;
  for (const [name, cells] of columns) {
    if (name === ids || cells.length === 0) continue;
    const areDays = sample(cells).every(({ text }) => DAY.test(text.trim()));
    if (!areDays && !hasTimes(cells, TIME_NAME.test(name))) continue;
    const ms = new Map<number, number>();
    for (const { text, line } of cells) {
      const time = areDays ? Date.parse(text.trim()) : timeOfLine(text)?.ms;
      if (time !== undefined && !Number.isNaN(time)) ms.set(line, time);
    }
    if (ms.size * 2 <= cells.length) continue;
    if (!areDays) return { ms, areDays };
    days ??= { ms, areDays };
  }
  return days;
}

/** `hasNumbers` says whether Unix time is allowed, too. */
function hasTimes(cells: Cell[], hasNumbers: boolean) {
  return sample(cells).every(({ text }) => {
    const trimmed = text.trim();
    const time = timeOfLine(trimmed);
    if (!time || time.from > 0 || time.until < trimmed.length) return false;
    return hasNumbers || !/^[\d.]+$/.test(trimmed);
  });
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const ZONE = "(Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)?";
/** This matches 2022-11-18T11:50:20.644Z, 2022/11/18 11:50:20 and 2022-11-18 11:50:20,644. */
const ISO = new RegExp(
  `(\\d{4})[-/](\\d\\d)[-/](\\d\\d)[T ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?\\s?${ZONE}`,
);
/** This matches the notation of web servers: 18/Nov/2022:11:50:20 +0000. */
const COMMON = new RegExp(`(\\d\\d)/([A-Z][a-z]{2})/(\\d{4}):(\\d\\d):(\\d\\d):(\\d\\d) ?${ZONE}`);
/**
 * This matches Unix time at the beginning of a line or after a key. The number of digits says
 * whether it is in s, ms, µs or ns.
 */
const UNIX =
  /(?:^\[?|\b(?:ts|time|timestamp)["']?[=:]\s?["']?)(\d{10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19})(?=["'\]\s,}]|$)/;

/** The line's time begins within this many characters. A later time is not the time of the line. */
const WITHIN = 160;

export interface LineTime {
  /** The time in Unix ms. A time without a zone counts as UTC. */
  ms: number;
  /** The beginning and the end of the time in the line. */
  from: number;
  until: number;
}

export function timeOfLine(line: string): LineTime | undefined {
  const head = line.length > WITHIN ? line.slice(0, WITHIN) : line;
  const iso = ISO.exec(head);
  if (iso) {
    const [, year, month, day, hour, minute, second = "0", fraction = "", zone] = iso;
    return found(iso, [year, Number(month) - 1, day, hour, minute, second], fraction, zone);
  }
  const common = COMMON.exec(head);
  if (common) {
    const [, day, month = "", year, hour, minute, second, zone] = common;
    const at = MONTHS.indexOf(month.toLowerCase());
    return at < 0 ? undefined : found(common, [year, at, day, hour, minute, second], "", zone);
  }
  const unix = UNIX.exec(head);
  if (!unix) return undefined;
  const [whole, digits = ""] = unix;
  const units = new Map([
    [13, 1],
    [16, 1e3],
    [19, 1e6],
  ]).get(digits.length);
  const ms =
    units === undefined || digits.includes(".") ? Number(digits) * 1000 : Number(digits) / units;
  const until = unix.index + whole.length;
  return { ms: Math.floor(ms), from: until - digits.length, until };
}

/** `parts` are the numbers from year to second, and `fraction` is the fraction of the second. */
function found(
  match: RegExpExecArray,
  parts: (string | number | undefined)[],
  fraction: string,
  zone: string | undefined,
): LineTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  if (month > 11 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  const utcMs =
    Date.UTC(year, month, day, hour, minute, second) + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const ms = utcMs - offsetMs(zone);
  return { ms, from: match.index, until: match.index + match[0].length };
}

function offsetMs(zone: string | undefined) {
  if (zone === undefined || zone.length < "+0000".length) return 0;
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (!parts) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  return (parts[1] === "-" ? -minutes : minutes) * 60_000;
}
