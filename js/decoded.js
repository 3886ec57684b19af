// WebAssembly returns numbers; the objects that `Layout.decode` returns are made of them here.

/** @import { Decoded, FieldValue } from "edgeflake" */

/**
 * @param {bigint} id
 * @param {number} timestampMs
 * @param {bigint} node
 * @param {bigint} sequence
 * @param {bigint} tag
 * @param {FieldValue[]} fields
 * @returns {Decoded}
 */
export function decoded(id, timestampMs, node, sequence, tag, fields) {
  return { id, timestampMs, node, sequence, tag, fields };
}

/**
 * @param {string} name
 * @param {FieldValue["role"]} role
 * @param {number} bits
 * @param {bigint} value
 * @returns {FieldValue}
 */
export function fieldValue(name, role, bits, value) {
  return { name, role, bits, value };
}
