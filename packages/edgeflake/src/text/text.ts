import { EdgeflakeError } from "../error.js";
import { exchange, readId, readLines, refusal, wasm, write } from "../module/exchange.js";
import type { Encoding } from "../names.js";
import { refused } from "../options.js";

/** An id as an argument: a bigint, decimal digits, or a number up to 2^53 - 1. */
export type Id = bigint | string | number;

/** A new id of a generator with the encoding `E`: a string, or a bigint without an encoding. */
export type NextId<E extends Encoding | undefined> = E extends Encoding ? string : bigint;

export const DECIMAL = 0;

/** The encodings in the order of their numbers in the module. */
let names: Encoding[] | undefined;

function allNames() {
  names ??= readLines(wasm.encodings()) as Encoding[];
  return names;
}

/** Returns the names that {@link format} and {@link parse} know. */
export function encodings(): Encoding[] {
  return [...allNames()];
}

export function encodingNumber(encoding: string): number {
  if (encoding === "decimal") return DECIMAL;
  const number = allNames().indexOf(encoding as Encoding);
  if (number >= 0) return number;
  throw refused("encoding", encoding, `${allNames().join(", ")} are allowed`, "unknown-encoding");
}

/**
 * Returns an id as text, in decimal without an encoding.
 *
 * ```js
 * format(1541815603606036480n, "base62"); // "1ptWyK4WgZU"
 * ```
 *
 * @throws {EdgeflakeError} `invalid-id`, `unknown-encoding`
 */
export function format(id: Id, encoding: Encoding = "decimal"): string {
  const whole = idOf(id);
  // The module would print the same, but slower.
  if (encoding === "decimal") return `${whole}`;
  return readId(wasm.format(whole, encodingNumber(encoding)));
}

/**
 * Returns the id of a text, which is in decimal without an encoding. The text may have leading
 * zeros, so two texts may be of one id: compare ids, or `format(parse(text, encoding), encoding)`
 * with the text.
 *
 * @throws {EdgeflakeError} `invalid-id`, `unknown-encoding`
 */
export function parse(text: string, encoding: Encoding = "decimal"): bigint {
  if (typeof text !== "string") throw notAnId("the text is no string");
  const number = encodingNumber(encoding);
  if (!wasm.parse(write(text), number, 0)) throw refusal();
  return exchange().ids[0];
}

/**
 * Tells whether a value is the text of an id that {@link parse} reads.
 *
 * ```js
 * isId("1ptWyK4WgZU", "base62"); // true
 * ```
 *
 * @throws {EdgeflakeError} `unknown-encoding`
 */
export function isId(text: unknown, encoding: Encoding = "decimal"): text is string {
  const number = encodingNumber(encoding);
  return typeof text === "string" && wasm.parse(write(text), number, 0) === 1;
}

/**
 * Returns an id as the signed number of the same 64 bits, for SQL's `BIGINT`.
 *
 * @throws {EdgeflakeError} `invalid-id`
 */
export function toSigned(id: Id): bigint {
  return BigInt.asIntN(64, idOf(id));
}

/**
 * Returns the id of which {@link toSigned} makes this number.
 *
 * @throws {EdgeflakeError} `invalid-id` for anything but a signed number of 64 bits
 */
export function fromSigned(number: Id): bigint {
  const text = typeof number === "string" ? number : String(exact(number));
  return parse(text, "signed-decimal");
}

/** Returns an id that a caller gives as a bigint. */
export function idOf(id: Id): bigint {
  if (typeof id === "bigint") {
    if (BigInt.asUintN(64, id) === id) return id;
    throw notAnId("the id is outside 0 to 18446744073709551615 (2^64 - 1)");
  }
  return typeof id === "string" ? parse(id, "decimal") : idOf(exact(id));
}

/** Returns a number that JavaScript has not rounded as a bigint. */
function exact(number: number | bigint) {
  if (typeof number === "bigint" || Number.isSafeInteger(number)) return BigInt(number);
  if (typeof number !== "number") throw notAnId("the id is neither a bigint nor a string");
  throw notAnId(
    `the id is the number ${number}: JavaScript rounds numbers above 2^53 - 1, so give a bigint ` +
      "or a string",
  );
}

function notAnId(message: string) {
  return new EdgeflakeError("invalid-id", message);
}
