// Reads and writes ids as text, as src/text of the Rust crate does. encodings.ts is generated from
// the tables of the crate. tests/package/light.test.js compares both implementations.

import { EdgeflakeError } from "../error.js";
import { halves, joined, split } from "../halves.js";
import type { Encoding } from "../names.js";
import { refused } from "../options.js";
import { ENCODINGS } from "./encodings.js";

export type Codec = ReturnType<typeof makeCodec>;

/** Number of values that 32 bits can have. */
const HALF = 2 ** 32;

/** The largest number whose product with any 32-bit number is a safe integer. */
const CHUNK_MAX = 2 ** 21;

/** The largest signed number of 64 bits. */
const SIGNED_MAX = 0x7fff_ffff_ffff_ffffn;

const codecs = new Map<string, Codec>();

export function codecOf(encoding: Encoding): Codec {
  let codec = codecs.get(encoding);
  if (codec === undefined) {
    codec = makeCodec(encoding);
    codecs.set(encoding, codec);
  }
  return codec;
}

function makeCodec(encoding: Encoding) {
  const row = ENCODINGS.find(([name]) => name === encoding);
  if (!row) {
    const names = ENCODINGS.map(([name]) => name).join(", ");
    throw refused("encoding", encoding, `give one of ${names}`, "unknown-encoding");
  }
  const [name, digits, least, most, others, allowed] = row;
  const base = digits.length;
  /** The value of each ASCII character as a digit; undefined if the character is no digit. */
  const values: (number | undefined)[] = new Array(128).fill(undefined);
  for (let i = 0; i < base; i++) values[digits.charCodeAt(i)] = i;
  for (let i = 0; i < others.length; i += 2) {
    values[others.charCodeAt(i)] = digits.indexOf(others[i + 1]);
  }
  /** The largest power of the base up to `CHUNK_MAX`. */
  let chunk = base;
  while (chunk * base <= CHUNK_MAX) chunk *= base;
  return {
    name,
    digits,
    /** The ASCII codes of the digits. */
    codes: Array.from(digits, (digit) => digit.charCodeAt(0)),
    base,
    /** The fewest digits of a text that is written, and the most of one that is written or read. */
    least,
    most,
    allowed,
    values,
    chunk,
    isSigned: name === "signed-decimal",
    /** Whether the encoding writes the id's eight bytes instead of a number. */
    isBytes: name === "base64url-bytes",
    /** Whether `toString(base)` writes these digits; `toString` is faster than the code here. */
    isNative: base <= 36 && (base - 1).toString(base) === digits[base - 1],
  };
}

const signLength = (text: string, { isSigned }: Codec) => (isSigned && text[0] === "-" ? 1 : 0);

/** Returns the id that a text stands for, or undefined if the text is not an id. */
export function read(text: string, codec: Codec): bigint | undefined {
  const { isSigned, isBytes, base, most, values, chunk } = codec;
  const { length } = text;
  const start = signLength(text, codec);
  if (length === start || length - start > most) return undefined;
  let high = 0;
  let low = 0;
  let part = 0;
  let scale = 1;
  for (let i = start; i < length; i++) {
    const value = values[text.charCodeAt(i)];
    if (value === undefined) return undefined;
    part = part * base + value;
    scale *= base;
    if (scale === chunk || i === length - 1) {
      low = low * scale + part;
      const carry = Math.floor(low / HALF);
      low -= carry * HALF;
      high = high * scale + carry;
      part = 0;
      scale = 1;
    }
  }
  if (isBytes) {
    // Eleven digits have 66 bits, two more than eight bytes have. The last two bits must be 0.
    if (length < most || low % 4 > 0) return undefined;
    return joined(low / 4 + (high % 4) * (HALF / 4), Math.floor(high / 4));
  }
  if (high >= HALF) return undefined;
  const number = joined(low, high);
  if (!isSigned) return number;
  if (number > SIGNED_MAX + BigInt(start)) return undefined;
  return start ? BigInt.asUintN(64, -number) : number;
}

