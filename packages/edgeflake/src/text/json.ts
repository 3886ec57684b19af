import { EdgeflakeError } from "../error.js";
import { shown } from "../options.js";
import { idOf } from "./text.js";

/** Matches the digits of whole numbers, such as `7`, `7.0` and `7e6`. */
const INTEGER = /^\d+(\.0+)?(e\+?\d+)?$/i;

/**
 * A replacer for `JSON.stringify`, which otherwise refuses bigints. It writes each bigint as a
 * string of decimal digits, as in `{"id":"1541815603606036480"}`.
 */
export function jsonReplacer(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

/**
 * Returns a reviver for `JSON.parse` that turns decimal strings and numbers under the given keys,
 * and in arrays under these keys, into bigints. `null` stays `null`.
 *
 * A number above 2^53 - 1 is read from its digits if the engine passes them to revivers (Node 22,
 * Chrome 114 and later). On other engines, and in arrays, such a number is refused, because
 * `JSON.parse` has already rounded it.
 *
 * ```js
 * JSON.parse('{"id":"1541815603606036480"}', jsonReviver("id")).id; // 1541815603606036480n
 * ```
 *
 * @throws {EdgeflakeError} `invalid-option` if there is no key, or a key is no string. `JSON.parse`
 * throws `invalid-id` if a value is not an id.
 */
export function jsonReviver(
  ...keys: [string, ...string[]]
): (key: string, value: unknown, context?: { source?: string }) => unknown {
  const wrong = keys.findIndex((key) => typeof key !== "string");
  if (keys.length === 0 || wrong >= 0) {
    const found = wrong >= 0 ? shown(keys[wrong]) : "no key";
    const example = 'pass each key of an id as an argument, as in jsonReviver("id", "userId")';
    throw new EdgeflakeError("invalid-option", `jsonReviver got ${found}: ${example}`);
  }
  return (key, value, context) => {
    if (!keys.includes(key) || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => revived(key, one));
    // A number that JavaScript may have rounded is read from its digits.
    const digits = typeof value === "number" ? context?.source : undefined;
    const isExact = digits && Number.isSafeInteger(value) && INTEGER.test(digits);
    return revived(key, value, isExact ? undefined : digits);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: `idOf` checks the value
function revived(key: string, value: any, source?: string) {
  try {
    return idOf(source ?? value);
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    throw new EdgeflakeError(error.code, `the value of ${JSON.stringify(key)}: ${error.message}`);
  }
}
