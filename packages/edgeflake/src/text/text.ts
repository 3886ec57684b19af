import { EdgeflakeError } from "../error.js";
import type { Encoding } from "../names.js";
import { known } from "../options.js";
import { codecOf, fault, read, write } from "./codec.js";
import { ENCODINGS } from "./encodings.js";

/** An id as an argument: a bigint, decimal digits, or an exact number (up to 2^53 - 1). */
export type Id = bigint | string | number;

/** A new id of a generator with the encoding `E`: a string, or a bigint without an encoding. */
export type NextId<E extends Encoding | undefined> = E extends Encoding ? string : bigint;

/** Returns a function that writes ids in an encoding; without an encoding, ids stay bigints. */
export function writerIn<E extends Encoding | undefined>(encoding: E): (id: bigint) => NextId<E> {
  if (encoding === undefined) return (id) => id as NextId<E>;
  const codec = codecOf(encoding);
  return (id) => write(id, codec) as NextId<E>;
}

/** Returns the names of all encodings, which {@link format} and {@link parse} accept. */
export function encodings(): Encoding[] {
  return ENCODINGS.map(([name]) => name);
}

/**
 * Returns an id as text, such as `1ptWyK4WgZU` in `base62`. Default encoding: decimal.
 *
 * @throws {EdgeflakeError} `invalid-id`, `unknown-encoding`
 */
export function format(id: Id, encoding: Encoding = "decimal"): string {
  return write(idOf(id), codecOf(encoding));
}

/**
 * Returns the id that a text stands for. Default encoding: decimal. Compare ids instead of texts,
 * because texts of the same id may differ by leading zeros.
 *
 * @throws {EdgeflakeError} `invalid-id`, `unknown-encoding`
 */
export function parse(text: string, encoding: Encoding = "decimal"): bigint {
  if (typeof text !== "string") throw notAnId("the text is no string");
  const codec = codecOf(encoding);
  const id = read(text, codec);
  if (id === undefined) throw fault(text, codec);
  return id;
}

/**
 * Tells whether a value is an id as text. The text must have all digits that {@link format} writes.
 * With the option `unpadded`, leading zeros may be missing, as {@link parse} always allows.
 *
 * ```js
 * isId("1ptWyK4WgZU", "base62"); // true
 * isId("ptWyK4WgZU", "base62"); // false
 * ```
 *
 * @throws {EdgeflakeError} `unknown-encoding`; `invalid-option` for an unknown option
 */
export function isId(
  text: unknown,
  encoding: Encoding = "decimal",
  options: { unpadded?: boolean | undefined } = {},
): text is string {
  const { unpadded = false } = known("isId", options, ["unpadded"]);
  const codec = codecOf(encoding);
  if (typeof text !== "string" || (!unpadded && text.length < codec.least)) return false;
  return read(text, codec) !== undefined;
}

/**
 * Returns the signed number that has the same 64 bits as an id, for SQL's type `BIGINT`.
 *
 * @throws {EdgeflakeError} `invalid-id`
 */
export function toSigned(id: Id): bigint {
  return BigInt.asIntN(64, idOf(id));
}

/**
 * Returns the id for which {@link toSigned} returns this number.
 *
 * @throws {EdgeflakeError} `invalid-id` for anything but a signed 64-bit number
 */
export function fromSigned(number: Id): bigint {
  const text = typeof number === "string" ? number : String(exact(number));
  return parse(text, "signed-decimal");
}

/** Returns the id of an argument; throws `invalid-id` if the argument is not an id. */
export function idOf(id: Id): bigint {
  if (typeof id === "bigint") {
    if (BigInt.asUintN(64, id) === id) return id;
    throw notAnId("the id is outside 0 to 18446744073709551615 (2^64 - 1)");
  }
  return typeof id === "string" ? parse(id, "decimal") : idOf(exact(id));
}

/** Returns a number as a bigint; throws if JavaScript may have rounded the number. */
function exact(number: number | bigint) {
  if (typeof number === "bigint" || Number.isSafeInteger(number)) return BigInt(number);
  if (typeof number !== "number") throw notAnId("the id is neither a bigint nor a string");
  const why = "only whole numbers up to 2^53 - 1 are exact, so give a bigint or a string";
  throw notAnId(`the id is the number ${number}: ${why}`);
}

function notAnId(message: string) {
  return new EdgeflakeError("invalid-id", message);
}
