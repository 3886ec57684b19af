// These functions replace TextEncoder and TextDecoder, which React Native may lack.

/** Writes as many whole characters as fit. A lone half of a surrogate pair becomes U+FFFD. */
export function encodeInto(text: string, bytes: Uint8Array) {
  let [read, written] = [0, 0];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if (written + more >= bytes.length) break;
    read += character.length;
    // The first of several bytes begins with as many 1 bits as the character has bytes.
    bytes[written++] = more ? (0xff00 >> (more + 1)) | (code >> (6 * more)) : code;
    for (let left = more; left > 0; ) bytes[written++] = 0x80 | ((code >> (6 * --left)) & 0x3f);
  }
  return { read, written };
}

/** Decodes UTF-8 without a check, because the module writes only valid UTF-8. */
export function decode(bytes: Uint8Array) {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i++];
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let code = first & (0x7f >> more);
    for (let left = more; left > 0; left--) code = (code << 6) | (bytes[i++] & 0x3f);
    text += String.fromCodePoint(code);
  }
  return text;
}
