// The entries named `inline` contain a WebAssembly module as text, so that no tool has to copy a
// .wasm file. They compile the module synchronously, without top-level await. So `require` can load
// them, and a bundle may have any format. tools/build/npm-module.js encodes the text.
//
// A byte below 90 is encoded as one printable ASCII character. The other bytes, which are less
// frequent, are encoded as two characters. Equal bytes always become equal characters, so gzip
// compresses the text as well as the module itself. Base64 would encode equal bytes differently at
// different positions.

// These numbers must be the same as in tools/build/npm-module.js.
const FIRST = 35;
const SINGLES = 90;
const ESCAPES = 2;
const DIGITS = SINGLES + ESCAPES;

export function bytesOf(text: string) {
  // Decodes in place, because a module never has more bytes than its text has characters.
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const digit = bytes[i] - FIRST;
    bytes[length++] =
      digit < ESCAPES ? SINGLES + digit * DIGITS + bytes[++i] - FIRST : digit - ESCAPES;
  }
  return bytes.subarray(0, length);
}
