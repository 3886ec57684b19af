// A WebAssembly module's bytes as text, which needs no file beside the script.
//
// Each byte is one printable ASCII character, or two when it is one of the less frequent ones. So
// gzip finds the same repetitions as in the bytes, which base64 would shift against each other: the
// text is as large as the module when both are compressed. The build writes it
// (tools/build/npm-module.js).

// These agree with tools/build/npm-module.js.
const FIRST = 35;
const SINGLES = 90;
const ESCAPES = 2;
const DIGITS = SINGLES + ESCAPES;

/**
 * The bytes of a text that the build wrote.
 *
 * @param {string} text
 */
export function bytesOf(text) {
  // The bytes are never longer than the characters that they are decoded from.
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const digit = bytes[i] - FIRST;
    bytes[length++] =
      digit < ESCAPES ? SINGLES + digit * DIGITS + bytes[++i] - FIRST : digit - ESCAPES;
  }
  return bytes.subarray(0, length);
}
