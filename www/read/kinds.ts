// Recognises ids that are not 64-bit ids of a layout, such as UUIDs, and reads their dates.

import { bare, type Cell, sample, unquoted } from "./cells.ts";
import { keyNameOf } from "./public.ts";

export interface Kind {
  /** The common name of the kind, such as "UUID version 7". */
  title: string;
  /** The id in the usual notation of its kind. If the id is a secret, only its beginning. */
  text: string;
  /** The number of bits; 0 if the kind has none. */
  bits: number;
  /** How ids of this kind differ from snowflake ids. */
  note: string;
  /** The date in Unix ms. */
  timestampMs?: number | undefined;
  /** Whether it may be a public id of edgeflake, which can be decoded with its key. */
  isOpaque?: boolean;
  number?: bigint;
  /** The fields of the number, such as `time:48 rest:80`; without them, it is not taken apart. */
  fields?: string;
}

/** A kind whose ids are numbers that begin with a timestamp. */
interface Base {
  title: string;
  bits: number;
  pattern: RegExp;
  /** Returns the text in the usual notation of the kind; without it, the text stays as it is. */
  write?: (text: string) => string;
  /** The digits in which the number is written. */
  digits: string;
  note?: string;
  timestampBits: number;
  /** The date in Unix ms. */
  date: (timestamp: bigint) => number;
  /**
   * The date of the first id of this kind. An earlier date, or one in the future, shows that the
   * text is not of this kind.
   */
  sinceMs?: number;
}

const HEX_DIGITS = "0123456789abcdef";
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SORTABLE_BASE32 = "234567abcdefghijklmnopqrstuvwxyz";

/** The epoch of KSUIDs, in Unix s. */
const KSUID_EPOCH_S = 1_400_000_000;
const DAY_MS = 86_400_000;
/** The largest number of characters of an id of another kind. JSON Web Tokens are the longest. */
const KIND_MAX = 4000;
const NOT_A_SNOWFLAKE = "not a snowflake";
const SECRET = "a secret, which gives access to its holder: keep it out of pages and chats";

const BASES: Base[] = [
  {
    title: "ULID",
    bits: 128,
    pattern: /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i,
    digits: CROCKFORD,
    write: (text) => text.toUpperCase(),
    timestampBits: 48,
    date: Number,
  },
  {
    title: "ObjectId of MongoDB",
    bits: 96,
    pattern: /^[0-9a-f]{24}$/i,
    digits: HEX_DIGITS,
    write: (text) => text.toLowerCase(),
    timestampBits: 32,
    date: (seconds) => Number(seconds) * 1000,
  },
  {
    title: "KSUID",
    bits: 160,
    pattern: /^[0-9a-z]{27}$/i,
    digits: BASE62,
    timestampBits: 32,
    date: (seconds) => (Number(seconds) + KSUID_EPOCH_S) * 1000,
  },
  {
    title: "TID of Bluesky",
    bits: 64,
    pattern: /^[2-7a-j][2-7a-z]{12}$/,
    digits: SORTABLE_BASE32,
    note: "with a time in µs: edgeflake's layouts count whole ms, so none describes it",
    timestampBits: 54,
    date: (micros) => Number(micros / 1000n),
    // Many texts have 13 characters, so the date must be after 2022, when Bluesky opened.
    sinceMs: Date.UTC(2022, 0, 1),
  },
];

/**
 * Texts that are not 64-bit ids, with a title and a note. If the text is a secret, only the group
 * in the pattern is shown.
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

/**
 * Returns a function that finds the kind of a cell. A text of 13 characters counts as a TID only
 * among other TIDs.
 */
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

/** Returns the kind of a cell. `id` is the bare id in it, without the text around it. */
export function kindIn(text: string, id: string, nowMs: number) {
  if (text.length > KIND_MAX) return undefined;
  // The text before an id may belong to it, as in `cus_...`.
  return kindOf(unquoted(text), nowMs) ?? kindOf(id, nowMs);
}

/** Returns `undefined` if the text may be a snowflake id, or if its kind is unknown. */
function kindOf(text: string, nowMs: number): Kind | undefined {
  if (text.length < 7 || /^\d+$/.test(text)) return undefined;
  return otherOf(text) ?? publicOf(text) ?? numberedOf(text, nowMs);
}

function otherOf(text: string): Kind | undefined {
  for (const [pattern, title, note] of OTHERS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const isSecret = note === SECRET;
    const shown = isSecret ? `${match[1]} …` : text;
    const isOpaque = !isSecret && keyNameOf(text) !== undefined;
    return { title, text: shown, bits: 0, note, isOpaque };
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
    isOpaque: true,
  };
}

