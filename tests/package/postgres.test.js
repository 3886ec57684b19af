// Tests a PostgreSQL database as the authority. PGlite runs PostgreSQL in this process.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import { LeasedGenerator } from "edgeflake/lease";
import { onnotice, postgres, postgresAdmin } from "edgeflake/postgres";
import { addTests } from "./harness/calls.js";

/** @import { PostgresClient } from "edgeflake/postgres" */

const SQL = readFileSync(new URL("../../wire/src/database.sql", import.meta.url), "utf8");

/** PGlite writes without fsync. The SQL functions refuse that unless this statement accepts it. */
const ACCEPT = "UPDATE edgeflake.server SET accepts_lost_commits = true";

const LAYOUT = "timestamp:41 sequence:8 node:8 @1514764800000 tick=1ms";

/** A notice that the standby may lack a commit. */
const WARNING = { code: "01000", message: "canceling wait for synchronous replication" };

/** @type {PGlite} */
let database;
/** @type {ReturnType<typeof postgresAdmin>} */
let admin;
before(async () => {
  database = await opened();
  admin = postgresAdmin(database);
});
after(() => database.close());

async function opened() {
  const database = new PGlite();
  await database.exec(SQL + ACCEPT);
  return database;
}

/**
 * A client of each driver. All clients use one database. If a client has a function `hear`, the
 * function gets the text of each query, and returns the notice that the server sends.
 */
const drivers = {
  PGlite: () => database,
  "neon()": () => {
    const sql = () => {};
    sql.unsafe = (/** @type {string} */ sql) => ({ sql }); // marks a part of a query as SQL
    sql.query = async (/** @type {string} */ text, /** @type {string[]} */ values) =>
      (await database.query(text, values)).rows;
    return sql;
  },
  "a Client of pg": pgClient,
  "a Pool of pg": () => ({
    totalCount: 0,
    query() {},
    on() {},
    connect: async () => pgClient(),
  }),
  postgres: () => postgresJs(),
};

/** @param {(text: string) => { code: string } | undefined} [hear] */
function pgClient(hear = () => ({ code: "00000" })) {
  const events = new EventEmitter();
  return Object.assign(events, {
    async query(/** @type {string} */ text, /** @type {string[]} */ values) {
      const result = await database.query(text, values);
      events.emit("notice", hear(text) ?? { code: "00000" });
      return result;
    },
    release() {},
  });
}

/** @param {(text: string) => { code: string } | undefined} [hear] */
function postgresJs(hear = () => undefined) {
  const sql = () => {};
  sql.options = { onnotice };
  sql.unsafe = async (/** @type {string} */ text, /** @type {string[]} */ values) => {
    const { rows } = await database.query(text, values);
    onnotice(hear(text) ?? { code: "00000" });
    return rows;
  };
  return sql;
}

for (const [name, make] of Object.entries(drivers)) {
  test(`${name} issues ids`, async () => {
    const sequencer = `of-${name.replaceAll(/\W/g, "")}`.toLowerCase();
    const client = /** @type {PostgresClient} */ (make());
    const created = await postgresAdmin(client).create(sequencer, { layout: LAYOUT });
    assert.equal(created.nodes?.used, 0);
    const options = { authority: postgres(client), sequencer };
    assert.equal(postgres(client), options.authority);
    const ids = new LeasedGenerator(options);
    const first = await ids.next();
    assert.ok(first < (await ids.next()));
    assert.equal((await new LeasedGenerator({ ...options, mode: "batch" }).batch(50)).length, 50);
    await ids.detach();
    const { used, held } = (await admin.status(sequencer)).nodes ?? {};
    assert.deepEqual({ used, held }, { used: 1, held: 0 });
  });
}

test("copies of the package share the authority of a client", async () => {
  const entrypoint = import.meta.resolve("edgeflake/postgres");
  const copy = await import(entrypoint.replace(/entrypoints.*/, "postgres/postgres.js?copy"));
  assert.notEqual(copy.postgres, postgres);
  assert.equal(copy.postgres(database), postgres(database));
});

test("a renewal takes one statement, unless it is ahead of the database's time", async (t) => {
  const database = await opened();
  t.after(() => database.close());
  await postgresAdmin(database).create("orders", { layout: LAYOUT });
  /** @type {string[]} */
  const sent = [];
  const client = {
    query(/** @type {string} */ text, /** @type {string[]} */ values) {
      sent.push(text.replace(/ .*/, ""));
      return database.query(text, values);
    },
  };
  const authority = /** @type {any} */ (postgres(client)).sequencer("orders");
  /** Sends a message, and returns its statements. @param {string} message @param {object} body */
  const statements = async (message, body) => {
    // A renewal from memory must gain a ms.
    for (const ms = Date.now(); Date.now() < ms + 5; ) await setImmediate();
    sent.length = 0;
    const reply = await authority.lease(message, JSON.stringify({ now_ms: Date.now(), ...body }));
    assert.match(`${reply}`, /granted|renewed/);
    return sent;
  };
  const token = "000102030405060708090a0b0c0d0e0f";
  assert.deepEqual(await statements("acquire", { token }), ["SELECT", "CALL"]);
  const { rows } = await database.query("SELECT node, from_tick FROM edgeflake.node");
  const [{ node, from_tick: tick }] = /** @type {{ node: number, from_tick: number }[]} */ (rows);
  const renew = () => statements("renew", { token, incarnation: 1, node, tick });
  assert.deepEqual(await renew(), ["CALL"]);
  await database.exec(
    "CREATE OR REPLACE FUNCTION edgeflake.now_ms() RETURNS bigint LANGUAGE sql VOLATILE " +
      "RETURN floor(extract(epoch FROM clock_timestamp()) * 1000) - 3600000",
  );
  assert.deepEqual(await renew(), ["CALL", "SELECT", "CALL"]);
});

test("an idle connection that breaks does not end the process", () => {
  const pool = pgClient();
  postgres(pool);
  assert.ok(pool.emit("error", new Error("terminating connection due to administrator command")));
});

for (const [name, make] of Object.entries({ pg: pgClient, postgres: postgresJs })) {
  test(`${name}: a commit that is confirmed with a warning has no reply`, async () => {
    await admin.create("warned", { layout: LAYOUT });
    let calls = 0;
    // Only the first commit is confirmed with a warning.
    const client = make((text) => (text.startsWith("CALL") && ++calls === 1 ? WARNING : undefined));
    const ids = new LeasedGenerator({ authority: postgres(client), sequencer: "warned" });
    const before = (await admin.status("warned")).nodes?.used ?? 0;
    await ids.next();
    assert.equal(ids.stats().failures, 1);
    // The retry had the same token, so it found the node that the first call was granted.
    assert.equal((await admin.status("warned")).nodes?.used, before + 1);
    await ids.detach();
  });
}

addTests(new URL("postgres.txt", import.meta.url), {
  ...{ ACCEPT, LAYOUT, SQL, LeasedGenerator, PGlite, opened, postgres, postgresAdmin },
  same: isDeepStrictEqual,
  get admin() {
    return admin;
  },
  get database() {
    return database;
  },
});
