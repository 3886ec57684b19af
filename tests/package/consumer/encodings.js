/** Each encoding with the most characters that it writes. @type {[import("edgeflake").Encoding, number][]} */
export const LONGEST = [
  ["decimal", 20],
  ["signed-decimal", 20],
  ["hex", 16],
  ["binary", 64],
  ["base32", 13],
  ["z-base-32", 13],
  ["base36", 13],
  ["base58", 11],
  ["base58-flickr", 11],
  ["base62", 11],
  ["base64url", 11],
  ["base62-lower", 11],
  ["base64url-bytes", 20],
];

export const ENCODINGS = LONGEST.map(([encoding]) => encoding);
