// `npm run generate` writes this file from the tables in Rust.

/**
 * The name of a way to write an id as text; `docs/LAYOUTS.md` has a table of their digits. An
 * encoding with a fixed number of characters pads with leading zeros. `parse` reads leading zeros
 * up to the most characters in every encoding, and their absence in all except `base64url-bytes`.
 */
// biome-ignore format: one name per line would take a screen
export type Encoding =
  | "decimal" | "signed-decimal" | "hex" | "binary" | "base32" | "z-base-32" | "base36" | "base58"
  | "base58-flickr" | "base62" | "base64url" | "base62-lower" | "base64url-bytes";

/** The name of a layout that `Layout.preset` knows. */
// biome-ignore format: one name per line would take a screen
export type PresetName =
  | "hazelcast" | "sonyflake" | "sonyflake-v2" | "snowcast" | "baidu" | "leaf" | "bwmarrin"
  | "yitter" | "tsid" | "cosid" | "cosid-js" | "flake-idgen" | "nodejs-snowflake" | "snowid"
  | "twitter" | "discord" | "instagram" | "mastodon" | "linkedin" | "tiktok" | "datacenter-worker"
  | "random-start" | "resource-type" | "worker-queue" | "js-safe" | "edge";

/** The name of an event in the log. */
// biome-ignore format: one name per line would take a screen
export type EventName =
  | "sequencer-created" | "sequencer-shrunk" | "sequencer-destroyed" | "token-refused"
  | "configuration-refused" | "configuration-differs" | "call-failed" | "object-failed"
  | "storage-rolled-back" | "witness-rolled-back" | "request-failed" | "panic";

/** The status of an answer if an object cannot read its storage. */
export const UNREADABLE = 507;

/** The status of an answer if an object cannot write because its disk is full. */
export const UNWRITABLE = 503;

/** The code of an `EdgeflakeError`; `docs/ERRORS.md` explains each. */
// biome-ignore format: one name per line would take a screen
export type ErrorCode =
  | "authority-unreachable" | "not-ready" | "unexpected-reply" | "exhausted" | "no-node-free"
  | "batches-exhausted" | "overloaded" | "clock-disagreement" | "other-incarnation" | "clock-back"
  | "spans-not-ended" | "detached" | "closed" | "unknown-sequencer" | "sequencer-destroyed"
  | "sequencer-already-registered" | "sequencer-being-destroyed" | "other-timestamp"
  | "nodes-in-use" | "other-layout" | "invalid-configuration" | "authority-unreadable"
  | "layout-ended" | "before-epoch" | "invalid-parameter" | "invalid-name" | "invalid-body"
  | "invalid-id" | "unauthorized" | "forbidden" | "unused-bits" | "invalid-window"
  | "not-sorted-by-time" | "too-large" | "invalid-number" | "invalid-option" | "unsafe-number"
  | "unknown-encoding" | "unknown-preset" | "invalid-layout" | "node-in-use" | "other-node"
  | "store-in-use" | "store-copied" | "store-unreadable" | "store-failed";

/**
 * The state of a `LeasedGenerator`.
 *
 * - `acquiring`: The holder has no ids. As soon as a request needs some, it asks for a lease or,
 *   if it only prefetches, for a batch.
 * - `batching`: Ids come from batches, because the holder only prefetches, or because no node is
 *   free. In the latter case it asks for a lease from time to time.
 * - `attached`: The holder has a lease, which may have ended.
 * - `renewing`: The holder has a lease, and has asked for a later end.
 * - `detached`: The holder has given its lease back and asks for no other, or it is bound to
 *   another layout than the sequencer's.
 * - `destroyed`: The sequencer was destroyed. The holder asks again every few seconds, unless it
 *   is bound to that incarnation.
 */
// biome-ignore format: as the unions above
export type LeaseState =
  | "acquiring" | "batching" | "attached" | "renewing" | "detached" | "destroyed";

