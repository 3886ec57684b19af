/**
 * Uses a PostgreSQL database instead of Cloudflare as the authority, which grants leases (the right
 * to issue the ids of a node for some time). There is no service in between: each process itself
 * decides about its leases from tables in the database, by the rules of edgeflake's Worker.
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
 * After a failover, a sequencer grants no leases until all leases that may be missing have ended,
 * unless you declare the standby synchronous (`npx edgeflake authority sql --synchronous`) or call
 * `confirmFailover`. The server does not notice if a snapshot of its disk or a dump of its tables
 * is restored, and ids may then repeat. So before you restore a backup, a snapshot or a dump, read
 * the section on PostgreSQL in "Operating" (see the link in the README).
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
