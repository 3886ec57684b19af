// What TextEncoder and TextDecoder do, for React Native, which need not have them.

/**
 * Writes as many whole characters as there is room for. Half of a surrogate pair becomes U+FFFD.
 *
 * @param {string} text
 * @param {Uint8Array} bytes
 */
export function encodeInto(text, bytes) {
  let [read, written] = [0, 0];
  for (const character of text) {
    const point = /** @type {number} */ (character.codePointAt(0));
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if (written + more >= bytes.length) break;
    read += character.length;
    // The first byte says by its leading ones how many bytes the character has.
    bytes[written++] = more ? (0xff00 >> (more + 1)) | (code >> (6 * more)) : code;
    for (let left = more; left > 0; ) bytes[written++] = 0x80 | ((code >> (6 * --left)) & 0x3f);
  }
  return { read, written };
}

/**
 * The text of bytes that are UTF-8, as all are that the module writes.
 *
 * @param {Uint8Array} bytes
 */
export function decode(bytes) {
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
