// `npm run docs` writes the first two from src/text/encoding.rs and src/preset/.

/**
 * How an id is written as text. `base64url-bytes` writes its eight bytes, and all others write its
 * number in these digits.
 *
 * | encoding | digits, from 0 on | characters | sorts as the ids do |
 * | --- | --- | --- | --- |
 * | `decimal` | `0-9` | 1 to 20 | no |
 * | `signed-decimal` | `0-9` | 1 to 20 | no |
 * | `hex` | `0-9a-f` | 16 | yes |
 * | `binary` | `01` | 64 | yes |
 * | `base32` | `0-9A-HJKMNP-TV-Z` | 13 | yes |
 * | `z-base-32` | `ybndrfg8ejkmcpqxot1uwisza345h769` | 1 to 13 | no |
 * | `base36` | `0-9a-z` | 1 to 13 | no |
 * | `base58` | `1-9A-HJ-NP-Za-km-z` | 1 to 11 | no |
 * | `base58-flickr` | `1-9a-km-zA-HJ-NP-Z` | 1 to 11 | no |
 * | `base62` | `0-9A-Za-z` | 11 | yes |
 * | `base64url` | `A-Za-z0-9-_` | 1 to 11 | no |
 * | `base62-lower` | `0-9a-zA-Z` | 1 to 11 | no |
 * | `base64url-bytes` | `A-Za-z0-9-_` | 11 | no |
 *
 * An encoding with a fixed number of characters pads with leading zeros. `parse` reads leading
 * zeros up to the most characters in every encoding, and their absence in all except
 * `base64url-bytes`.
 */
export type Encoding =
  | "decimal"
  | "signed-decimal"
  | "hex"
  | "binary"
  | "base32"
  | "z-base-32"
  | "base36"
  | "base58"
  | "base58-flickr"
  | "base62"
  | "base64url"
  | "base62-lower"
  | "base64url-bytes";

/** A name that `Layout.preset` knows. */
export type PresetName =
  | "hazelcast"
  | "sonyflake"
  | "sonyflake-v2"
  | "snowcast"
  | "baidu"
  | "leaf"
  | "bwmarrin"
  | "yitter"
  | "tsid"
  | "cosid"
  | "cosid-js"
  | "flake-idgen"
  | "nodejs-snowflake"
  | "snowid"
  | "twitter"
  | "discord"
  | "instagram"
  | "mastodon"
  | "linkedin"
  | "datacenter-worker"
  | "random-start"
  | "resource-type"
  | "worker-queue"
  | "js-safe"
  | "edge";

/** The code of an `EdgeflakeError`; `docs/ERRORS.md` explains each. */
export type ErrorCode =
  | "authority-unreachable"
  | "authority-unreadable"
  | "batches-exhausted"
  | "before-epoch"
  | "clock-back"
  | "clock-disagreement"
  | "closed"
  | "detached"
  | "exhausted"
  | "forbidden"
  | "invalid-body"
  | "invalid-configuration"
  | "invalid-id"
  | "invalid-layout"
  | "invalid-name"
  | "invalid-number"
  | "invalid-option"
  | "invalid-parameter"
  | "invalid-window"
  | "layout-ended"
  | "no-node-free"
  | "node-in-use"
  | "not-ready"
  | "not-sorted-by-time"
  | "other-incarnation"
  | "other-layout"
  | "other-node"
  | "nodes-in-use"
  | "other-timestamp"
  | "overloaded"
  | "sequencer-already-registered"
  | "sequencer-being-destroyed"
  | "sequencer-destroyed"
  | "spans-not-ended"
  | "store-copied"
  | "store-failed"
  | "store-in-use"
  | "store-unreadable"
  | "too-large"
  | "unauthorized"
  | "unexpected-reply"
  | "unknown-encoding"
  | "unknown-preset"
  | "unknown-sequencer"
  | "unsafe-number"
  | "unused-bits";

/**
 * The variables and secrets that the objects and the Worker read; `docs/DEPLOYING.md` describes
 * them. The Worker refuses a name that begins with `EDGEFLAKE_` and is not one of these.
 *
 * `wrangler types` knows those of your configuration. For the secrets:
 *
 * ```ts
 * declare namespace Cloudflare {
 *   interface Env extends Pick<Variables, "EDGEFLAKE_ADMIN_TOKEN"> {}
 * }
 * ```
 */
export interface Variables {
  EDGEFLAKE_LAYOUT?: string;
  EDGEFLAKE_NODE_ID_OFFSET?: string;
  EDGEFLAKE_NODE_COUNT?: string;
  EDGEFLAKE_SHARDS?: string;
  EDGEFLAKE_LEASE_MILLIS?: string;
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS?: string;
  EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS?: string;
  EDGEFLAKE_SEQUENCE_START?: string;
  EDGEFLAKE_SEQUENCE_GAP_MAX?: string;
  EDGEFLAKE_PREFETCH_COUNT?: string;
  EDGEFLAKE_PREFETCH_VALIDITY_MILLIS?: string;
  EDGEFLAKE_STATISTICS_ENABLED?: string;
  EDGEFLAKE_OPERATIONS_PER_SECOND_MAX?: string;
  EDGEFLAKE_PUBLIC_ISSUE?: string;
  EDGEFLAKE_PUBLIC_READ?: string;
  EDGEFLAKE_CORS_ORIGINS?: string;
  EDGEFLAKE_HSTS_MAX_AGE_SECONDS?: string;
  EDGEFLAKE_READ_TOKEN?: string;
  EDGEFLAKE_ISSUE_TOKEN?: string;
  EDGEFLAKE_LEASE_TOKEN?: string;
  EDGEFLAKE_ADMIN_TOKEN?: string;
  EDGEFLAKE_READ_TOKEN_NEXT?: string;
  EDGEFLAKE_ISSUE_TOKEN_NEXT?: string;
  EDGEFLAKE_LEASE_TOKEN_NEXT?: string;
  EDGEFLAKE_ADMIN_TOKEN_NEXT?: string;
  EDGEFLAKE_WITNESS?: string;
}
