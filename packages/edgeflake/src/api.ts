/**
 * Issues, decodes and encodes unique 64-bit ids that sort by time, with edgeflake's Rust code. An
 * id is a bigint. Functions that take an id also take its decimal digits, or a number up to
 * 2^53 - 1. They refuse larger numbers, because JavaScript has already rounded them.
 *
 * @module
 */

export { EdgeflakeError } from "./error.js";
export { Generator, type GeneratorOptions, type Statistics } from "./generator/generator.js";
export type { DecodedId, Warning } from "./layout/decoded.js";
export type { PresetOptions } from "./layout/definition.js";
export type { Field, FieldValue, Role } from "./layout/fields.js";
export type { Candidate, IdentifiedColumns, UnixTimeName } from "./layout/identify.js";
export { identify, identifyMany, presets } from "./layout/identify.js";
export { type DecodedColumns, Layout, type LayoutInfo, type NodeId } from "./layout/layout.js";
export type { Encoding, ErrorCode, PresetName } from "./names.js";
export type { Moment } from "./options.js";
export { jsonReplacer, jsonReviver } from "./text/json.js";
export type { Ids, Numbers } from "./text/rows.js";
export type { Id, NextId } from "./text/text.js";
export { encodings, format, fromSigned, isId, parse, toSigned } from "./text/text.js";
