import { EdgeflakeError } from "../error.js";
import { halves, joined, split } from "../halves.js";
import { Decoder } from "../layout/decoder.js";
import { integer } from "../number.js";
import { known, refused } from "../options.js";
import { character, codecOf, read, write } from "../text/codec.js";
import { type Id, idOf } from "../text/text.js";
import { type Key, keysOf } from "./key.js";
import { decrypt, encrypt } from "./speck.js";
import type { StandardSchema } from "./standard-schema.js";

declare const prefixOf: unique symbol;

/** Marks ids and texts of one prefix, in types only. */
export interface Kind<Prefix extends string> {
  readonly [prefixOf]: Prefix;
}

/** An id that `parse` has returned: a bigint of one kind. */
export type TypedId<Prefix extends string> = bigint & Kind<Prefix>;

/** A text that `format` has returned. */
export type PublicText<Prefix extends string> = `${Prefix}_${string}` & Kind<Prefix>;

export interface PublicIdsOptions<Prefix extends string> {
  /**
   * The kind of the ids: 1 to 63 characters `a-z` and `_`, of which the first and the last are
   * letters, as in TypeID.
   */
  prefix: Prefix;
  /**
   * A key as `npx edgeflake key` prints it, or two with a comma between them. `format` uses the
   * first one, and `parse` the one that the text names. With `null`, texts are not opaque: they
   * show the id in base62.
   */
  key: string | null;
  /**
   * Number of check digits, 0 to 4. Of 62^n guessed texts one has the right n digits. Texts with
   * another number of check digits are refused, so choose it once. The default is 2.
   */
  checkDigits?: number | undefined;
  /**
   * The layout of the ids: a `Layout`, or a whole layout string. With it, `parse` refuses numbers
   * that are no ids of this layout, or are later than now.
   */
  layout?: string | { toString(): string } | undefined;
  /** How many ms the time of an id may be ahead of `now`. The default is 60,000. */
  allowedFutureMs?: number | undefined;
  /** The clock, in Unix ms. The default is `Date.now`. */
  now?: (() => number) | undefined;
}

const PREFIX = /^[a-z]([a-z_]{0,61}[a-z])?$/;

/**
 * Writes ids of one kind as texts such as `ord_kJYnezlDLK7oQV`, which only the key can read.
 *
 * ```js
 * const orders = new PublicIds({ prefix: "ord", key: process.env.ORDER_KEY });
 * const text = orders.format(1541815603606036480n);
 * orders.parse(text); // 1541815603606036480n
 * ```
 *
 * It is a Standard Schema, so zod, valibot, arktype and others take it as the schema of an id.
 */
export class PublicIds<Prefix extends string> implements StandardSchema<string, TypedId<Prefix>> {
  #codec = codecOf("base62");
  #keys: Key[];
  #prefix;
  #checkDigits;
  #decoder;
  #allowedFutureMs;
  #now;

  /** @throws {EdgeflakeError} `invalid-option`, `invalid-number`, `invalid-layout` */
  constructor(options: PublicIdsOptions<Prefix>) {
    const {
      prefix,
      key,
      checkDigits = key === null ? 0 : 2,
      layout,
      allowedFutureMs = 60_000,
      now = Date.now,
    } = known("PublicIds", options, [
      "prefix",
      "key",
      "checkDigits",
      "layout",
      "allowedFutureMs",
      "now",
    ]);
    if (typeof prefix !== "string" || !PREFIX.test(prefix)) {
      const allowed =
        "1 to 63 characters a-z and _ are allowed, of which the first and the last are letters";
      throw refused("prefix", prefix, allowed);
    }
    if (key !== null && typeof key !== "string") {
      // The message does not show the key.
      throw new EdgeflakeError(
        "invalid-option",
        "key is no string: a key that edgeflake key prints is allowed, or null for texts that " +
          "show the id",
      );
    }
    if (!(integer("checkDigits", checkDigits, 4) <= 4)) {
      throw new EdgeflakeError("invalid-option", `${checkDigits} check digits: 0 to 4 are allowed`);
    }
    if (key === null && checkDigits > 0) {
      throw refused("checkDigits", checkDigits, "0 is allowed without a key");
    }
    if (typeof now !== "function") throw refused("now", now, "a function is allowed");
    this.#keys = key === null ? [] : keysOf(key, prefix);
    this.#prefix = prefix;
    this.#checkDigits = checkDigits;
    this.#decoder = layout === undefined ? undefined : new Decoder(`${layout}`);
    this.#allowedFutureMs = integer("allowedFutureMs", allowedFutureMs);
    this.#now = now;
  }

