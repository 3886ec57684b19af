import { EdgeflakeError } from "../error.js";
import { shown } from "../options.js";
import { idOf } from "./text.js";

/**
 * A replacer for `JSON.stringify`, which otherwise refuses bigints. The replacer turns each bigint
 * into a string of decimal digits.
 *
 * ```js
 * JSON.stringify({ id: 1541815603606036480n }, jsonReplacer); // '{"id":"1541815603606036480"}'
 * ```
 */
export function jsonReplacer(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

/**
 * Returns a reviver for `JSON.parse`. The reviver turns decimal strings and numbers under the given
 * keys, and in arrays under these keys, into bigints. `null` stays `null`.
 *
 * A number above 2^53 - 1 is read from its digits if the engine passes the digits to revivers (Node
 * 22, Chrome 114 and later). On other engines, and in arrays, such a number is refused, because
 * `JSON.parse` has already rounded it.
 *
 * ```js
 * JSON.parse('{"id":"1541815603606036480"}', jsonReviver("id")).id; // 1541815603606036480n
 * ```
 *
 * @throws {EdgeflakeError} `invalid-option` without keys. `JSON.parse` throws `invalid-id` for a
 * value that is not an id.
 */
export function jsonReviver(
  ...keys: [string, ...string[]]
): (key: string, value: unknown, context?: { source?: string }) => unknown {
  const names = new Set<string>(keys);
  if (names.size === 0 || keys.some((key) => typeof key !== "string")) {
    const found = names.size === 0 ? "no key" : shown(keys.find((key) => typeof key !== "string"));
    throw new EdgeflakeError(
      "invalid-option",
      `jsonReviver got ${found}: pass each key of an id as an argument, as in jsonReviver("id", "userId")`,
    );
  }
  return (key, value, context) => {
    if (!names.has(key) || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => revived(key, one));
    return revived(key, value, typeof value === "number" ? context?.source : undefined);
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
