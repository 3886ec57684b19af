/**
 * The variables and secrets that the objects and the Worker read; `docs/DEPLOYING.md` says what they
 * mean. Names that begin with `EDGEFLAKE_` are edgeflake's: one that it does not know is refused.
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
