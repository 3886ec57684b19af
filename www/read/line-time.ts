// The time at which a line of a log was written.

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const ZONE = "(Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)?";
/** This matches 2022-11-18T11:50:20.644Z, 2022/11/18 11:50:20 and 2022-11-18 11:50:20,644. */
const ISO = new RegExp(
  `(\\d{4})[-/](\\d\\d)[-/](\\d\\d)[T ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?\\s?${ZONE}`,
);
/** This matches the notation of web servers: 18/Nov/2022:11:50:20 +0000. */
const COMMON = new RegExp(`(\\d\\d)/([A-Z][a-z]{2})/(\\d{4}):(\\d\\d):(\\d\\d):(\\d\\d) ?${ZONE}`);
/**
 * This matches Unix time at the beginning or after its key, in s, ms, µs or ns by the number of
 * digits.
 */
const UNIX =
  /(?:^\[?|\b(?:ts|time|timestamp)["']?[=:]\s?["']?)(\d{10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19})(?=["'\]\s,}]|$)/;

/**
 * The number of characters in which the time of a line begins. A time further in the line is not
 * its own.
 */
const WITHIN = 160;

export interface LineTime {
  /** Unix ms; a time without a zone counts as UTC. */
  ms: number;
  /** Its beginning and end in the line. */
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

/** `parts` are year to second, and `fraction` is that of the second. */
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
