import type { FieldValue } from "./fields.js";

/** An unusual property of an id or of a layout. A warning is not an error. */
export interface Warning {
  /** Stable name of the warning, for programs; `message` is for people. */
  // biome-ignore format: one code per line would take a screen
  code:
    | "rounded" | "sign-bit" | "future" | "before-system" | "at-epoch" | "overlaps-old-ids"
    | "layout-ending" | "layout-ended";
  message: string;
}

/** The parts of an id, as `Layout.decode` returns them. */
export class DecodedId {
  declare readonly id: bigint;
  /** The start of the id's tick, in Unix ms. */
  declare readonly timestampMs: number;
  /** The node's number, joined from all node fields. */
  declare readonly node: number;
  /** The sequence number within the tick, joined from all sequence fields. */
  declare readonly sequence: number;
  /** The value of the tag fields; 0 in a layout without tag fields. */
  declare readonly tag: number;
  #layout;

  /** @internal */
  constructor(
    layout: { fieldValues(id: bigint): FieldValue[]; warnings(id: bigint): Warning[] },
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

  /** The fields of the layout with their values, the most significant first. */
  get fields(): FieldValue[] {
    return this.#layout.fieldValues(this.id);
  }

  /** Warnings about the id, such as rounded digits or a date later than the current time. */
  get warnings(): Warning[] {
    return this.#layout.warnings(this.id);
  }

  /** Returns an object for `JSON.stringify` with all properties, in which the id is a string. */
  toJSON(): Record<string, unknown> {
    const { timestampMs, date, node, sequence, tag, fields, warnings } = this;
    return { id: `${this.id}`, timestampMs, date, node, sequence, tag, fields, warnings };
  }
}
