// Formats and parses numbers, dates and durations.

/** Units with their length in ms and symbol, the largest first. Year and day have no symbol. */
const UNITS = [
  ["year", 31_556_952_000, ""],
  ["day", 86_400_000, ""],
  ["hour", 3_600_000, "h"],
  ["minute", 60_000, "min"],
  ["second", 1_000, "s"],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const here = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const number = new Intl.NumberFormat("en");

/** Larger numbers than this are rounded, because JavaScript numbers are not exact there. */
const EXACT_MAX = 1e15;
const rounded = new Intl.NumberFormat("en", {
  maximumSignificantDigits: 3,
  notation: "scientific",
});

export function count(value: number | bigint): string {
  if (typeof value === "bigint" || value < EXACT_MAX) return number.format(value);
  const [digits, exponent = ""] = rounded.format(value).split("E");
  return `${digits} × 10${[...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}

/** Formats a number with its noun, such as `1 bit` and `2 bits`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Formats a moment in Unix ms as a date in UTC. */
export function iso(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}

export function day(ms: number): string {
  return iso(ms).replace(/T.*/, "");
}

/** Formats a moment in the reader's time zone and calendar. */
export function local(ms: number): string {
  return Number.isNaN(new Date(ms).getTime()) ? iso(ms) : here.format(ms);
}

/** Says how long ago a moment was, or in how long it will be. */
export function ago(ms: number): string {
  const distance = ms - Date.now();
  const [unit, length] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? ["second", 1000];
  return relative.format(Math.trunc(distance / length), unit);
}

/** Formats a duration in its two largest units. */
export function duration(ms: number): string {
  if (ms < 1000) return `${count(ms)} ms`;
  if (ms < 60_000) return `${count(ms / 1000)} s`;
  const first = UNITS.findIndex(([, size]) => ms >= size);
  const parts = [];
  let rest = ms;
  for (const [unit, size, sign] of UNITS.slice(first, first + 2)) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0) parts.push(sign ? `${count(whole)} ${sign}` : counted(whole, unit));
  }
  return parts.join(" ");
}

/**
 * Returns the moment of a date in Unix ms; `undefined` for other texts, even for a number. A date
 * without a zone is in UTC.
 */
export function dateOf(text: string): number | undefined {
  const isIso = /^[+-]?\d{4,6}-\d{2}-\d{2}([T ]|$)/.test(text);
  if (!isIso && !/\b\d{1,2}\b.*\b(19|20)\d\d\b/.test(text)) return undefined;
  if (!isIso && !/(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(text)) return undefined;
  const zoned = /T?\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2}|[A-Z]{3,4}([+-]\d+)?)\s*$/i.test(text);
  const dated = text.replace(/^(\S+-\d{2}-\d{2}) /, "$1T");
  const hasTime = /\d:\d{2}/.test(text);
  const ms = Date.parse(zoned || (isIso && !hasTime) ? dated : `${dated}${isIso ? "Z" : " UTC"}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Returns the moment of a typed date or integer in Unix ms. Its error message calls the moment
 * `name`, such as `the epoch`.
 */
export function neededMoment(text: string, name: string): number {
  const trimmed = text.trim();
  const ms = /^\d{1,16}$/.test(trimmed) ? Number(trimmed) : dateOf(trimmed);
  if (ms === undefined) {
    throw new RangeError(
      `${name} "${text}" is no date: give Unix ms or a date such as 2026-01-16T12:00:00Z`,
    );
  }
  return ms;
}

/** Returns the number of lines of a text, and its size. */
export function sizeOf(text: string) {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  const { length } = text;
  const size =
    length < 1e6 ? `${count(Math.round(length / 1000))} kB` : `${(length / 1e6).toFixed(1)} MB`;
  return `${counted(lines, "line")}, ${size}`;
}
