/**
 * Reads, writes and decodes ids without WebAssembly, for pages that only show or accept ids.
 *
 * @module
 */

export { EdgeflakeError } from "../error.js";
export { Decoder, type IdParts } from "../layout/decoder.js";
export type { Encoding, ErrorCode } from "../names.js";
export { jsonReplacer, jsonReviver } from "../text/json.js";
export type { Id } from "../text/text.js";
export { encodings, format, fromSigned, isId, parse, toSigned } from "../text/text.js";
