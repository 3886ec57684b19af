/**
 * Ids as text, in JSON and decoded in one layout, without WebAssembly: for forms and lists.
 *
 * @module
 */

export { EdgeflakeError } from "../error.js";
export { Decoder, type IdParts } from "../layout/decoder.js";
export type { Encoding, ErrorCode } from "../names.js";
export { jsonReplacer, jsonReviver } from "../text/json.js";
export {
  encodings,
  format,
  fromSigned,
  type Id,
  isId,
  parse,
  toSigned,
} from "../text/text.js";
