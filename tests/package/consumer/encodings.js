import { encodings, format } from "edgeflake";

export const ENCODINGS = encodings();

const EXTREMES = [2n ** 63n, 2n ** 64n - 1n];

/** Each encoding with the most characters that it writes. @type {[import("edgeflake").Encoding, number][]} */
export const LONGEST = ENCODINGS.map((encoding) => [
  encoding,
  Math.max(...EXTREMES.map((id) => format(id, encoding).length)),
]);
