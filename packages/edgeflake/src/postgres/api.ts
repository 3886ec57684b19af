/**
 * A PostgreSQL database as the authority (it grants leases, the right to issue the ids of a node for
 * some time), for those who have one and no Cloudflare. There is no service in between: each process
 * decides by itself from tables in the database, by the rules of edgeflake's Worker.
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
 * Set it up once: `npx edgeflake authority sql | psql "$DATABASE_URL"`, and create the sequencer by
 * {@link postgresAdmin}.
 *
 * A commit that the server has confirmed must survive: the functions refuse `fsync = off`, and raise
 * `synchronous_commit`. When a standby is promoted or a backup restored, a sequencer grants nothing
 * until all leases have ended that may be forgotten, unless you say that the standby is synchronous
 * (`npx edgeflake authority sql --synchronous`) or call `confirmFailover`.
 *
 * The server does not notice that a snapshot of its disk or a dump of its tables was restored, and a
 * synchronous one takes a restored backup for a promoted standby. So before processes reach the
 * restored tables, run `UPDATE edgeflake.sequencer SET history = 'restored'` and `UPDATE
 * edgeflake.server SET is_synchronous = false`.
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
