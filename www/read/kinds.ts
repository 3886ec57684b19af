// Ids of other kinds than 64 bits in a layout: the kind of each, its date, and its fields.
//
// They are decoded here, and not by the libraries that make them. `uuid` and `ulid` read a version
// and a date but no fields, and `bson` is larger than this page. The other kinds need only one
// conversion of a base each.

import { bare, type Cell, sample, unquoted } from "./cells.ts";
import { keyNameOf } from "./public.ts";
import { hex, uuidOf } from "./uuid.ts";

export type KindPart = [name: string, bits: number, value: string, meaning: string];

export interface Kind {
  /** Common name of the kind, such as "UUID version 7". */
  title: string;
  /** The id in the notation of its kind; the beginning of a secret. */
  text: string;
  /** 0 if it is no number of bits. */
  bits: number;
  /** Difference from a snowflake. */
  note: string;
  /** In Unix ms. */
  timestampMs: number | undefined;
  parts: KindPart[];
  /** Whether it may be a public id of edgeflake, which its key decodes. */
  isOpaque?: boolean;
}

/** A kind whose ids are numbers in a base. */
interface Base {
  title: string;
  bits: number;
  pattern: RegExp;
  /** Returns the text in the notation of its kind. */
  write: (text: string) => string;
  /** The digits of the base. */
  digits: string;
  note: string;
  /** In Unix ms. */
  date: (timestamp: bigint) => number;
  /**
   * Date of the first id of this kind. An earlier date, or one in the future, shows that the text
   * is not of this kind.
   */
  sinceMs?: number;
  /** The fields from the top; the first one is the timestamp. */
  fields: [name: string, bits: number, meaning: string, isHex?: boolean][];
}

const HEX_DIGITS = "0123456789abcdef";
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SORTABLE_BASE32 = "234567abcdefghijklmnopqrstuvwxyz";

/** The moment from which KSUIDs count s, in Unix s. */
const KSUID_EPOCH_S = 1_400_000_000;
const DAY_MS = 86_400_000;
/** The most characters of a text of any kind; a JSON Web Token may have many. */
const KIND_MAX = 4000;
const SECRET = "a secret, which gives access to its holder: keep it out of pages and chats";

const BASES: Base[] = [
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
 * Texts that are no ids of 64 bits: their title and note. A group in the pattern is the only part
 * of a secret that is shown.
 */
const OTHERS: [pattern: RegExp, title: string, note: string][] = [
  [/^cus_[0-9A-Za-z]{14,}$/, "customer id of Stripe", "random: carries no time"],
  [
    /^(?:acct|card|ch|cs|dp|evt|in|ii|pi|pm|po|price|prod|py|re|seti|si|src|sub|tok|tr|txn)_(?:test_|live_)?[0-9A-Za-z]{14,}$/,
    "id of Stripe",
    "random: carries no time",
  ],
  [/^([spr]k_(?:live|test)_)\w{10,}$/, "API key of Stripe", SECRET],
  [/^(eyJ[\w-]{4})[\w-]*\.[\w-]+\.[\w-]*$/, "JSON Web Token", SECRET],
  [/^(gh[opsur]_|github_pat_)\w{20,}$/, "access token of GitHub", SECRET],
  [/^(xox[abeprs]-)[\w-]{10,}$/, "token of Slack", SECRET],
  [/^((?:AKIA|ASIA)[A-Z0-9]{4})[A-Z0-9]{12}$/, "access key id of AWS", SECRET],
  [/^(AIza)[\w-]{35}$/, "API key of Google", SECRET],
  [/^(sk-)[\w-]{20,}$/, "API key", SECRET],
  [/^(?![01]+$)[0-9a-f]{64}$/i, "SHA-256 hash", "a hash: carries no time"],
  [/^[0-9a-f]{40}$/i, "SHA-1 hash, such as a commit of Git", "a hash: carries no time"],
  [/^[^\s@/]+@[\w-]+(?:\.[\w-]+)+$/, "email address", "no id"],
  [/^\d{1,3}(?:\.\d{1,3}){3}$/, "IP address", "no id"],
];

/** Returns what finds the kind of a cell, because 13 characters are a TID only among others. */
export function kindReader(cells: Cell[], nowMs: number) {
  const some = sample(cells).map(({ text }) => bare(text));
  const short = some.filter((text) => text.length === 13);
  const tids = short.filter((text) => kindOf(text, nowMs) !== undefined);
  const isPublic = sample(cells).some(({ text }) => keyNameOf(unquoted(text)) !== undefined);
  const isTids = tids.length * 2 >= short.length;
  return (text: string) => {
    const id = bare(text);
    if (id.length === 13 && !isTids) return undefined;
    return kindIn(text, id, nowMs) ?? (isPublic ? publicOf(unquoted(text), true) : undefined);
  };
}

/** Returns the kind of a cell, whose bare text is `id`. */
export function kindIn(text: string, id: string, nowMs: number) {
  // The text before an id may belong to it, as in `cus_...`.
  const whole = text.length > KIND_MAX ? "" : unquoted(text);
  return kindOf(whole, nowMs) ?? kindOf(id, nowMs);
}

/**
 * Returns the kind of a text that has nothing around it; `undefined` if it may be a snowflake, or
 * is nothing known.
 */
function kindOf(text: string, nowMs: number): Kind | undefined {
  if (text.length < 7 || text.length > KIND_MAX || /^\d+$/.test(text)) return undefined;
  return otherOf(text) ?? publicOf(text) ?? numberedOf(text, nowMs);
}

function otherOf(text: string): Kind | undefined {
  for (const [pattern, title, note] of OTHERS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const isSecret = note === SECRET;
    const shown = isSecret ? `${match[1]} …` : text;
    const isOpaque = !isSecret && keyNameOf(text) !== undefined;
    return { title, text: shown, bits: 0, note, timestampMs: undefined, parts: [], isOpaque };
  }
  return undefined;
}

function publicOf(text: string, isAmong = false): Kind | undefined {
  const key = keyNameOf(text, isAmong);
  if (key === undefined) return undefined;
  return {
    title: "public id of edgeflake",
    text,
    bits: 0,
    note: `opaque: without key "${key}" it shows neither its time nor its node`,
    timestampMs: undefined,
    parts: [],
    isOpaque: true,
  };
}

function numberedOf(text: string, nowMs: number): Kind | undefined {
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

/** The text has the pattern of the kind. */
function read(text: string, of: Base, nowMs: number): Kind | undefined {
  const { title, bits, digits, write, note, date, sinceMs, fields } = of;
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
  const timestampMs = date(values[0] ?? 0n);
  if (sinceMs && (timestampMs < sinceMs || timestampMs > nowMs + DAY_MS)) return undefined;
  const parts = fields.map(([name, width, meaning, isHex], i): KindPart => {
    const value = isHex ? hex(values[i] ?? 0n, width) : String(values[i]);
    return [name, width, value, meaning];
  });
  return { title, text: written, bits, note, timestampMs, parts };
}

function nanoidOf(text: string): Kind | undefined {
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

function numberOf(text: string, digits: string) {
  let value = 0n;
  for (const character of text) {
    value = value * BigInt(digits.length) + BigInt(digits.indexOf(character));
  }
  return value;
}
