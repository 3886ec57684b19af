import { EdgeflakeError } from "../error.js";
import { shown } from "../options.js";
import { idOf } from "./text.js";

/**
 * A replacer for `JSON.stringify`, which refuses bigints by itself: a bigint becomes its decimal
 * text.
 *
 * ```js
 * JSON.stringify({ id: 1541815603606036480n }, jsonReplacer); // '{"id":"1541815603606036480"}'
 * ```
 */
export function jsonReplacer(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

/**
 * A reviver for `JSON.parse`: decimal texts and numbers under these keys become bigints, and so do
 * those of arrays there. `null` stays.
 *
 * A number above 2^53 - 1 is read from its digits where the engine tells them (Node 22, Chrome 114
 * and later); elsewhere, and in arrays, it is refused because `JSON.parse` has already rounded it.
 *
 * ```js
 * JSON.parse('{"id":"1541815603606036480"}', jsonReviver("id")).id; // 1541815603606036480n
 * ```
 *
 * @throws {EdgeflakeError} `invalid-option` without keys. `JSON.parse` throws `invalid-id` for a
 * value that is no id.
 */
export function jsonReviver(
  ...keys: [string, ...string[]]
): (key: string, value: unknown, context?: { source?: string }) => unknown {
  const names = new Set<string>(keys);
  if (names.size === 0 || keys.some((key) => typeof key !== "string")) {
    const found = names.size === 0 ? "no key" : shown(keys.find((key) => typeof key !== "string"));
    throw new EdgeflakeError(
      "invalid-option",
      `jsonReviver got ${found}: the keys whose values are ids are allowed, such as "id"`,
    );
  }
  return (key, value, context) => {
    if (!names.has(key) || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => revived(key, one));
    return revived(key, value, typeof value === "number" ? context?.source : undefined);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: `idOf` checks it
function revived(key: string, value: any, source?: string) {
  try {
    return idOf(source ?? value);
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    throw new EdgeflakeError(error.code, `the value of ${JSON.stringify(key)}: ${error.message}`);
  }
}
