// Reads keys, and makes ciphers of them, as src/public/key.rs of the Rust crate does. No message
// shows the bytes of a key.

import { EdgeflakeError } from "../error.js";
import { halves } from "../halves.js";
import { codecOf } from "../text/codec.js";
import { encrypt, type RoundKeys, roundKeysOf } from "./speck.js";

/** The ciphers of one key for one prefix. */
export interface Key {
  name: string;
  /** The cipher that hides ids. */
  ids: RoundKeys;
  /** The cipher that makes check digits. */
  checks: RoundKeys;
}

const BYTES = 16;
const DISTINCT_BYTES_MIN = 8;

/** Reads one or two keys, with a comma between them. */
export function keysOf(text: string, prefix: string): Key[] {
  const texts = text.split(",");
  if (texts.length > 2)
    throw invalidOption(`there are ${texts.length} keys: give 1 or 2, with a comma between them`);
  const named = texts.map(namedKey);
  const [one, other] = named;
  if (other?.name === one.name) {
    throw invalidOption(
      `both keys are named ${one.name}: rename the newer key if no public id was made with it; else read with one key at a time`,
    );
  }
  if (other && `${other.bytes}` === `${one.bytes}`) {
    throw invalidOption(
      `keys ${one.name} and ${other.name} are equal: remove the key with which no public id was made`,
    );
  }
  return named.map(({ name, bytes }) => {
    const view = new DataView(bytes.buffer);
    const key = roundKeysOf([0, 4, 8, 12].map((at) => view.getInt32(at)));
    return { name, ids: derived(key, "i", prefix), checks: derived(key, "c", prefix) };
  });
}

function namedKey(text: string) {
  const [, name, digits] = /^([\dA-Za-z]):([\s\S]*)$/.exec(text.trim()) ?? [];
  if (name === undefined) {
    throw invalidOption(
      'a key has no name: begin it with a digit or letter and a colon, as "npx edgeflake key" does',
    );
  }
  const faulty = (found: string) =>
    invalidOption(`key ${name} ${found}: make one with "npx edgeflake key"`);
  const bytes = bytesOf(digits);
  if (!bytes) throw faulty("is not 16 bytes in hex (32 digits) or base64 (24 characters)");
  if (bytes.every((byte) => byte >= 32 && byte < 127))
    throw faulty("is printable text, but a key must be random bytes");
  const distinct = new Set(bytes).size;
  if (distinct < DISTINCT_BYTES_MIN)
    throw faulty(`has only ${distinct} different bytes, and needs at least ${DISTINCT_BYTES_MIN}`);
  return { name, bytes };
}

/** Reads 16 bytes in hex or base64; returns undefined for any other text. */
function bytesOf(text: string) {
  const isHex = /^[\dA-Fa-f]{32}$/.test(text);
  if (!isHex && !/^[\dA-Za-z+/]{22}==$/.test(text)) return undefined;
  const { values } = codecOf(isHex ? "hex" : "base64url");
  const digits = isHex ? text : text.slice(0, -2).replace(/\+/g, "-").replace(/\//g, "_");
  const bytes = new Uint8Array(BYTES);
  let [bits, width] = [0, 0];
  for (let i = 0, at = 0; i < digits.length; i++) {
    bits = (bits << (isHex ? 4 : 6)) | (values[digits.charCodeAt(i)] as number);
    width += isHex ? 4 : 6;
    if (width >= 8) {
      width -= 8;
      bytes[at++] = bits >>> width;
      bits &= (1 << width) - 1;
    }
  }
  // 22 digits of base64 have four bits more than 16 bytes, and these four bits must be 0.
  return bits === 0 ? bytes : undefined;
}

/**
 * Derives a key for one purpose and prefix with the counter mode of NIST SP 800-108, on CBC-MAC.
 * CBC-MAC demands that no input is the beginning of another input, so the first block contains the
 * prefix's length.
 */
function derived(key: RoundKeys, purpose: string, prefix: string) {
  const word = (at: number) =>
    [0, 1, 2, 3].reduce((word, i) => (word << 8) | prefix.charCodeAt(at + i), 0);
  const words = [1, 2].flatMap((counter) => {
    halves[0] = 0;
    halves[1] = (counter << 24) | (purpose.charCodeAt(0) << 16) | (prefix.length << 8);
    encrypt(key);
    for (let at = 0; at < prefix.length; at += 8) {
      halves[0] ^= word(at + 4);
      halves[1] ^= word(at);
      encrypt(key);
    }
    return [halves[1], halves[0]];
  });
  return roundKeysOf(words);
}

export function invalidOption(message: string) {
  return new EdgeflakeError("invalid-option", message);
}
