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
      if (!names.includes(name)) found = `the option ${name}${nearest(name, names)}`;
    }
    if (!found) return options;
  }
  throw new EdgeflakeError(
    "invalid-option",
    `${what} got ${found}: an object of ${names.join(", ")} is allowed${hint}`,
  );
}

/**
 * The name that was meant, as a question, if one is near.
 *
 * @param {string} name
 * @param {string[]} names
 */
function nearest(name, names) {
  // More than that is another name.
  let fewest = Math.max(3, name.length / 3);
  let found = "";
  for (const other of names) {
    const edits = editsBetween(name.toLowerCase(), other.toLowerCase());
    if (edits >= fewest) continue;
    fewest = edits;
    found = ` (did you mean ${other}?)`;
  }
  return found;
}

/**
 * How many characters to put in, leave out or replace in one text for the other.
 *
 * @param {string} one
 * @param {string} other
 */
function editsBetween(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, edits) => edits);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = row[j] + Number(one[i] !== other[j]);
      next.push(Math.min(replaced, row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[other.length];
}
