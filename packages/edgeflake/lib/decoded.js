import { encode } from "./text.js";

/** @import { FieldValue, Encoding, Warning } from "edgeflake" */

/**
 * What an id says. What is rarely asked for is found when it is.
 *
 * @typedef {object} Source
 * @property {(decoded: Decoded) => FieldValue[]} fieldValues
 * @property {(id: bigint) => Warning[]} warnings
 */
export class Decoded {
  #layout;

  /**
   * @param {Source} layout
   * @param {bigint} id
   * @param {Float64Array} numbers time, node, sequence and tag
   */
  constructor(layout, id, numbers) {
    this.#layout = layout;
    this.id = id;
    this.timestampMs = numbers[0];
    this.node = numbers[1];
    this.sequence = numbers[2];
    this.tag = numbers[3];
  }

  get date() {
    return new Date(this.timestampMs);
  }

  get fields() {
    return this.#layout.fieldValues(this);
  }

  get warnings() {
    return this.#layout.warnings(this.id);
  }

  /** @param {Encoding} encoding */
  text(encoding) {
    return encode(this.id, encoding);
  }

  toJSON() {
    const { timestampMs, date, node, sequence, tag, fields, warnings } = this;
    return { id: `${this.id}`, timestampMs, date, node, sequence, tag, fields, warnings };
  }
}
