/**
 * Encodes ids for external use. Each kind of id has its own prefix and TypeScript type. An encoded
 * id cannot be decoded without the key.
 *
 * @module
 */

export { EdgeflakeError } from "../error.js";
export type { ErrorCode } from "../names.js";
export {
  type Kind,
  PublicIds,
  type PublicIdsOptions,
  type PublicText,
  type StandardResult,
  type StandardSchema,
  type TypedId,
} from "../public/public-ids.js";
export type { Id } from "../text/text.js";
