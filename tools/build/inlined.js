// A WebAssembly module's bytes as text; packages/edgeflake/lib/inlined.js says why it is written so,
// and reads it.

// These agree with packages/edgeflake/lib/inlined.js. From "#" on, all is printable, and no quote.
const FIRST = 35;
const SINGLES = 90;
const ESCAPES = 2;
const DIGITS = SINGLES + ESCAPES;

/** @param {Uint8Array} bytes */
export function inlined(bytes) {
  let text = "";
  for (const byte of bytes) {
    if (byte < SINGLES) {
      text += character(byte + ESCAPES);
    } else {
      const rest = byte - SINGLES;
      text += character(Math.floor(rest / DIGITS)) + character(rest % DIGITS);
    }
  }
  return text;
}

/** @param {number} digit */
function character(digit) {
  return String.fromCharCode(FIRST + digit);
}
