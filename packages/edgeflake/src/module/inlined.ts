// The entry `inline` has the bytes of a WebAssembly module as text, so it needs no file beside the
// script. tools/build/npm-module.js writes the text.
//
// One printable ASCII character stands for each byte, or two for a less frequent one. Therefore
// gzip finds the same repetitions as in the bytes, which base64 would shift against each other, and
// the compressed text is as small as the compressed module.

// These agree with tools/build/npm-module.js.
const FIRST = 35;
const SINGLES = 90;
const ESCAPES = 2;
const DIGITS = SINGLES + ESCAPES;

export function bytesOf(text: string) {
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
