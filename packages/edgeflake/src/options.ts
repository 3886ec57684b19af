import { EdgeflakeError } from "./error.js";
import type { ErrorCode } from "./names.js";

export function shown(value: unknown) {
  if (value == null || typeof value === "number" || value instanceof Date) return `${value}`;
  if (Object(value) === value) return Array.isArray(value) ? "an array" : "an object";
  return `the ${typeof value} ${String(value)}`;
}

/** Returns the error for a value that is not allowed; `allowed` says which values are. */
export function refused(
  name: string,
  value: unknown,
  allowed: string,
  code: ErrorCode = "invalid-option",
) {
  return new EdgeflakeError(code, `${name} is ${shown(value)}: ${allowed}`);
}

/**
 * Returns the options; throws if one of them is not in `names`.
 *
 * @param what the function that takes the options, for the error message
 * @param hint text at the end of the error message
 */
export function known<T extends object>(what: string, options: T, names: string[], hint = ""): T {
  let found = shown(options);
  if (found === "an object") {
    found = "";
    // A misspelt name would otherwise be ignored in silence.
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
