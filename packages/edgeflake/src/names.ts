// The names that the package shares with the Rust code.

/**
 * The name of a way to write an id as text. All but `base64url-bytes` write the number in these
 * digits.
 *
 * | encoding | digits, from 0 on | characters | sorts as the ids do |
 * |---|---|---|---|
 * | `decimal` | `0-9` | 1 to 20 | no |
 * | `signed-decimal`, for SQL's `BIGINT` | `0-9` after a `-` | 1 to 20 | no |
 * | `hex` | `0-9a-f` | 16 | yes |
 * | `binary` | `01` | 64 | yes |
 * | `base32`, Crockford's | `0-9A-Z` without `ILOU` | 13 | yes |
 * | `z-base-32` | `ybndrfg8ejkmcpqxot1uwisza345h769` | 1 to 13 | no |
 * | `base36` | `0-9a-z` | 1 to 13 | no |
 * | `base58`, Bitcoin's digits | `1-9A-Za-z` without `IOl` | 1 to 11 | no |
 * | `base58-flickr` | `1-9a-zA-Z` without `lIO` | 1 to 11 | no |
 * | `base62`, in the order of ASCII | `0-9A-Za-z` | 11 | yes |
 * | `base62-lower`, as base62.js | `0-9a-zA-Z` | 1 to 11 | no |
 * | `base64url`, as Instagram's short codes | `A-Za-z0-9-_` | 1 to 11 | no |
 * | `base64url-bytes`, RFC 4648 of the 8 bytes | `A-Za-z0-9-_` | 11 | no |
 *
 * An encoding of one width writes leading zeros up to it. `parse` reads leading zeros up to
 * the width in every encoding, and their absence in all but `base64url-bytes`.
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
  | "base62-lower"
  | "base64url"
  | "base64url-bytes";

/** The name of a layout that `Layout.preset` knows. */
export type PresetName =
  | "hazelcast"
  | "twitter"
  | "discord"
  | "instagram"
  | "mastodon"
  | "linkedin"
  | "sonyflake"
  | "sonyflake-v2"
  | "snowcast"
  | "datacenter-worker"
  | "random-start"
  | "resource-type"
  | "worker-queue"
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
  EDGEFLAKE_EPOCH_START?: string;
  EDGEFLAKE_BITS_SEQUENCE?: string;
  EDGEFLAKE_BITS_NODE_ID?: string;
  EDGEFLAKE_NODES?: string;
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
