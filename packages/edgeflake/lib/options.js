// What a caller gives, as an error shows it, and options whose names are checked.

import { EdgeflakeError } from "./error.js";

/**
 * A value as an error shows it.
 *
 * @param {unknown} value
 */
export function shown(value) {
  if (value == null || typeof value === "number" || value instanceof Date) return `${value}`;
  if (Object(value) === value) return Array.isArray(value) ? "an array" : "an object";
  return `the ${typeof value} ${String(value)}`;
}

/**
 * Options of which all names are known.
 *
 * @template {object} T
 * @param {string} what takes them
 * @param {T} options
 * @param {string[]} names
 * @param {string} [hint] what else to do
 */
export function known(what, options, names, hint = "") {
  let found = shown(options);
  if (found === "an object") {
    found = "";
    // A name that is misspelt would otherwise be left out in silence.
    for (const name in options) {
      if (!names.includes(name)) found = `the option ${name}`;
    }
    if (!found) return options;
  }
  throw new EdgeflakeError(
    "invalid-option",
    `${what} got ${found}: an object of ${names.join(", ")} is allowed${hint}`,
  );
}
