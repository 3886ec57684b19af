import { EdgeflakeError } from "./error.js";
import { shown } from "./options.js";

/**
 * A number or a moment that the module takes: an integer of 0 to 2^53 - 1.
 *
 * @param {string} name
 * @param {number | Date} value
 * @param {number} [max] the largest that is allowed, for the error; the module checks it
 */
export function integer(name, value, max = Number.MAX_SAFE_INTEGER) {
  const number = typeof value === "number" ? value : value instanceof Date ? value.getTime() : NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new EdgeflakeError(
    "invalid-number",
    `${name} is ${shown(value)}: an integer of 0 to ${max} is allowed`,
  );
}
