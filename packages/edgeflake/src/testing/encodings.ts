// `npm run generate` writes this file from the tables in Rust.

/** Each encoding with its digits, and the fewest characters that it writes. */
export const ENCODINGS: [string, string, number][] = [
  ["decimal", "0123456789", 1],
  ["signed-decimal", "0123456789", 1],
  ["hex", "0123456789abcdef", 16],
  ["binary", "01", 64],
  ["base32", "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 13],
  ["z-base-32", "ybndrfg8ejkmcpqxot1uwisza345h769", 1],
  ["base36", "0123456789abcdefghijklmnopqrstuvwxyz", 1],
  ["base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 1],
  ["base58-flickr", "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", 1],
  ["base62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11],
  ["base64url", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 1],
  ["base62-lower", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 1],
  ["base64url-bytes", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 11],
];