/**
 * The variables and secrets that the objects and the Worker read. Names that begin with
 * `EDGEFLAKE_` are edgeflake's, which refuses those that it does not know.
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
  /**
   * The bits of an id: a preset, with its options as in `hazelcast epoch-start=2018-01-01
   * bits-sequence=6` or `snowcast nodes=129`; or a layout string, such as `unused:1 timestamp:41
   * sequence:6 node:16 @1514764800000 tick=1ms`. The default is `hazelcast`.
   */
  EDGEFLAKE_LAYOUT?: string;
  /** The first node. The default is `0`. */
  EDGEFLAKE_NODE_ID_OFFSET?: string;
  /** The number of nodes. Default: all nodes from the first one on. */
  EDGEFLAKE_NODE_COUNT?: string;
  /**
   * The number of shards, the objects that grant the nodes: a power of two. Each shard keeps the
   * first of its nodes for batches. The default is `1`.
   */
  EDGEFLAKE_SHARDS?: string;
  /**
   * How long a lease lasts: at least twice the allowed future and a tick. The default is
   * `300000`.
   */
  EDGEFLAKE_LEASE_MILLIS?: string;
  /** The allowed future: how far ids may run ahead of the clock. The default is `15000`. */
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS?: string;
  /**
   * How far the clocks of holder and authority may differ when a lease is granted. The default is
   * `10000`.
   */
  EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS?: string;
  /**
   * Where the sequence of a new tick starts: `zero`; `random:99` for a random number up to 99;
   * `rotating` for a random start from which the whole tick is used, in no order. The default is
   * `zero`.
   */
  EDGEFLAKE_SEQUENCE_START?: string;
  /**
   * The most counters left out at random between two ids, so that ids do not tell how many there
   * were. The default is `0`.
   */
  EDGEFLAKE_SEQUENCE_GAP_MAX?: string;
  /** The ids of a batch, which a holder fetches when no node is free. The default is `100`. */
  EDGEFLAKE_PREFETCH_COUNT?: string;
  /** How long a batch is used; 0 for no limit. The default is `600000`. */
  EDGEFLAKE_PREFETCH_VALIDITY_MILLIS?: string;
  /** Whether holders report how many ids they issued. The default is `true`. */
  EDGEFLAKE_STATISTICS_ENABLED?: string;
  /**
   * The requests per second that one shard can answer. From half of it on it refuses batches,
   * from three quarters on grants, and never renewals. The default is `1000`.
   */
  EDGEFLAKE_OPERATIONS_PER_SECOND_MAX?: string;
  /**
   * The binding of the class `Directory`, whose objects are the witnesses. With `none`, shards
   * have no witness, and ids may repeat after storage is restored. Default: the binding
   * `DIRECTORY`.
   */
  EDGEFLAKE_WITNESS?: string;
  /**
   * `true` lets every caller read status, nodes and metrics while `EDGEFLAKE_READ_TOKEN` is not
   * set. The default is `false`.
   */
  EDGEFLAKE_PUBLIC_READ?: string;
  /**
   * `true` gives ids to every caller while `EDGEFLAKE_ISSUE_TOKEN` is not set. The default is
   * `false`.
   */
  EDGEFLAKE_PUBLIC_ISSUE?: string;
  /**
   * Whose pages may call the API: `*`, or origins such as `https://example.com` with commas
   * between them. Default: no page of another origin.
   */
  EDGEFLAKE_CORS_ORIGINS?: string;
  /** Opens status, nodes and metrics: for Prometheus. */
  EDGEFLAKE_READ_TOKEN?: string;
  /** Opens the same, and ids. */
  EDGEFLAKE_ISSUE_TOKEN?: string;
  /**
   * Opens the same, and leases and *batches* (ids that a shard issues): for *holders* elsewhere,
   * which are processes that lease a node.
   */
  EDGEFLAKE_LEASE_TOKEN?: string;
  /** Opens the same, and creates, shrinks and destroys sequencers. */
  EDGEFLAKE_ADMIN_TOKEN?: string;
}
