// PostgreSQL as an authority that is killed: one server, or a pair of which the standby is promoted.

import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { postgresAdmin } from "edgeflake/postgres";
import pg from "pg";
import { Forwarder, query, Servers, urlOf } from "../../harness/postgres-server.js";

/** @import { KilledAuthority } from "./killed.js" */

const SQL = readFileSync(new URL("../../../wire/src/database.sql", import.meta.url), "utf8");

/**
 * Leases end soon and nodes are few, so that a forgotten lease would be granted again at once. All
 * processes have one clock.
 */
const OPTIONS = {
  node_count: 16,
  lease_ms: 2_001,
  allowed_future_ms: 1_000,
  clock_disagreement_max_ms: 100,
};

/** How long the standby gets nothing before a failover, in ms: longer than a lease. */
const CUT_MS = 3_000;

/** How long commits wait for a standby that gets nothing, before their wait is cancelled, in ms. */
const CANCEL_MS = 500;

const PAUSE_MS = 50;

/** With it, the functions do not notice a failover. */
const UNNOTICED =
  "CREATE OR REPLACE FUNCTION edgeflake.history() RETURNS text LANGUAGE sql AS 'SELECT ''same'''";

/** @typedef {"none" | "synchronous" | "asynchronous"} Standby */

/**
 * Sets up servers. Issuers reach the present primary by one address.
 *
 * @param {Standby} standby
 * @param {boolean} [forget] whether failovers go unnoticed
 * @returns {Promise<KilledAuthority & { close(): Promise<void>, happened: Record<string, number> }>}
 */
export async function postgresAuthority(standby, forget = false) {
  const servers = new Servers();
  /** The way of issuers to the primary, and of the standby to the primary. */
  const [front, link] = [await new Forwarder().listen(), await new Forwarder().listen()];
  const isSynchronous = standby === "synchronous";
  const happened = { failovers: 0, "cancelled waits for the standby": 0 };

  /** @type {Awaited<ReturnType<Servers["start"]>>} */
  let primary;
  /** @type {typeof primary | undefined} */
  let second;

  const settings = {
    ...(isSynchronous && { synchronous_standby_names: "*" }),
    primary_conninfo: `host=127.0.0.1 port=${link.port} user=owner`,
  };

  async function addStandby() {
    link.turn(primary.port);
    second = await servers.start(servers.copy(primary.port), settings);
    for (;;) {
      const found = await query(primary.port, "SELECT state FROM pg_stat_replication");
      if (found.some(({ state }) => state === "streaming")) return;
      await wait(PAUSE_MS);
    }
  }

  async function begin() {
    primary = await servers.start(servers.create(), {
      primary_conninfo: settings.primary_conninfo,
    });
    await query(primary.port, SQL);
    if (isSynchronous)
      await query(primary.port, "UPDATE edgeflake.server SET is_synchronous = true");
    if (forget) await query(primary.port, UNNOTICED);
    if (standby !== "none") await addStandby();
    if (isSynchronous) {
      await query(primary.port, "ALTER SYSTEM SET synchronous_standby_names = '*'");
      await query(primary.port, "SELECT pg_reload_conf()");
    }
    const pool = new pg.Pool({ connectionString: urlOf(primary.port) });
    await postgresAdmin(pool).create("default", OPTIONS);
    await pool.end();
  }

  async function failOver() {
    if (!second) throw new Error("there is no standby");
    // Whatever is on its way from the dead primary does not count as received.
    link.turn();
    primary = second;
    servers.promote(primary.data);
    happened.failovers++;
    await addStandby();
  }

  return {
    happened,
    async start(killed) {
      front.turn();
      if (killed === 0) await begin();
      else if (standby === "none") primary = await servers.start(primary.data);
      else await failOver();
      front.turn(primary.port);
      return primary.child;
    },
    options: () => ({ database: urlOf(front.port) }),
    async prepare() {
      if (standby === "none") return;
      link.turn();
      await wait(isSynchronous ? CANCEL_MS : CUT_MS);
      if (!isSynchronous) return;
      // The server now confirms these commits with a warning, and the failover loses them.
      const cancelled = await query(
        primary.port,
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      happened["cancelled waits for the standby"] += cancelled.length;
      await wait(CANCEL_MS);
    },
    async close() {
      front.close();
      link.close();
      await servers.close();
    },
  };
}
