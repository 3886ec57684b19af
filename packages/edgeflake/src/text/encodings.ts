// `npm run generate` writes this file from the tables in Rust.

import type { Encoding } from "../names.js";

/**
 * The encodings. Each has its name, its digits, the fewest digits that are written, the most digits
 * that are written or read, further characters that are read (each followed by its digit), and the
 * allowed characters for error messages.
 */
// biome-ignore format: one row per encoding
export const ENCODINGS: [Encoding, string, number, number, string, string][] = [
  ["decimal", "0123456789", 1, 20, "", "0-9"],
  ["signed-decimal", "0123456789", 1, 20, "", "0-9 after an optional -"],
  ["hex", "0123456789abcdef", 16, 16, "AaBbCcDdEeFf", "0-9 and a-f"],
  ["binary", "01", 64, 64, "", "0 and 1"],
  ["base32", "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 13, 13, "I1L1O0aAbBcCdDeEfFgGhHi1jJkKl1mMnNo0pPqQrRsStTvVwWxXyYzZ", "0-9 and A-Z without U"],
  ["z-base-32", "ybndrfg8ejkmcpqxot1uwisza345h769", 1, 13, "", "1, 3-9 and a-z without l and v"],
  ["base36", "0123456789abcdefghijklmnopqrstuvwxyz", 1, 13, "AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz", "0-9 and a-z"],
  ["base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 1, 11, "", "1-9, A-Z and a-z without I, O and l"],
  ["base58-flickr", "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", 1, 11, "", "1-9, A-Z and a-z without I, O and l"],
  ["base62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11, 11, "", "0-9, A-Z and a-z"],
  ["base64url", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 1, 11, "", "0-9, A-Z, a-z, - and _"],
  ["base62-lower", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 1, 11, "", "0-9, A-Z and a-z"],
  ["base64url-bytes", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 11, 11, "", "0-9, A-Z, a-z, - and _"],
];
