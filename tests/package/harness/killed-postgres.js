// PostgreSQL as an authority that is killed: one server, or a pair whose standby is promoted.

import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { postgresAdmin } from "edgeflake/postgres";
import pg from "pg";
import { Forwarder, query, Servers, urlOf } from "../../harness/postgres.js";
import { scriptOf } from "./killed.js";

/** @import { KilledAuthority } from "./killed.js" */

/** The issuer in Rust, which `cargo build --example issuer` in tests/databases builds. */
const ISSUER = fileURLToPath(new URL("../../../target/debug/examples/issuer", import.meta.url));

const SQL = readFileSync(new URL("../../../wire/src/database.sql", import.meta.url), "utf8");

/**
 * There are few nodes, so that the node of a forgotten lease would soon be granted again. Leases
 * last longer than a failover. Clocks may differ by only 100 ms, because all processes share one
 * clock.
 */
const OPTIONS = {
  node_count: 7,
  lease_ms: 10_000,
  allowed_future_ms: 1_000,
  clock_disagreement_max_ms: 100,
};

/** How long a pair serves between two failovers, in ms. */
const LIFE_MS = 5_000;

/** How long the standby receives nothing before a failover, in ms. */
const CUT_MS = 3_000;

/** Time for the warning to reach a holder after the wait of its commit was cancelled, in ms. */
const CANCEL_MS = 500;

/** Unsafe settings that a connection may have. The SQL functions must replace them. */
const CARELESS = "-c synchronous_commit=off -c client_min_messages=error";

const PAUSE_MS = 50;

/** After this statement, the SQL functions do not notice a failover. */
const UNNOTICED =
  "CREATE OR REPLACE FUNCTION edgeflake.history() RETURNS text LANGUAGE sql AS 'SELECT ''same'''";

/** @typedef {"none" | "synchronous" | "asynchronous"} Standby */

/**
 * Sets up servers. Issuers reach the current primary at one fixed address.
 *
 * @param {Standby} standby
 * @param {boolean} [forget] whether failovers go unnoticed
 * @returns {Promise<KilledAuthority & { close(): Promise<void>, happened: Record<string, number> }>}
 */
export async function postgresAuthority(standby, forget = false) {
  const servers = new Servers();
  /** Forwarders to the primary: `front` for issuers, and `link` for the standby. */
  const [front, link] = [await new Forwarder().listen(), await new Forwarder().listen()];
  const isSynchronous = standby === "synchronous";
  const happened = { failovers: 0, "cancelled waits for the standby": 0 };

  /** @type {Awaited<ReturnType<Servers["start"]>>} */
  let primary;
  /** @type {typeof primary | undefined} */
  let second;
  /** Settles when the primary has a standby again. */
  let following = Promise.resolve();

  const settings = {
    ...(isSynchronous && { synchronous_standby_names: "*" }),
    primary_conninfo: `host=127.0.0.1 port=${link.port} user=postgres`,
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
    // Data that is still on its way from the dead primary must not arrive.
    link.turn();
    primary = second;
    servers.promote(primary.data);
    happened.failovers++;
    // Meanwhile issuers continue, except when their commits wait for the standby.
    following = addStandby();
    following.catch(() => {});
  }

  return {
    happened,
    async start(killed, kill) {
      front.turn();
      if (killed === 0) await begin();
      else if (standby === "none") primary = await servers.start(primary.data);
      else await failOver();
      front.turn(primary.port);
      if (standby === "asynchronous" && killed > 0) {
        // The promoted server may not know the leases of the other issuers. The successor of this
        // issuer must not get one of their nodes.
        kill(1);
        await wait(CUT_MS);
      }
      return primary.child;
    },
    issuer(place) {
      const database = `${urlOf(front.port)}?options=${encodeURIComponent(CARELESS)}`;
      return place === 1 ? [ISSUER, database] : scriptOf("issuer.js", { database });
    },
    async prepare(kill) {
      if (standby === "none") return;
      await Promise.all([following, wait(LIFE_MS)]);
      link.turn();
      // The successors of these issuers ask for leases that the failover forgets.
      for (const place of [1, 2, 3]) kill(place);
      await wait(CUT_MS);
      if (!isSynchronous) return;
      // When a commit's wait is cancelled, the server confirms the commit with a warning.
      const cancelled = await query(
        primary.port,
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      happened["cancelled waits for the standby"] += cancelled.length;
      await wait(CANCEL_MS);
    },
    async close() {
      // The promise rejects if the primary was killed meanwhile.
      await following.catch(() => {});
      front.close();
      link.close();
      await servers.close();
    },
  };
}
