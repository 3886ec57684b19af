// New ids as text, several times as fast as the text of a bigint. The module cuts an id in two: its
// low digits come from a table, and the text before them is kept, because many ids share it.

import { readId, wasm } from "./exchange.js";
import { encodingNumber } from "./text.js";

/** A table has at most so many groups of digits, because a larger one takes too long to make. */
const GROUPS_MAX = 4096;

/** @type {Map<string, Digits | null>} */
const known = new Map();

/**
 * The digits of an encoding, or null if it does not write the number in digits.
 *
 * @param {string} encoding
 */
export function digitsOf(encoding) {
  let digits = known.get(encoding);
  if (digits === undefined) {
    const number = encodingNumber(encoding);
    const all = readId(wasm.digits(number));
    digits = all ? new Digits(number, [...all]) : null;
    known.set(encoding, digits);
  }
  return digits;
}

/**
 * Writes ASCII, and says where it ends.
 *
 * @param {string} text
 * @param {Uint8Array} bytes
 * @param {number} at
 */
export function put(text, bytes, at) {
  for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
  return at;
}

class Digits {
  /** The module's number of the encoding. */
  #encoding;
  /** Each group of digits, in the order of its value. */
  #groups;
  /** How many characters an encoding of one width writes for its low digits; 0 for the others. */
  #padding;
  /** Number and text before the low digits of the last id, which most ids share. */
  #high = -1;
  #highText = "";

  /**
   * @param {number} encoding
   * @param {string[]} digits
   */
  constructor(encoding, digits) {
    this.#encoding = encoding;
    let groups = digits;
    while (groups.length * digits.length <= GROUPS_MAX) {
      groups = groups.flatMap((group) => digits.map((digit) => group + digit));
    }
    this.#groups = groups;
    this.#padding = this.#encode(0).length > 1 ? 2 * groups[0].length : 0;
    /** How many numbers the low digits are, which are two groups. */
    this.lows = groups.length ** 2;
    this.longest = wasm.longest(encoding);
  }

  /**
   * The text of an id that was cut in two.
   *
   * @param {number} high
   * @param {number} low
   */
  text(high, low) {
    if (!this.#keeps(high)) return this.#encode(low);
    const groups = this.#groups;
    // As `Math.trunc`, and as an integer from here on.
    const first = (low / groups.length) | 0;
    return this.#highText + (groups[first] + groups[low - first * groups.length]);
  }

  /**
   * Writes the same text into bytes, and says where it ends.
   *
   * @param {number} high
   * @param {number} low
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  write(high, low, bytes, at) {
    if (!this.#keeps(high)) return put(this.#encode(low), bytes, at);
    const groups = this.#groups;
    const first = (low / groups.length) | 0;
    // Joined to one text, they would take as long again.
    const middle = put(groups[first], bytes, put(this.#highText, bytes, at));
    return put(groups[low - first * groups.length], bytes, middle);
  }

  /**
   * Keeps the text before the low digits; false if there is none.
   *
   * @param {number} high
   */
  #keeps(high) {
    if (high !== this.#high) {
      if (high === 0 && !this.#padding) return false;
      this.#high = high;
      this.#highText = this.#encode(high).slice(this.#padding);
    }
    return true;
  }

  /** @param {number} number */
  #encode(number) {
    return readId(wasm.encode(BigInt(number), this.#encoding));
  }
}
