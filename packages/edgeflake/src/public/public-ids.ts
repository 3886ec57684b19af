import { EdgeflakeError } from "../error.js";
import { halves, joined, split } from "../halves.js";
import { checkedPlaces } from "../layout/decoder.js";
import { type placesIn, valueIn } from "../layout/fields.js";
import { integer, known, refused } from "../options.js";
import { character, codecOf, read, writeHalves } from "../text/codec.js";
import { type Id, idOf } from "../text/text.js";
import { invalidOption, type Key, keysOf } from "./key.js";
import { decrypt, encrypt } from "./speck.js";

declare const prefixOf: unique symbol;

/** Marks the TypeScript types of ids and texts of one prefix. It does not exist at run time. */
export interface Kind<Prefix extends string> {
  readonly [prefixOf]: Prefix;
}

/** An id that `parse` has returned: a bigint of one kind. */
export type TypedId<Prefix extends string> = bigint & Kind<Prefix>;

/** A text that `format` has returned. */
export type PublicText<Prefix extends string> = `${Prefix}_${string}` & Kind<Prefix>;

/** The interface of <https://standardschema.dev>, version 1. */
export interface StandardSchema<Input, Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A valid value, or the reasons why a value is not valid. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

export interface PublicIdsOptions<Prefix extends string> {
  /** The kind of the ids: 1 to 63 characters `a-z` and `_`, with a letter first and last. */
  prefix: Prefix;
  /**
   * A key as `npx edgeflake key` prints it, or two keys with a comma between them. `format` uses
   * the first key, and `parse` the key that a text names. With `null`, texts are not opaque: they
   * show the id in base62. An undefined `key`, such as of a variable that is not set, is an error.
   */
  key: string | null;
  /**
   * Number of check digits, 0 to 4. With n check digits, one of 62^n guessed texts has the right
   * digits. `parse` refuses texts with another number of check digits, so do not change this option
   * later. Default: 2, or 0 if `key` is `null`.
   */
  checkDigits?: number | undefined;
  /**
   * The layout of the ids: a `Layout`, or a whole layout string. With a layout, `parse` refuses
   * numbers that are no ids of this layout, or whose time is more than `allowedFutureMs` ahead of
   * the clock. Default: `parse` accepts all ids.
   */
  layout?: string | { toString(): string } | undefined;
  /** With a `layout`: how many ms the time of an id may be ahead of `now`. Default: 60,000. */
  allowedFutureMs?: number | undefined;
  /** Returns the time in Unix ms. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

const NAMES = "prefix key checkDigits layout allowedFutureMs now".split(" ");

const PREFIX = /^[a-z]([a-z_]{0,61}[a-z])?$/;

/**
 * Writes ids of one kind as texts such as `ord_kJYnezlDLK7oQV`. Without the key, the id cannot be
 * read from the text.
 *
 * ```js
 * const orders = new PublicIds({ prefix: "ord", key: process.env.ORDER_KEY ?? "" });
 * const text = orders.format(1541815603606036480n);
 * orders.parse(text); // 1541815603606036480n
 * ```
 *
 * A `PublicIds` is a Standard Schema, so tRPC, arktype and other libraries take it as the schema of
 * an id.
 */
export class PublicIds<Prefix extends string> implements StandardSchema<string, TypedId<Prefix>> {
  #codec = codecOf("base62");
  /** The keys; undefined if the texts show the ids. */
  #keys: Key[] | undefined;
  /** The prefix and its underscore. */
  #start;
  #length;
  #checkDigits;
  #places: ReturnType<typeof placesIn> | undefined;
  #allowedFutureMs;
  #now;

  /** @throws {EdgeflakeError} `invalid-option`, `invalid-number`, `invalid-layout` */
  constructor(options: PublicIdsOptions<Prefix>) {
    const given = known("PublicIds", Object(options) as typeof options, NAMES);
    const { prefix, key, layout, allowedFutureMs = 60_000, now = Date.now } = given;
    const { checkDigits = key === null ? 0 : 2 } = given;
    if (typeof prefix !== "string" || !PREFIX.test(prefix)) {
      const allowed = "give 1 to 63 characters a-z and _, with a letter first and last";
      throw refused("prefix", prefix, allowed);
    }
    if (key !== null && typeof key !== "string") {
      // The message does not show the key.
      throw invalidOption(
        'key is no string: give what "npx edgeflake key" prints, or null for public ids that show ' +
          "the id",
      );
    }
    if (!(integer("checkDigits", checkDigits, 4) <= 4))
      throw invalidOption(`there are ${checkDigits} check digits: give 0 to 4`);
    if (key === null && checkDigits > 0)
      throw refused("checkDigits", checkDigits, "give 0, or a key");
    if (typeof now !== "function") throw refused("now", now, "give a function");
    this.#keys = key === null ? undefined : keysOf(key, prefix);
    this.#start = `${prefix}_`;
    this.#length = this.#start.length + this.#codec.most + (this.#keys ? 1 + checkDigits : 0);
    this.#checkDigits = checkDigits;
    if (layout !== undefined) this.#places = checkedPlaces(`${layout}`);
    this.#allowedFutureMs = integer("allowedFutureMs", allowedFutureMs);
    this.#now = now;
  }

