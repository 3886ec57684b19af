/**
 * How the bits of an id are divided, and what time its ticks count.
 *
 * ```js
 * import { Layout } from "edgeflake";
 *
 * Layout.preset("twitter").decode(1541815603606036480n).node; // 378n
 * ```
 */
export class Layout {
  private constructor();

  /**
   * The layout of a known system; {@link presets} lists their names.
   *
   * @throws {EdgeflakeError} `unknown-preset`
   */
  static preset(name: string): Layout;

  /**
   * The layout of a text form: fields from the most significant bit on, each
   * `role:bits` or `role.name:bits` with a role of `unused`, `timestamp`, `node`, `sequence` or
   * `tag`; then `@` and the epoch, in Unix ms or as an RFC 3339 date; then the tick, of 1 ms without
   * it.
   *
   * ```js
   * Layout.parse("unused:1 timestamp:39 sequence:8 node:16 @1409529600000 tick=10ms");
   * ```
   *
   * @throws {EdgeflakeError} `invalid-layout`
   */
  static parse(text: string): Layout;

  /** The layout's text form, equal for equal layouts. */
  toString(): string;

  /**
   * What an id says in this layout. A string is read as decimal digits.
   *
   * A number is refused, however small: above 2^53 JavaScript has rounded it before anyone can
   * look at it.
   *
   * @throws {EdgeflakeError} `invalid-id` for what is not an id of 64 bits; `unused-bits` for an id
   * with bits set that the layout does not use
   */
  decode(id: bigint | string): Decoded;

  /** Frees the layout's memory now; without it, the garbage collector does. */
  free(): void;
}

/** What an id says. */
export interface Decoded {
  id: bigint;
  /** When the id's tick begins, in Unix ms: exact, as every instant of a layout is below 2^53. */
  timestampMs: number;
  /** The node, whole even when split over fields. */
  node: bigint;
  /** The sequence within the tick, whole even when split over fields. */
  sequence: bigint;
  /** The value of the tag fields; 0n in a layout without them. */
  tag: bigint;
  /** The value of each field by itself, the most significant first. */
  fields: FieldValue[];
}

/** One field of an id. */
export interface FieldValue {
  name: string;
  role: "unused" | "timestamp" | "node" | "sequence" | "tag";
  /** The field's width. */
  bits: number;
  value: bigint;
}

/** The names that {@link Layout.preset} knows. */
export function presets(): string[];

/** What this package throws. */
export class EdgeflakeError extends Error {
  constructor(code: string, message: string);

  /** Stable, for programs; `message` is for people. */
  readonly code: string;
}
