// Ids in JSON, which has no bigints: they are written as decimal text.

import { EdgeflakeError } from "./error.js";
import { shown } from "./options.js";
import { idOf } from "./text.js";

/**
 * @param {string} _key
 * @param {unknown} value
 */
export function jsonReplacer(_key, value) {
  return typeof value === "bigint" ? `${value}` : value;
}

/** @param {string[]} keys */
export function jsonReviver(...keys) {
  const names = new Set(keys);
  if (keys.length === 0 || keys.some((key) => typeof key !== "string")) {
    const found = keys.length === 0 ? "no key" : shown(keys.find((key) => typeof key !== "string"));
    throw new EdgeflakeError(
      "invalid-option",
      `jsonReviver got ${found}: the keys whose values are ids are allowed, such as "id"`,
    );
  }
  /**
   * @param {string} key
   * @param {any} value
   * @param {{ source?: string }} [context] the number's digits in the JSON; new engines tell them
   */
  return (key, value, context) => {
    if (!names.has(key) || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => revived(key, one));
    return revived(key, value, typeof value === "number" ? context?.source : undefined);
  };
}

/**
 * @param {string} key
 * @param {any} value
 * @param {string} [source]
 */
function revived(key, value, source) {
  try {
    return idOf(source ?? value);
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    throw new EdgeflakeError(error.code, `the value of ${JSON.stringify(key)}: ${error.message}`);
  }
}
