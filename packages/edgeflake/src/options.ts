import { EdgeflakeError } from "./error.js";
import type { ErrorCode } from "./names.js";

export function shown(value: unknown) {
  if (value == null || typeof value === "number" || value instanceof Date) return `${value}`;
  if (Object(value) === value) return Array.isArray(value) ? "an array" : "an object";
  return `the ${typeof value} ${String(value)}`;
}

/** Returns the error for a value that is not allowed; `allowed` says which values are allowed. */
export function refused(
  name: string,
  value: unknown,
  allowed: string,
  code: ErrorCode = "invalid-option",
) {
  return new EdgeflakeError(code, `${name} is ${shown(value)}: ${allowed}`);
}

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
  throw refused(name, value, `give an integer from 0 to ${max}`, "invalid-number");
}

/** A check of an option's value, and a text that says which values are allowed. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript may give anything
export type Check = [isAllowed: (value: any) => boolean, allowed: string];

export const BOOLEAN: Check = [(value) => typeof value === "boolean", "give true or false"];
export const FUNCTION: Check = [(value) => typeof value === "function", "give a function"];

export const integerOf = (min: number, max: number): Check => [
  (value) => Number.isInteger(value) && value >= min && value <= max,
  `give an integer from ${min} to ${max}`,
];

/** Throws if a value is given but is not allowed. */
export function check(name: string, value: unknown, [isAllowed, allowed]: Check) {
  if (value !== undefined && !isAllowed(value)) throw refused(name, value, allowed);
}

/**
 * Returns the options. Throws if an option's name is not in `names`, or if the option's check
 * refuses its value.
 *
 * @param what the function that takes the options, for the error message
 * @param hint text at the end of the error message
 */
export function known<T extends object>(
  what: string,
  options: T,
  names: string[],
  checks: { [Name in keyof T]?: Check } = {},
  hint = "",
): T {
  let found = shown(options);
  if (found === "an object") {
    found = "";
    // Without this check, a misspelt option would be ignored in silence.
    for (const name in options) if (!names.includes(name)) found = `the option ${name}`;
  }
  if (found) {
    const text = `${what} got ${found}: give an object with only these options: `;
    throw new EdgeflakeError("invalid-option", text + names.join(", ") + hint);
  }
  for (const name in checks) check(name, options[name], checks[name] as Check);
  return options;
}
