// `npm run docs` writes this file from worker/crate/src/settings/table.rs.

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
   * The bits of an id: a preset or a layout string, such as `unused:1 timestamp:41 sequence:6
   * node:16 @1514764800000 tick=1ms`. The default is `hazelcast`.
   */
  EDGEFLAKE_LAYOUT?: string;
  /**
   * The first moment of a preset of software whose users choose it (`hazelcast`, `leaf`, not
   * `twitter`). Without it, the preset's own.
   */
  EDGEFLAKE_EPOCH_START?: string;
  /**
   * With `hazelcast`: its `bits-sequence`. Without it, 6.
   */
  EDGEFLAKE_BITS_SEQUENCE?: string;
  /**
   * With `hazelcast`: its `bits-node-id`. Without it, 16. The timestamp has what is left of 63.
   */
  EDGEFLAKE_BITS_NODE_ID?: string;
  /**
   * With `snowcast`: its number of nodes, 128 to 8,192, rounded up to a power of two. Without it,
   * 8,192. Fewer nodes give more ids per ms and node.
   */
  EDGEFLAKE_NODES?: string;
  /**
   * The first node. The default is `0`.
   */
  EDGEFLAKE_NODE_ID_OFFSET?: string;
  /**
   * The number of nodes. Without it, all from the first on.
   */
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
  /**
   * The allowed future: how far ids may run ahead of the clock. The default is `15000`.
   */
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
  /**
   * The ids of a batch, which a holder fetches when no node is free. The default is `100`.
   */
  EDGEFLAKE_PREFETCH_COUNT?: string;
  /**
   * How long a batch is used; 0 for no limit. The default is `600000`.
   */
  EDGEFLAKE_PREFETCH_VALIDITY_MILLIS?: string;
  /**
   * Whether holders report how many ids they issued. The default is `true`.
   */
  EDGEFLAKE_STATISTICS_ENABLED?: string;
  /**
   * What one shard can answer. From half of it on it refuses batches, from three quarters on
   * grants, and never renewals. The default is `1000`.
   */
  EDGEFLAKE_OPERATIONS_PER_SECOND_MAX?: string;
  /**
   * The class of the witnesses: a binding of the class `Directory`; or `none` for shards without
   * a witness, so that a restored storage may repeat ids. Without it, the binding `DIRECTORY`.
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
   * between them. Without it, no other page may.
   */
  EDGEFLAKE_CORS_ORIGINS?: string;
  /**
   * Opens status, nodes and metrics: for Prometheus.
   */
  EDGEFLAKE_READ_TOKEN?: string;
  /**
   * Opens the same, and ids.
   */
  EDGEFLAKE_ISSUE_TOKEN?: string;
  /**
   * Opens the same, and leases and *batches* (ids that a shard issues): for *holders* elsewhere,
   * which are processes that lease a node.
   */
  EDGEFLAKE_LEASE_TOKEN?: string;
  /**
   * Opens the same, and creates, shrinks and destroys sequencers.
   */
  EDGEFLAKE_ADMIN_TOKEN?: string;
}
