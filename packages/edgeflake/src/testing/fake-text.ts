// Ids as text without a module, for tests.

import { refused } from "../options.js";
import { ENCODINGS } from "./encodings.js";

export function formatFake(id: bigint, encoding: string): string {
  const row = ENCODINGS.find(([name]) => name === encoding);
  if (!row) {
    const names = ENCODINGS.map(([name]) => name).join(", ");
    throw refused("encoding", encoding, `${names} are allowed`, "unknown-encoding");
  }
  if (encoding === "signed-decimal") return `${BigInt.asIntN(64, id)}`;
  const [, digits, width] = row;
  const base = BigInt(digits.length);
  // Eleven digits of six bits have two bits more than an id, at their end.
  let left = encoding === "base64url-bytes" ? id << 2n : id;
  let text = "";
  for (; left > 0n; left /= base) text = digits[Number(left % base)] + text;
  return text.padStart(width, digits[0]);
}