function numberedOf(text: string, nowMs: number): Kind | undefined {
  // A TID has 13 characters, and a UUID 36.
  if (text.length < 13 || text.length > 36) return undefined;
  const base = BASES.find(({ pattern }) => pattern.test(text));
  const found = base ? read(text, base, nowMs) : uuidOf(text);
  if (found || !/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{21}$/.test(text)) return found;
  return { title: "NanoID, by its length", text, bits: 126, note: "random: carries no time" };
}

/** Reads a text with the pattern of this kind; `undefined` if its bits or date are impossible. */
function read(text: string, of: Base, nowMs: number): Kind | undefined {
  const { title, bits, digits, write = String, timestampBits, date, sinceMs } = of;
  const written = write(text);
  const base = BigInt(digits.length);
  const number = [...written].reduce((sum, one) => sum * base + BigInt(digits.indexOf(one)), 0n);
  // The digits can hold more bits than this kind of id has.
  if (number >> BigInt(bits) !== 0n) return undefined;
  const timestampMs = date(number >> BigInt(bits - timestampBits));
  if (sinceMs && (timestampMs < sinceMs || timestampMs > nowMs + DAY_MS)) return undefined;
  const fields = `time:${timestampBits} rest:${bits - timestampBits}`;
  const note = of.note ?? NOT_A_SNOWFLAKE;
  return { title, text: written, bits, note, timestampMs, number, fields };
}

const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;
/** Notes on the UUID versions of RFC 9562, from version 1 on. */
const VERSIONS = [
  NOT_A_SNOWFLAKE,
  `${NOT_A_SNOWFLAKE}: a UUID of DCE Security; no date is shown, because it would be exact only to 7 minutes`,
  `${NOT_A_SNOWFLAKE}: an MD5 hash of a name, which carries no time`,
  "random: carries no time",
  `${NOT_A_SNOWFLAKE}: a SHA-1 hash of a name, which carries no time`,
  NOT_A_SNOWFLAKE,
  NOT_A_SNOWFLAKE,
  `${NOT_A_SNOWFLAKE}: each program chooses the bits of a version 8 itself, so no date can be read`,
];
/** Names the fields of some versions: before the version, after it, and after the variant. */
const FIELDS = new Map([
  [1, "time time rest"],
  [4, "random random random"],
  [6, "time time rest"],
  [7, "time random random"],
]);
/** The time in ms from the beginning of the Gregorian calendar, 1582-10-15, to the Unix epoch. */
const GREGORIAN_MS = 12_219_292_800_000n;
/** UUID versions 1 and 6 count units of 100 ns. */
const TICKS_PER_MS = 10_000n;

function uuidOf(text: string): Kind | undefined {
  const groups = UUID.exec(text.toLowerCase())?.slice(1);
  if (!groups) return undefined;
  const hex = groups.join("");
  const kind = { bits: 128, text: groups.join("-") };
  if (/^0+$/.test(hex)) return { ...kind, title: "nil UUID", note: "all bits are 0: no time" };
  if (/^f+$/.test(hex)) return { ...kind, title: "max UUID", note: "all bits are 1: no time" };
  const [low, middle, high, variant] = groups;
  const version = Number.parseInt(high.charAt(0), 16);
  const note = VERSIONS[version - 1];
  if (!/^[89ab]/.test(variant) || note === undefined) {
    const title = text.includes("-") ? "UUID of another variant" : "128 bits in hex";
    const reason = "no version of RFC 9562, so whether it has a date is not defined";
    return { ...kind, title, note: `${NOT_A_SNOWFLAKE}: ${reason}` };
  }
  const gregorian = (ticks: string) => Number(BigInt(`0x${ticks}`) / TICKS_PER_MS - GREGORIAN_MS);
  const dates = new Map([
    [1, gregorian(high.slice(1) + middle + low)],
    [6, gregorian(low + middle + high.slice(1))],
    [7, Number.parseInt(low + middle, 16)],
  ]);
  const timestampMs = dates.get(version);
  const [a, b, c] = (FIELDS.get(version) ?? "rest rest rest").split(" ");
  const fields = `${a}:48 version:4 ${b}:12 variant:2 ${c}:62`;
  const title = `UUID version ${version}`;
  return { ...kind, title, note, timestampMs, number: BigInt(`0x${hex}`), fields };
}
