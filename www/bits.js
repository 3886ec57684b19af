// The page's only bit arithmetic: an id as 64 digits, which are cut where a layout's fields begin.
// The package says what the digits mean.

import { format, parse } from "edgeflake";

/** @import { Field, Layout } from "edgeflake" */

export const ID_BITS = 64;

/**
 * @typedef {Field & { start: number, className: string }} Place a field, its first digit, and its
 * class
 */

/**
 * @param {Layout} layout
 * @returns {{ places: Place[], outside: number }} the fields, and the number of digits before the
 * first
 */
export function placesOf({ fields }) {
  const outside = ID_BITS - fields.reduce((sum, { bits }) => sum + bits, 0);
  let start = outside;
  /** @type {Place[]} */
  const places = [];
  for (const field of fields) {
    // The field gets another shade than a neighbour of the same role, as in Twitter's datacenter
    // and worker.
    const before = places.at(-1);
    const className = before?.className === field.role ? `${field.role} shaded` : field.role;
    places.push({ ...field, start, className });
    start += field.bits;
  }
  return { places, outside };
}

/** @param {bigint} id */
export function digitsOf(id) {
  return format(id, "binary");
}

/** @param {string} digits */
function idOfDigits(digits) {
  return parse(digits, "binary");
}

/**
 * Returns the value of a field of an id, even of an id that the layout refuses.
 *
 * @param {string} digits
 * @param {Place} place
 */
export function fieldValue(digits, { start, bits }) {
  return idOfDigits(digits.slice(start, start + bits).padStart(ID_BITS, "0"));
}

/**
 * Returns the id with the bit at a place flipped.
 *
 * @param {bigint} id
 * @param {number} at
 */
export function flipped(id, at) {
  const digits = digitsOf(id);
  return idOfDigits(digits.slice(0, at) + (digits[at] === "1" ? "0" : "1") + digits.slice(at + 1));
}

/**
 * Returns the id with another value in a field.
 *
 * @param {bigint} id
 * @param {Place} place
 * @param {string} value in decimal
 */
export function replaced(id, { name, start, bits }, value) {
  const written = digitsOf(parse(value.trim(), "decimal"));
  const cut = ID_BITS - bits;
  if (written.slice(0, cut).includes("1")) {
    const most = idOfDigits("1".repeat(bits).padStart(ID_BITS, "0"));
    throw new RangeError(`${name} ${value.trim()} is too large: at most ${most} is allowed`);
  }
  const digits = digitsOf(id);
  return idOfDigits(digits.slice(0, start) + written.slice(cut) + digits.slice(start + bits));
}
