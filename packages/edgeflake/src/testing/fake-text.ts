// Tests have no module, so these are the encodings of `src/text/encoding.rs` in JavaScript.

import { EdgeflakeError } from "../error.js";
import { shown } from "../options.js";

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BASE58 = (digits: string) => digits.replace(/[0IOl]/g, "");
const BASE64 = `${UPPER}${LOWER}${DIGITS}-_`;

/** The digits of each encoding, and the least number of digits that it writes. */
const ENCODINGS: Record<string, [string, number]> = {
  decimal: [DIGITS, 1],
  "signed-decimal": [DIGITS, 1],
  hex: [`${DIGITS}abcdef`, 16],
  binary: ["01", 64],
  base32: [`${DIGITS}${UPPER}`.replace(/[ILOU]/g, ""), 13],
  "z-base-32": ["ybndrfg8ejkmcpqxot1uwisza345h769", 1],
  base36: [`${DIGITS}${LOWER}`, 1],
  base58: [BASE58(`${DIGITS}${UPPER}${LOWER}`), 1],
  "base58-flickr": [BASE58(`${DIGITS}${LOWER}${UPPER}`), 1],
  base62: [`${DIGITS}${UPPER}${LOWER}`, 11],
  base64url: [BASE64, 1],
  "base62-lower": [`${DIGITS}${LOWER}${UPPER}`, 1],
  "base64url-bytes": [BASE64, 11],
};

export function encodeFake(id: bigint, encoding: string): string {
  if (!Object.hasOwn(ENCODINGS, encoding)) {
    throw new EdgeflakeError(
      "unknown-encoding",
      `nextString got ${shown(encoding)}: ${Object.keys(ENCODINGS).join(", ")} are allowed`,
    );
  }
  if (encoding === "signed-decimal") return `${BigInt.asIntN(64, id)}`;
  const [digits, width] = ENCODINGS[encoding];
  const base = BigInt(digits.length);
  // Eleven digits of six bits have two bits more than an id, at their end.
  let left = encoding === "base64url-bytes" ? id << 2n : id;
  let text = "";
  for (; left > 0n; left /= base) text = digits[Number(left % base)] + text;
  return text.padStart(width, digits[0]);
}