  /**
   * Writes an id as text. The text of an id is always the same. Ids of another kind do not compile.
   *
   * @throws {EdgeflakeError} `invalid-id`
   */
  format<I extends Id>(
    id: I extends Kind<Prefix> ? I : I extends Kind<string> ? never : I,
  ): PublicText<Prefix> {
    const start = `${this.#prefix}_`;
    const number = idOf(id);
    if (this.#keys.length === 0) return `${start}${write(number, this.#codec)}` as never;
    const key = this.#keys[0];
    split(number);
    encrypt(key.ids);
    const block = write(joined(halves[0], halves[1]), this.#codec);
    return (start + key.name + block + this.#check(key)) as never;
  }

  /**
   * Returns the id of a text.
   *
   * @throws {EdgeflakeError} `invalid-id`: the text has another prefix or key, was mistyped or
   * guessed, or does not fit the layout
   */
  parse(text: string): TypedId<Prefix> {
    const digits = this.#digits(text);
    if (this.#keys.length === 0) return this.#checked(this.#number(digits));
    const end = 1 + this.#codec.most;
    const block = this.#number(digits.slice(1, end));
    const key = this.#keys.find(({ name }) => name === digits[0]);
    if (!key) {
      throw refusal(`needs key ${digits[0]}, which is not given: add it as the second key`);
    }
    split(block);
    if (this.#check(key) !== digits.slice(end)) {
      throw refusal("has wrong check digits: it was mistyped or guessed, or needs another key");
    }
    split(block);
    decrypt(key.ids);
    return this.#checked(joined(halves[0], halves[1]));
  }

  /** Makes this a Standard Schema (<https://standardschema.dev>). */
  get "~standard"(): StandardSchema<string, TypedId<Prefix>>["~standard"] {
    return {
      version: 1,
      vendor: "edgeflake",
      validate: (value) => {
        try {
          return { value: this.parse(value as string) };
        } catch (error) {
          if (!(error instanceof EdgeflakeError)) throw error;
          return { issues: [{ message: error.message }] };
        }
      },
    };
  }

  /** Returns the digits after the prefix, as many as are allowed. */
  #digits(text: string) {
    if (typeof text !== "string") throw refusal("is no string");
    const prefix = this.#prefix;
    const start = text.lastIndexOf("_") + 1;
    const found = text.slice(0, Math.max(0, start - 1));
    if (found !== prefix) {
      const what = PREFIX.test(found) ? `begins with ${found}_` : "has no prefix";
      throw refusal(`${what}: ${prefix}_ is expected`);
    }
    const { values, most, allowed } = this.#codec;
    for (let i = start; i < text.length; i++) {
      if (values[text.charCodeAt(i)] === undefined) {
        const message = `an id in base62 has ${character(text, i)} at position ${i}: ${allowed}`;
        throw new EdgeflakeError("invalid-id", `${message} are allowed`);
      }
    }
    const count = this.#keys.length > 0 ? 1 + most + this.#checkDigits : most;
    const length = text.length - start;
    if (length !== count) {
      throw refusal(`has ${length} characters after ${prefix}_: ${count} are allowed`);
    }
    return text.slice(start);
  }

  #number(digits: string) {
    const number = read(digits, this.#codec);
    if (number === undefined) throw refusal("exceeds its range: 0 to 2^64 - 1 are allowed");
    return number;
  }

  /** Returns the check digits of the block that was last split or joined. */
  #check({ checks }: Key) {
    encrypt(checks);
    const { digits, base } = this.#codec;
    let text = "";
    for (let rest = halves[1]; text.length < this.#checkDigits; rest = Math.floor(rest / base)) {
      text = digits[rest % base] + text;
    }
    return text;
  }

  /** Returns an id if the layout has it and its time is not after now. */
  #checked(id: bigint) {
    if (this.#decoder && !this.#isPlausible(id, this.#decoder)) {
      throw refusal(
        "does not fit the layout, or is later than now: it was guessed, or needs another layout " +
          "or key",
      );
    }
    return id as TypedId<Prefix>;
  }

  #isPlausible(id: bigint, decoder: Decoder) {
    try {
      return decoder.decode(id).timestampMs <= this.#now() + this.#allowedFutureMs;
    } catch {
      return false;
    }
  }
}

function refusal(message: string) {
  return new EdgeflakeError("invalid-id", `the id ${message}`);
}
