import { EdgeflakeError } from "./error.js";
import type { ErrorCode } from "./names.js";

export function shown(value: unknown) {
  if (value == null || typeof value === "number" || value instanceof Date) return `${value}`;
  if (Object(value) === value) return Array.isArray(value) ? "an array" : "an object";
  return `the ${typeof value} ${String(value)}`;
}

/** Returns the error about a value: `allowed` says what is allowed. */
export function refused(
  name: string,
  value: unknown,
  allowed: string,
  code: ErrorCode = "invalid-option",
) {
  return new EdgeflakeError(code, `${name} is ${shown(value)}: ${allowed}`);
}

/**
 * Returns the options, if all their names are allowed.
 *
 * @param what names the function that takes them
 * @param hint ends the error's message
 */
export function known<T extends object>(what: string, options: T, names: string[], hint = ""): T {
  let found = shown(options);
  if (found === "an object") {
    found = "";
    // A misspelt name would otherwise be ignored in silence.
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

/** Asks whether a similar name was meant, if there is one. */
function nearest(name: string, names: string[]) {
  // A name that needs more edits is another name.
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

/** Counts the characters to insert, delete or replace to get from one text to the other. */
function editsBetween(one: string, other: string) {
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
