import { EdgeflakeError } from "./error.js";
import { exchange, readId, readLines, refusal, wasm, write } from "./exchange.js";
import { shown } from "./options.js";

/** @import { Encoding, Id } from "edgeflake" */

/** The module's number of `decimal`. */
export const DECIMAL = 0;

/** The encodings in the order of their numbers in the module. @type {Encoding[]} */
let names;

function allNames() {
  names ??= /** @type {Encoding[]} */ (readLines(wasm.encodings()));
  return names;
}

export function encodings() {
  return [...allNames()];
}

/** @param {string} encoding */
export function encodingNumber(encoding) {
  if (encoding === "decimal") return DECIMAL;
  const number = allNames().indexOf(/** @type {Encoding} */ (encoding));
  if (number >= 0) return number;
  throw new EdgeflakeError(
    "unknown-encoding",
    `encoding is ${shown(encoding)}: ${names.join(", ")} are allowed`,
  );
}

/**
 * @param {Id} id
 * @param {Encoding} encoding
 */
export function encode(id, encoding) {
  const whole = idOf(id);
  // What the module would print, and faster.
  if (encoding === "decimal") return `${whole}`;
  return readId(wasm.encode(whole, encodingNumber(encoding)));
}

/**
 * @param {string} text
 * @param {Encoding} encoding
 */
export function parse(text, encoding) {
  if (typeof text !== "string") throw notAnId("the text is no string");
  const number = encodingNumber(encoding);
  if (!wasm.parse(write(text), number, 0)) throw refusal();
  return exchange().ids[0];
}

/**
 * @param {unknown} text
 * @param {Encoding} encoding
 * @returns {text is string}
 */
export function isId(text, encoding) {
  const number = encodingNumber(encoding);
  return typeof text === "string" && wasm.parse(write(text), number, 0) === 1;
}

/** @param {Id} id */
export function toSigned(id) {
  return BigInt.asIntN(64, idOf(id));
}

/** @param {Id} number */
export function fromSigned(number) {
  const text = typeof number === "string" ? number : String(exact(number));
  return parse(text, "signed-decimal");
}

/**
 * The id that the caller gives.
 *
 * @param {Id} id
 * @returns {bigint}
 */
export function idOf(id) {
  if (typeof id === "bigint") {
    if (BigInt.asUintN(64, id) === id) return id;
    throw notAnId("the id is outside 0 to 18446744073709551615 (2^64 - 1)");
  }
  return typeof id === "string" ? parse(id, "decimal") : idOf(exact(id));
}

/**
 * A number that is not rounded, as a bigint.
 *
 * @param {number | bigint} number
 */
function exact(number) {
  if (typeof number === "bigint" || Number.isSafeInteger(number)) return BigInt(number);
  if (typeof number !== "number") throw notAnId("the id is neither a bigint nor a string");
  throw notAnId(
    `the id is the number ${number}: JavaScript rounds numbers above 2^53 - 1, so give a bigint ` +
      "or a string",
  );
}

/** @param {string} message */
function notAnId(message) {
  return new EdgeflakeError("invalid-id", message);
}
