// Writes new ids as text, several times as fast as a bigint becomes text. The module cuts an id in
// two: its low digits come from a table, and the text before them is kept, because many ids share
// it.

import type { Encoding } from "../names.js";
import { type Codec, codecOf, groupsOf, write } from "./codec.js";

const known = new Map<string, Digits | null>();

/** Returns the digits of an encoding, or null if it does not write the number in digits. */
export function digitsOf(encoding: Encoding) {
  let digits = known.get(encoding);
  if (digits === undefined) {
    const codec = codecOf(encoding);
    digits = codec.isSigned || codec.isBytes ? null : new Digits(codec);
    known.set(encoding, digits);
  }
  return digits;
}

/** Writes ASCII, and returns where it ends. */
export function put(text: string, bytes: Uint8Array, at: number) {
  for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
  return at;
}

class Digits {
  /** Number of the numbers that the low digits can be; the low digits are two groups. */
  declare readonly lows: number;
  /** Number of characters of the largest id. */
  declare readonly longest: number;
  #codec;
  #groups;
  /** Number of characters of the low digits, if the encoding has a fixed width; otherwise 0. */
  #padding;
  /** Number and text before the low digits of the last id, which most ids share. */
  #high = -1;
  #highText = "";

  constructor(codec: Codec) {
    const groups = groupsOf(codec);
    this.#codec = codec;
    this.#groups = groups;
    this.#padding = codec.least > 1 ? 2 * groups[0].length : 0;
    this.lows = groups.length ** 2;
    this.longest = codec.most;
  }

  text(high: number, low: number) {
    if (!this.#keeps(high)) return this.#write(low);
    const groups = this.#groups;
    // `| 0` truncates, and lets the engine use an integer from here on.
    const first = (low / groups.length) | 0;
    return this.#highText + (groups[first] + groups[low - first * groups.length]);
  }

  /** Writes the text of an id into `bytes` from `at` on. Returns the offset after its last byte. */
  write(high: number, low: number, bytes: Uint8Array, at: number) {
    if (!this.#keeps(high)) return put(this.#write(low), bytes, at);
    const groups = this.#groups;
    const first = (low / groups.length) | 0;
    // To join the texts first would take twice as long.
    const middle = put(groups[first], bytes, put(this.#highText, bytes, at));
    return put(groups[low - first * groups.length], bytes, middle);
  }

  /** Keeps the text before the low digits; returns false if there is none. */
  #keeps(high: number) {
    if (high !== this.#high) {
      if (high === 0 && !this.#padding) return false;
      this.#high = high;
      this.#highText = this.#write(high).slice(this.#padding);
    }
    return true;
  }

  #write(number: number) {
    return write(BigInt(number), this.#codec);
  }
}
