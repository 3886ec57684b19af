import { refused } from "./options.js";

/** A moment as an argument: an integer, which is a time in Unix ms, or a `Date`. */
export type Moment = number | Date;

/**
 * Returns `value` as a number; a `Date` becomes Unix ms. Throws if the number is not an integer
 * from 0 to 2^53 - 1. `max` appears only in the error message, because the WebAssembly module
 * checks smaller limits itself.
 */
export function integer(name: string, value: Moment, max = Number.MAX_SAFE_INTEGER) {
  const number = typeof value === "number" ? value : value instanceof Date ? value.getTime() : NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  const allowed = `give an integer from 0 to ${max}`;
  throw refused(name, value, allowed, "invalid-number");
}
