// Writes an encrypted id. Its digits are random, so look-ups in a table of groups of digits would
// mostly miss the CPU cache. Making one string of character codes takes half as long.

import { halves } from "../halves.js";
import { codecOf } from "../text/codec.js";

const HALF = 2 ** 32;

/** Number of values that two digits can have, and that three digits can have. */
const TWO = 62 ** 2;
const THREE = 62 ** 3;

const codes = Uint8Array.from(codecOf("base62").digits, (digit) => digit.charCodeAt(0));

/** Writes the id in `halves` as 11 digits of base62. */
export function writeBlock() {
  const high = Math.floor(halves[1] / THREE);
  const middle = (halves[1] - high * THREE) * HALF + halves[0];
  const low = Math.floor(middle / THREE);
  // Without its last three digits, the number is a safe integer.
  const first = high * HALF + low;
  const second = Math.floor(first / THREE);
  const third = Math.floor(second / THREE);
  const a = third | 0;
  const b = (second - third * THREE) | 0;
  const c = (first - second * THREE) | 0;
  const d = (middle - low * THREE) | 0;
  // `| 0` rounds down, and lets the engine calculate with integers.
  const a1 = (a / 62) | 0;
  const [b1, c1, d1] = [(b / TWO) | 0, (c / TWO) | 0, (d / TWO) | 0];
  const [b2, c2, d2] = [(b / 62) | 0, (c / 62) | 0, (d / 62) | 0];
  return String.fromCharCode(
    codes[a1],
    codes[a - a1 * 62],
    codes[b1],
    codes[b2 - b1 * 62],
    codes[b - b2 * 62],
    codes[c1],
    codes[c2 - c1 * 62],
    codes[c - c2 * 62],
    codes[d1],
    codes[d2 - d1 * 62],
    codes[d - d2 * 62],
  );
}