  /**
   * Writes an id as text. The same id always gives the same text. Code that passes an id of another
   * kind does not compile.
   *
   * @throws {EdgeflakeError} `invalid-id`
   */
  format<I extends Id>(
    id: I extends Kind<Prefix> ? I : I extends Kind<string> ? never : I,
  ): PublicText<Prefix> {
    split(idOf(id));
    const key = this.#keys?.[0];
    if (!key) return (this.#start + writeHalves(this.#codec)) as never;
    encrypt(key.ids);
    const block = writeHalves(this.#codec);
    return (this.#start + key.name + block + this.#check(key)) as never;
  }

  /**
   * Returns the id of a text.
   *
   * @throws {EdgeflakeError} `invalid-id`: the text has another prefix or key, was mistyped or
   * guessed, or does not fit the layout
   */
  parse(text: string): TypedId<Prefix> {
    const found = this.#read(text);
    if (typeof found === "bigint") return found as TypedId<Prefix>;
    throw this.#misspelling(text) ?? refusal(found);
  }

  /** Implements the interface Standard Schema (<https://standardschema.dev>). */
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

  /**
   * Returns the id of a text, or the reason why it is refused. The reason is empty if
   * `#misspelling` knows it.
   */
  #read(text: string): bigint | string {
    const start = this.#start;
    if (typeof text !== "string" || text.length !== this.#length || !text.startsWith(start)) {
      return "";
    }
    const block = start.length + (this.#keys ? 1 : 0);
    const end = block + this.#codec.most;
    let id = read(text.slice(block, end), this.#codec);
    if (id === undefined) return "is too large: at most 2^64 - 1 is allowed";
    if (this.#keys) {
      const key = this.#keyOf(text);
      if (!key) {
        return `needs key ${text[start.length]}, which is not given: add the key, or replace a key that no public id needs`;
      }
      const low = halves[0];
      const high = halves[1];
      if (this.#check(key) !== text.slice(end)) {
        return "has wrong check digits: it was mistyped or guessed, or needs another key";
      }
      halves[0] = low;
      halves[1] = high;
      decrypt(key.ids);
      id = joined(halves[0], halves[1]);
    }
    if (this.#isPlausible()) return id;
    return "does not fit the layout, or is later than now: it was guessed, or needs another layout or key";
  }

  #keyOf(text: string) {
    const name = text[this.#start.length];
    const [first, second] = this.#keys ?? [];
    return first?.name === name ? first : second?.name === name ? second : undefined;
  }

  /** Returns the error of a text with a wrong prefix, character or length. */
  #misspelling(text: string) {
    if (typeof text !== "string") return refusal("is no string");
    const start = this.#start;
    const found = text.slice(0, text.lastIndexOf("_") + 1);
    if (found !== start) {
      const what = PREFIX.test(found.slice(0, -1)) ? `begins with ${found}` : "has no prefix";
      return refusal(`${what}, but must begin with ${start}`);
    }
    const { values, allowed } = this.#codec;
    for (let i = start.length; i < text.length; i++) {
      if (values[text.charCodeAt(i)] === undefined) {
        const message = `an id in base62 has ${character(text, i)} at position ${i}: ${allowed}`;
        return new EdgeflakeError("invalid-id", `${message} are allowed`);
      }
    }
    if (text.length !== this.#length) {
      const [count, expected] = [text.length, this.#length].map((length) => length - start.length);
      return refusal(`has ${count} characters after ${start}, but needs ${expected}`);
    }
    return undefined;
  }

  /** Returns the check digits of the block in `halves`. */
  #check({ checks }: Key) {
    encrypt(checks);
    const { digits, base } = this.#codec;
    let text = "";
    let number = halves[1];
    while (text.length < this.#checkDigits) {
      const rest = Math.floor(number / base);
      text = digits[number - rest * base] + text;
      number = rest;
    }
    return text;
  }

  /** Tells whether the id in `halves` fits the layout, and is not too far ahead of the clock. */
  #isPlausible() {
    const places = this.#places;
    if (!places) return true;
    const low = halves[0];
    const high = halves[1];
    if (((low & places.unusedLow) | (high & places.unusedHigh)) !== 0) return false;
    const timestampMs = places.epochMs + places.tickMs * valueIn(places.timestamp, low, high);
    return timestampMs <= this.#now() + this.#allowedFutureMs;
  }
}

function refusal(message: string) {
  return new EdgeflakeError("invalid-id", `the id ${message}`);
}
