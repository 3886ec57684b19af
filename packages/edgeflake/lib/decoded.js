import { encode } from "./text.js";

/** @import { FieldValue, Encoding, Warning } from "edgeflake" */

/**
 * What an id says. What is rarely asked for is found when it is.
 *
 * @typedef {object} Source
 * @property {(id: bigint) => FieldValue[]} fieldValues
 * @property {(id: bigint) => Warning[]} warnings
 */
export class DecodedId {
  #layout;

  /**
   * @param {Source} layout
   * @param {bigint} id
   * @param {number} timestampMs
   * @param {number} node
   * @param {number} sequence
   * @param {number} tag
   */
  constructor(layout, id, timestampMs, node, sequence, tag) {
    this.#layout = layout;
    this.id = id;
    this.timestampMs = timestampMs;
    this.node = node;
    this.sequence = sequence;
    this.tag = tag;
  }

  get date() {
    return new Date(this.timestampMs);
  }

  get fields() {
    return this.#layout.fieldValues(this.id);
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
