// Reads a log, or any text with ids among its words. The words before an id name its column. The
// line's time is in a column of its own, to compare it with the id's date.

import { addCell, type Cell, type Columns, sample } from "./cells.ts";
import { sourceOf } from "./links.ts";

/** The name of the column with the times of lines. */
const TIME = "time";
/** The name of the only column if different words precede each id, as in a stack trace. */
export const ALL = "all ids";

/** Ids in any context: 15 to 20 digits, prefixed hex, UUIDs, ULIDs, ObjectIds and public ids. */
const ID =
  /(?<![A-Za-z0-9.])(?:[a-z][a-z_]{0,62}_(?=[0-9a-z]*[A-Z])(?=[0-9A-Z]*[a-z])[0-9A-Za-z]{11,16}|\d{15,20}(?:_\d+)?|0x[0-9a-fA-F]{12,16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25}|(?=[a-f]*\d)[0-9a-f]{24})(?![A-Za-z0-9]|\.\d)/g;

/** A column's name is searched in this many characters before an id. */
const BEFORE = 48;
const COLUMNS_MAX = 32;
/** The most names that are remembered, because the words before an id may differ in each line. */
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

export function logColumns(lines: string[]): Columns {
  const columns: Columns = new Map();
  /** The names of columns, by the text before the id. */
  const names = new Map<string, string>();
  let linesWithIds = 0;
  let hasOthers: boolean | undefined;
  for (const [i, text] of lines.entries()) {
    const written = timeOfLine(text);
    const others = idsOf(text, written);
    // A number of ns at the beginning may be an id. It is the id, if no line has another.
    const isFirst = written?.from === 0 && others.length === 0;
    if (isFirst) hasOthers ??= lines.some((line) => idsOf(line, timeOfLine(line)).length > 0);
    const [time, ids] = isFirst && !hasOthers ? [undefined, idsOf(text)] : [written, others];
    let before = 0;
    const taken: string[] = [];
    for (const { 0: id, index } of ids) {
      const start = Math.max(before, index - BEFORE, time && time.until <= index ? time.until : 0);
      const around = text.slice(start, index);
      const name = names.get(around) ?? named(around);
      if (names.size < NAMES_MAX) names.set(around, name);
      let column = name;
      for (let n = 2; taken.includes(column); n++) column = `${name} ${n}`;
      taken.push(column);
      addCell(columns, column, { text: linked(text, index, id), line: i + 1 }, COLUMNS_MAX);
      before = index + id.length;
    }
    if (taken.length === 0) continue;
    linesWithIds += 1;
    if (!time) continue;
    addCell(columns, TIME, { text: new Date(time.ms).toISOString(), line: i + 1 }, COLUMNS_MAX);
  }
  const found = linesWithIds === 1 ? merged(columns) : columns;
  const ids = [...found].filter(([name]) => name !== TIME).map(([, cells]) => cells);
  const isEachNew = ids.length > 1 && ids.every(({ length }) => length === 1);
  return isEachNew ? new Map([[ALL, ids.flat()], ...found]) : found;
}

/** Returns the ids of a line, without the numbers that are a part of its time. */
function idsOf(line: string, time?: LineTime) {
  const isBeside = ({ 0: id, index }: RegExpExecArray) =>
    time === undefined || index >= time.until || index + id.length <= time.from;
  return [...line.matchAll(ID)].filter(isBeside);
}

/** Merges columns such as "id" and "id 2". It is called if a single line has all ids. */
function merged(columns: Columns) {
  const all: Columns = new Map();
  for (const [name, cells] of columns) {
    const one = name.replace(/ \d+$/, "");
    all.set(one, [...(all.get(one) ?? []), ...cells]);
  }
  return all;
}

/** Returns a column's name from the text before an id: "order id" from `/orders/` or `orderId=`. */
function named(before: string) {
  const match = NAMED.exec(before);
  if (!match) return "id";
  const [, name = "", slash] = match;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .toLowerCase();
  if (LITTLE.test(words)) return "id";
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
export function timesOfRows(columns: Columns, ids: string): Times | undefined {
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

const CLOCK = String.raw`(?<hour>\d\d):(?<minute>\d\d)`;
const SECOND = String.raw`:(?<second>\d\d)`;
const ZONE = String.raw`(?:Z|UTC|GMT|(?<sign>[+-])(?<hours>\d\d):?(?<minutes>\d\d))?`;
/** This matches 2022-11-18T11:50:20.644Z, 2022/11/18 11:50:20 and 2022-11-18 11:50:20,644. */
const ISO = new RegExp(
  String.raw`(?<year>\d{4})[-/](?<month>\d\d)[-/](?<day>\d\d)[T ]${CLOCK}` +
    String.raw`(?:${SECOND}(?:[.,](?<fraction>\d{1,9}))?)?\s?${ZONE}`,
);
/** This matches the notation of web servers: 18/Nov/2022:11:50:20 +0000. */
const COMMON = new RegExp(
  String.raw`(?<day>\d\d)/(?<month>[A-Z][a-z]{2})/(?<year>\d{4}):${CLOCK}${SECOND} ?${ZONE}`,
);
/** This matches Unix time in s, ms, µs or ns, at the beginning of a line or after a key. */
const UNIX =
  /(?:^\[?|\b(?:ts|time|timestamp)["']?[=:]\s?["']?)(\d{10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19})(?=["'\]\s,}]|$)/;

/** The line's time begins within this many characters. A later time is not the time of the line. */
const WITHIN = 160;

interface LineTime {
  /** The time in Unix ms. A time without a zone counts as UTC. */
  ms: number;
  /** The beginning and the end of the time in the line. */
  from: number;
  until: number;
}

export function timeOfLine(line: string): LineTime | undefined {
  const head = line.length > WITHIN ? line.slice(0, WITHIN) : line;
  const date = ISO.exec(head) ?? COMMON.exec(head);
  if (date) return timeOfDate(date);
  const unix = UNIX.exec(head);
  if (!unix) return undefined;
  const [whole, digits] = unix;
  // The number of digits shows the unit.
  const isSeconds = digits.length === 10 || digits.includes(".");
  const ms = isSeconds ? Number(digits) * 1000 : Number(digits) / 10 ** (digits.length - 13);
  const until = unix.index + whole.length;
  return { ms: Math.floor(ms), from: until - digits.length, until };
}

/** Returns `undefined` if a part is too large, such as a month 13. */
function timeOfDate({ 0: text, index, groups = {} }: RegExpExecArray): LineTime | undefined {
  const { year, fraction = "", sign, hours = 0, minutes = 0 } = groups;
  const named = MONTHS.indexOf(groups.month.toLowerCase());
  const month = named < 0 ? Number(groups.month) - 1 : named;
  const rest = [groups.day, groups.hour, groups.minute, groups.second ?? 0];
  const [day, hour, minute, second] = rest.map(Number);
  const isDate = month <= 11 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60;
  if (!isDate) return undefined;
  const fractionMs = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const utcMs = Date.UTC(Number(year), month, day, hour, minute, second, fractionMs);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const ms = sign === "-" ? utcMs + offsetMs : utcMs - offsetMs;
  return { ms, from: index, until: index + text.length };
}
