/**
 * Writes ids for the world outside: with a prefix, a type of their own, and opaque without the key.
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
  type TypedId,
} from "../public/public-ids.js";
export type { StandardResult, StandardSchema } from "../public/standard-schema.js";
export type { Id } from "../text/text.js";
