// Ids of other kinds than 64 bits in a layout: the kind of each, its date, and its fields.
//
// They are decoded here, and not by the libraries that make them. `uuid` and `ulid` read a version
// and a date but no fields, and `bson` is larger than this page. The other kinds need only one
// conversion of a base each.

import { hex, uuidOf } from "./uuid.js";

/** @typedef {{ name: string, bits: number, value: string, meaning: string }} Part */

/**
 * @typedef {object} Kind
 * @property {string} title common name of the kind, such as "UUID version 7"
 * @property {string} text the id in the notation of its kind
 * @property {number} bits
 * @property {string} note difference from a snowflake
 * @property {number | undefined} timestampMs in Unix ms
 * @property {Part[]} parts
 */

/**
 * @typedef {object} Base a kind whose ids are numbers in a base
 * @property {string} title
 * @property {number} bits
 * @property {RegExp} pattern
 * @property {(text: string) => string} write returns the text in the notation of its kind
 * @property {string} digits the digits of the base
 * @property {string} note
 * @property {(timestamp: bigint) => number} date in Unix ms
 * @property {number} [sinceMs] date of the first id of this kind; an earlier date, or one in the
 * future, shows that the text is not of this kind
 * @property {[name: string, bits: number, meaning: string, isHex?: boolean][]} fields the fields
 * from the top; the first one is the timestamp
 */

const HEX_DIGITS = "0123456789abcdef";
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SORTABLE_BASE32 = "234567abcdefghijklmnopqrstuvwxyz";

/** The moment from which KSUIDs count s, in Unix s. */
const KSUID_EPOCH_S = 1_400_000_000;
const DAY_MS = 86_400_000;

/** @type {Base[]} */
const BASES = [
  {
    title: "ULID",
    bits: 128,
    pattern: /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i,
    digits: CROCKFORD,
    write: (text) => text.toUpperCase(),
    note: "128 bits, not a snowflake",
    date: Number,
    fields: [
      ["timestamp", 48, "ms since 1970-01-01"],
      ["random", 80, "random, or one more than before within a ms", true],
    ],
  },
  {
    title: "ObjectId of MongoDB",
    bits: 96,
    pattern: /^[0-9a-f]{24}$/i,
    digits: HEX_DIGITS,
    write: (text) => text.toLowerCase(),
    note: "96 bits, not a snowflake",
    date: (seconds) => Number(seconds) * 1000,
    fields: [
      ["timestamp", 32, "s since 1970-01-01"],
      ["process", 40, "random, once for each process", true],
      ["counter", 24, "counts from a random number on"],
    ],
  },
  {
    title: "KSUID",
    bits: 160,
    pattern: /^[0-9a-z]{27}$/i,
    digits: BASE62,
    write: String,
    note: "160 bits, not a snowflake",
    date: (seconds) => (Number(seconds) + KSUID_EPOCH_S) * 1000,
    fields: [
      ["timestamp", 32, "s since 2014-05-13T16:53:20Z"],
      ["payload", 128, "random", true],
    ],
  },
  {
    title: "TID of Bluesky",
    bits: 64,
    pattern: /^[2-7a-j][2-7a-z]{12}$/,
    digits: SORTABLE_BASE32,
    write: String,
    note: "64 bits that count µs: no layout of whole ms can say so",
    date: (micros) => Number(micros / 1000n),
    // A text of 13 characters may have many meanings, and Bluesky opened in 2022.
    sinceMs: Date.UTC(2022, 0, 1),
    fields: [
      ["timestamp", 53, "µs since 1970-01-01"],
      ["clock", 10, "which clock made it"],
    ],
  },
];

/**
 * Returns the kind of an id that has nothing around it; `undefined` if it may be a snowflake.
 *
 * @param {string} text
 * @param {number} nowMs
 * @returns {Kind | undefined}
 */
export function kindOf(text, nowMs) {
  // A TID has 13 characters, and a UUID 36.
  if (text.length < 13 || text.length > 36 || /^\d+$/.test(text)) return undefined;
  const uuid = uuidOf(text);
  if (uuid) return uuid;
  for (const base of BASES) {
    const kind = base.pattern.test(text) ? read(text, base, nowMs) : undefined;
    if (kind) return kind;
  }
  return nanoidOf(text);
}

/**
 * @param {string} text that has the pattern of a kind
 * @param {Base} base
 * @param {number} nowMs
 * @returns {Kind | undefined}
 */
function read(text, { title, bits, digits, write, note, date, sinceMs, fields }, nowMs) {
  const written = write(text);
  let rest = numberOf(written, digits);
  // The last digit of a base can hold more than the remaining bits.
  if (rest >> BigInt(bits) !== 0n) return undefined;
  const values = fields.toReversed().map(([, width]) => {
    const value = BigInt.asUintN(width, rest);
    rest >>= BigInt(width);
    return value;
  });
  values.reverse();
  const timestampMs = date(values[0]);
  if (sinceMs && (timestampMs < sinceMs || timestampMs > nowMs + DAY_MS)) return undefined;
  const parts = fields.map(([name, width, meaning, isHex], i) => {
    const value = isHex ? hex(values[i], width) : String(values[i]);
    return { name, bits: width, value, meaning };
  });
  return { title, text: written, bits, note, timestampMs, parts };
}

/** @param {string} text @returns {Kind | undefined} */
function nanoidOf(text) {
  if (!/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{21}$/.test(text)) return undefined;
  return {
    title: "NanoID, by its length",
    text,
    bits: 126,
    note: "random: carries no time",
    timestampMs: undefined,
    parts: [],
  };
}

/**
 * @param {string} text
 * @param {string} digits
 */
function numberOf(text, digits) {
  let value = 0n;
  for (const character of text) {
    value = value * BigInt(digits.length) + BigInt(digits.indexOf(character));
  }
  return value;
}