export function write(id: bigint, codec: Codec): string {
  const { isSigned, isNative, base, least } = codec;
  if (isSigned) return `${BigInt.asIntN(64, id)}`;
  if (isNative) return id.toString(base).padStart(least, "0");
  split(id);
  return writeHalves(codec);
}

/** Writes the id in `halves` in an encoding of base 32 or above. */
export function writeHalves({ isBytes, digits, codes, base, least, most }: Codec): string {
  let low = halves[0];
  let high = halves[1];
  if (isBytes) {
    high = high * 4 + (low >>> 30);
    low = (low << 2) >>> 0;
  }
  // An id in base 32 or above has at most 13 digits. `a0`, `b0` and `c0` are the first 5, the next
  // 5 and the last 3 of them, with at most 30 bits each, so that `| 0` rounds quotients down. One
  // call writes all digits, because joining texts would take longer than all other steps.
  const three = base * base * base;
  const five = three * base * base;
  const quotient = Math.floor(high / three);
  const remainder = (high - quotient * three) * HALF + low;
  const tail = Math.floor(remainder / three);
  const head = quotient * HALF + tail;
  const a0 = Math.floor(head / five);
  const b0 = head - a0 * five;
  const c0 = remainder - tail * three;
  const a1 = (a0 / base) | 0;
  const a2 = (a1 / base) | 0;
  const a3 = (a2 / base) | 0;
  const a4 = (a3 / base) | 0;
  const b1 = (b0 / base) | 0;
  const b2 = (b1 / base) | 0;
  const b3 = (b2 / base) | 0;
  const b4 = (b3 / base) | 0;
  const c1 = (c0 / base) | 0;
  const c2 = (c1 / base) | 0;
  // biome-ignore format: a line per number
  const text = String.fromCharCode(
    codes[a4], codes[a3 - a4 * base], codes[a2 - a3 * base], codes[a1 - a2 * base],
    codes[a0 - a1 * base],
    codes[b4], codes[b3 - b4 * base], codes[b2 - b3 * base], codes[b1 - b2 * base],
    codes[b0 - b1 * base],
    codes[c2], codes[c1 - c2 * base], codes[c0 - c1 * base],
  );
  let zeros = text.length - most;
  while (text.length - zeros > least && text[zeros] === digits[0]) zeros++;
  return text.slice(zeros);
}

/** Returns the error for a text that `read` has refused; it says why the text is not an id. */
export function fault(text: string, codec: Codec): EdgeflakeError {
  const { name, isSigned, isBytes, most, allowed, values } = codec;
  const start = signLength(text, codec);
  const count = text.length - start;
  const error = (found: string, position: number, what = allowed) => {
    const message = `an id in ${name} ${found} at position ${position}: ${what} are allowed`;
    return new EdgeflakeError("invalid-id", message);
  };
  for (let i = start; i < text.length; i++) {
    if (values[text.charCodeAt(i)] === undefined) return error(`has ${character(text, i)}`, i);
  }
  if (count < (isBytes ? most : 1)) return error("has no digit", text.length);
  if (count > most) return error("is too long", start + most, `at most ${most} digits`);
  // Find the digit that makes the number too large. In `base64url-bytes`, only the last digit can.
  let at = isBytes ? most - 1 : start;
  while (at < text.length - 1 && read(text.slice(0, at + 1), codec) !== undefined) at++;
  return error("exceeds its range", at, isSigned ? "-2^63 to 2^63 - 1" : "0 to 2^64 - 1");
}

/** Returns the character itself if it is visible ASCII, and otherwise its code point. */
export function character(text: string, at: number) {
  const point = text.codePointAt(at) as number;
  if (point > 32 && point < 127) return `"${text[at]}"`;
  // Half of a surrogate pair is not a character, so it is shown as U+FFFD.
  const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
