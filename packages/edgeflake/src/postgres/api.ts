/**
 * Uses a PostgreSQL database instead of Cloudflare as the authority, which grants leases. A lease
 * is the right to issue the ids of a node for some time. There is no service in between: each
 * process itself decides about its leases from tables in the database, by the rules of edgeflake's
 * Worker.
 *
 * ```js
 * import { LeasedGenerator } from "edgeflake/lease";
 * import { postgres } from "edgeflake/postgres";
 * import { Pool } from "pg";
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const ids = new LeasedGenerator({ authority: postgres(pool), sequencer: "orders" });
 * const id = await ids.next();
 * ```
 *
 * Set up the database once: run `npx edgeflake authority sql | psql "$DATABASE_URL"`, and create
 * the sequencer by {@link postgresAdmin}.
 *
 * A commit that the server has confirmed must survive, so the SQL functions refuse `fsync = off`,
 * and raise `synchronous_commit`. When a standby is promoted or a backup restored, some leases may
 * be missing. So a sequencer grants no leases until all leases that may be missing have ended,
 * unless you declare the standby synchronous (`npx edgeflake authority sql --synchronous`) or call
 * `confirmFailover`.
 *
 * The server does not notice if a snapshot of its disk or a dump of its tables is restored. A
 * server that is declared synchronous takes a restored backup for a promoted standby. So before
 * processes reach the restored tables, run `UPDATE edgeflake.sequencer SET history = 'restored'`
 * and `UPDATE edgeflake.server SET is_synchronous = false`.
 *
 * @module
 */

export { EdgeflakeError } from "../error.js";
export type { ErrorCode } from "../names.js";
export type { SequencerStatus } from "../schemas.js";
export type { PostgresAdmin, PostgresSequencerOptions, PostgresSettings } from "./admin.js";
export { postgresAdmin } from "./admin.js";
export type { PostgresClient } from "./database.js";
export { onnotice } from "./database.js";
export { postgres } from "./postgres.js";
