import type { FieldValue } from "./fields.js";

/** A warning about an id or a layout. */
export interface Warning {
  /** It is stable, for programs; `message` is for people. */
  code:
    | "rounded"
    | "sign-bit"
    | "future"
    | "before-system"
    | "at-epoch"
    | "overlaps-old-ids"
    | "layout-ending"
    | "layout-ended";
  message: string;
}

/** A layout, as far as a decoded id needs it; the id reads rare values from it only when asked. */
interface Source {
  fieldValues(id: bigint): FieldValue[];
  warnings(id: bigint): Warning[];
}

/** An id, taken apart. */
export class DecodedId {
  declare readonly id: bigint;
  /** The start of the id's tick, in Unix ms. */
  declare readonly timestampMs: number;
  /** The node, whole even when split over fields. */
  declare readonly node: number;
  /** The sequence within the tick, whole even when split over fields. */
  declare readonly sequence: number;
  /** The value of the tag fields; 0 in a layout without them. */
  declare readonly tag: number;
  #layout;

  /** @internal */
  constructor(
    layout: Source,
    id: bigint,
    timestampMs: number,
    node: number,
    sequence: number,
    tag: number,
  ) {
    this.#layout = layout;
    this.id = id;
    this.timestampMs = timestampMs;
    this.node = node;
    this.sequence = sequence;
    this.tag = tag;
  }

  /** `timestampMs` as a `Date`. */
  get date(): Date {
    return new Date(this.timestampMs);
  }

  /** The value of each field by itself, the most significant first. */
  get fields(): FieldValue[] {
    return this.#layout.fieldValues(this.id);
  }

  /** Oddities of the id at the moment of reading, such as lost digits or a date in the future. */
  get warnings(): Warning[] {
    return this.#layout.warnings(this.id);
  }

  /** Returns all of the above, with the id as decimal text. */
  toJSON(): Record<string, unknown> {
    const { timestampMs, date, node, sequence, tag, fields, warnings } = this;
    return { id: `${this.id}`, timestampMs, date, node, sequence, tag, fields, warnings };
  }
}
