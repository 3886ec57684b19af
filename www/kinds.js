// Ids of other kinds than 64 bits in a layout: what each is, its date, and its fields.
//
// They are decoded here, and not by the libraries that make them: `uuid` and `ulid` read a version
// and a date and no fields, `bson` is larger than this page, and what is left is one conversion of a
// base for each kind.

import { uuidOf } from "./uuid.js";

/** @typedef {{ name: string, bits: number, value: string, meaning: string }} Part */

/**
 * @typedef {object} Kind
 * @property {string} title what people call it, such as "UUID version 7"
 * @property {string} text the id as its kind writes it
 * @property {number} bits
 * @property {string} note how it differs from a snowflake
 * @property {number | undefined} timestampMs in Unix ms
 * @property {Part[]} parts
 */

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SORTABLE_BASE32 = "234567abcdefghijklmnopqrstuvwxyz";

/** KSUIDs count s from here on, in Unix s. */
const KSUID_EPOCH_S = 1_400_000_000;
/** A KSUID has 160 bits, of which 27 characters could say a little more. */
const KSUID_MAX = 2n ** 160n;

/** Bluesky opened in 2022: an earlier date says that 13 characters are no TID, in Unix ms. */
const TID_SINCE_MS = Date.UTC(2022, 0, 1);
const DAY_MS = 86_400_000;

/**
 * The kind of an id, with nothing around it; nothing for what may be a snowflake.
 *
 * @param {string} text
 * @param {number} nowMs
 * @returns {Kind | undefined}
 */
export function kindOf(text, nowMs) {
  // Of 13 (TID) to 36 characters (UUID).
  if (text.length < 13 || text.length > 36 || /^\d+$/.test(text)) return undefined;
  return (
    uuidOf(text) ??
    ulidOf(text) ??
    objectIdOf(text) ??
    ksuidOf(text) ??
    tidOf(text, nowMs) ??
    nanoidOf(text)
  );
}

/** @param {string} text @returns {Kind | undefined} */
function ulidOf(text) {
  if (!/^[0-7][0-9a-hjkmnp-tv-z]{25}$/i.test(text)) return undefined;
  const value = numberOf(text.toLowerCase(), CROCKFORD);
  const ms = value >> 80n;
  return {
    title: "ULID",
    text: text.toUpperCase(),
    bits: 128,
    note: "128 bits, not a snowflake",
    timestampMs: Number(ms),
    parts: [
      { name: "timestamp", bits: 48, value: String(ms), meaning: "ms since 1970-01-01" },
      {
        name: "random",
        bits: 80,
        value: hex(value & (2n ** 80n - 1n), 80),
        meaning: "random, or one more than before within a ms",
      },
    ],
  };
}

/** @param {string} text @returns {Kind | undefined} */
function objectIdOf(text) {
  if (!/^[0-9a-f]{24}$/i.test(text)) return undefined;
  const value = BigInt(`0x${text}`);
  const seconds = value >> 64n;
  return {
    title: "ObjectId of MongoDB",
    text: text.toLowerCase(),
    bits: 96,
    note: "96 bits, not a snowflake",
    timestampMs: Number(seconds) * 1000,
    parts: [
      { name: "timestamp", bits: 32, value: String(seconds), meaning: "s since 1970-01-01" },
      {
        name: "process",
        bits: 40,
        value: hex((value >> 24n) & (2n ** 40n - 1n), 40),
        meaning: "random, once for each process",
      },
      {
        name: "counter",
        bits: 24,
        value: String(value & (2n ** 24n - 1n)),
        meaning: "counts from a random number on",
      },
    ],
  };
}

/** @param {string} text @returns {Kind | undefined} */
function ksuidOf(text) {
  if (!/^[0-9a-z]{27}$/i.test(text)) return undefined;
  const value = numberOf(text, BASE62);
  if (value >= KSUID_MAX) return undefined;
  const seconds = value >> 128n;
  return {
    title: "KSUID",
    text,
    bits: 160,
    note: "160 bits, not a snowflake",
    timestampMs: (Number(seconds) + KSUID_EPOCH_S) * 1000,
    parts: [
      {
        name: "timestamp",
        bits: 32,
        value: String(seconds),
        meaning: "s since 2014-05-13T16:53:20Z",
      },
      { name: "payload", bits: 128, value: hex(value & (2n ** 128n - 1n), 128), meaning: "random" },
    ],
  };
}

/**
 * 13 characters may be many things, so a TID must have a date on which there was Bluesky.
 *
 * @param {string} text
 * @param {number} nowMs
 * @returns {Kind | undefined}
 */
function tidOf(text, nowMs) {
  if (!/^[2-7a-j][2-7a-z]{12}$/.test(text)) return undefined;
  const value = numberOf(text, SORTABLE_BASE32);
  const micros = value >> 10n;
  const timestampMs = Number(micros / 1000n);
  if (timestampMs < TID_SINCE_MS || timestampMs > nowMs + DAY_MS) return undefined;
  return {
    title: "TID of Bluesky",
    text,
    bits: 64,
    note: "64 bits that count µs: no layout of whole ms can say so",
    timestampMs,
    parts: [
      { name: "timestamp", bits: 53, value: String(micros), meaning: "µs since 1970-01-01" },
      { name: "clock", bits: 10, value: String(value & 1023n), meaning: "which clock made it" },
    ],
  };
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
 * @param {string} alphabet
 */
function numberOf(text, alphabet) {
  let value = 0n;
  for (const character of text) {
    value = value * BigInt(alphabet.length) + BigInt(alphabet.indexOf(character));
  }
  return value;
}

/**
 * @param {bigint} value
 * @param {number} bits
 */
function hex(value, bits) {
  return `0x${value.toString(16).padStart(bits / 4, "0")}`;
}
