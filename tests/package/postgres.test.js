// Tests a PostgreSQL database as the authority. PGlite runs PostgreSQL in this process.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { LeasedGenerator } from "edgeflake/lease";
import { onnotice, postgres, postgresAdmin } from "edgeflake/postgres";
import { runCalls } from "./harness/calls.js";

/** @import { PostgresClient } from "edgeflake/postgres" */

const SQL = readFileSync(new URL("../../wire/src/database.sql", import.meta.url), "utf8");

/** PGlite writes without fsync. The functions refuse that unless this statement accepts it. */
const ACCEPT = "UPDATE edgeflake.server SET accepts_lost_commits = true";

const LAYOUT = "timestamp:41 sequence:8 node:8 @1514764800000 tick=1ms";

/** A notice that a commit may not be on the standby. */
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
 * A client of each driver. All of them use one database. A client calls `hear` before it answers.
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

test("admin creates, changes, shrinks, destroys and creates again", async () => {
  const options = { layout: LAYOUT, first_node: 16, node_count: 32, lease_ms: 60_000 };
  const created = await admin.create("life", options);
  const { nodes, warnings, ends, ...rest } = created;
  const bound = { layout: LAYOUT, first_node: 16, node_count: 32, shards: 1 };
  const of = { name: "life", state: "active", incarnation: 1, issued: 0 };
  assert.deepEqual(rest, { ...of, ...bound, ids_per_second_and_node: 256_000 });
  assert.deepEqual(nodes, { total: 31, held: 0, free: 31, used: 0 });
  assert.deepEqual([ends, warnings], ["2087-09-07T15:47:35.552Z", []]);
  assert.deepEqual(await admin.create("life", options), created);
  await admin.set("life", { allowed_future_ms: 2_000, sequence_start: "rotating" });
  const select = "SELECT settings FROM edgeflake.settings WHERE name = 'life'";
  const [{ settings }] = /** @type {any[]} */ ((await database.query(select)).rows);
  assert.deepEqual(
    [settings.lease_ms, settings.allowed_future_ms, settings.terms.sequence_start],
    [60_000, 2_000, "rotating"],
  );
  const ids = new LeasedGenerator({ authority: postgres(database), sequencer: "life" });
  await ids.next();
  const { fromTick = 0, untilTick = 0, node = 0 } = ids.lease ?? {};
  // The node is random, but is not the first one, which is kept for batches.
  assert.ok(node > 16 && node < 48, `${node}`);
  assert.ok(untilTick - fromTick <= 60_000);
  const node_count = node - 15;
  await assert.rejects(admin.shrink("life", { node_count: node_count - 1 }), {
    code: "nodes-in-use",
    message: `nodes are in use: at least ${node_count} must be kept`,
  });
  await admin.shrink("life", { node_count });
  const [total, free] = [node_count - 1, node_count - 2];
  assert.deepEqual((await admin.status("life")).nodes, { total, held: 1, free, used: 1 });
  const destroyed = await admin.destroy("life");
  assert.equal(destroyed.state, "destroyed");
  assert.equal(Date.parse(`${destroyed.recreatable_from}`), untilTick + 1_514_764_800_000);
  await assert.rejects(admin.create("life", options), { code: "spans-not-ended" });
});

test("a lease that was decided before its settings changed is decided again", async () => {
  await admin.create("race", { layout: LAYOUT, lease_ms: 300_000 });
  let isChanged = false;
  const client = {
    async query(/** @type {string} */ text, /** @type {string[]} */ values) {
      if (text.startsWith("CALL") && !isChanged) {
        isChanged = true;
        await admin.set("race", { lease_ms: 40_000 });
      }
      return database.query(text, values);
    },
  };
  const ids = new LeasedGenerator({ authority: postgres(client), sequencer: "race" });
  await ids.next();
  const { fromTick = 0, untilTick = 0 } = ids.lease ?? {};
  assert.ok(isChanged && untilTick - fromTick <= 40_000, `${untilTick - fromTick}`);
  await ids.detach();
});

// Each row has a call, and the code and the message of its refusal. "..." stands for anything.
const MISTAKES = `
admin.create("orderItems") -> invalid-option: sequencer is the string orderItems: 1 to 63 of a-z, 0-9 and - are allowed, such as order-items
admin.create("m", { nodes: 5 }) -> invalid-option: create got the option nodes: an object of layout, first_node, node_count, lease_ms, ... is allowed
admin.create("m", { layout: "twitter", node_count: 1_025 }) -> invalid-option: 1025 nodes from node 0 on: 1 to 1048576 nodes up to node 1023 are allowed
admin.create("m", { layout: "twitter", lease_ms: 30_000 }) -> invalid-option: a lease of 30000 ms: 30001 (twice the allowed future and a tick) to 86400000 are allowed
admin.create("m", { layout: "twitter", gap_max: "5" }) -> invalid-option: gap_max is missing, or is not a whole number below 2^53
admin.status("m") -> unknown-sequencer: no sequencer is named "m": create it by postgresAdmin(client).create("m") of edgeflake/postgres
admin.set("m", { gap_max: 1 }) -> unknown-sequencer: no sequencer is named "m": ...
admin.create("bound", { layout: "hazelcast" }) -> sequencer-already-registered: the sequencer "bound" is bound to another configuration: its layout is ...; give what is bound, or use another name
admin.shrink("bound", { node_count: 0 }) -> invalid-option: node_count is 0: an integer of 1 to 9007199254740991 is allowed
postgres("postgres://app:password@localhost") -> invalid-option: client is a string: a Pool or Client of pg, the sql of postgres or neon(), and PGlite are allowed
new LeasedGenerator({ authority: database }) -> invalid-option: authority is an object: postgres(client) of edgeflake/postgres is allowed
new LeasedGenerator({ authority: postgres(database), sequencer: "none" }).next() -> unknown-sequencer: no sequencer is named "none": create it by postgresAdmin(client).create("none") of edgeflake/postgres
new LeasedGenerator({ authority: postgres(database), token: "x" }).next() -> invalid-configuration: PostgreSQL takes no token: leave the option token out
`;

test("mistakes are named", async () => {
  await admin.create("bound", { layout: LAYOUT });
  const names = { admin, database, postgres, LeasedGenerator };
  for (const line of MISTAKES.trim().split("\n")) await runCalls([line], names);
});

const ACCESS = "GRANT edgeflake_holder TO the user, or edgeflake_admin to change sequencers";

/** Each row has a statement, and the reason why the database cannot be used after it. */
const UNUSABLE = [
  [
    "SELECT 1",
    'schema "edgeflake" does not exist: run the output of npx edgeflake authority sql in the database',
  ],
  [
    SQL,
    "fsync is off, so a crash loses confirmed leases: set fsync = on, or, for a database that may repeat ids, UPDATE edgeflake.server SET accepts_lost_commits = true",
  ],
  [
    `${ACCEPT}, version = 2`,
    'the tables are of version 2, and this release uses version 1: run the output of "npx edgeflake authority sql" of the newer release',
  ],
  [
    "UPDATE edgeflake.server SET version = 1, is_synchronous = true",
    "synchronous_standby_names is empty, so a failover loses confirmed leases: name the standby, or UPDATE edgeflake.server SET is_synchronous = false",
  ],
  [
    "UPDATE edgeflake.server SET is_synchronous = false; SET default_transaction_isolation = serializable",
    "the isolation is serializable: only read committed is allowed, and no transaction around the call",
  ],
  [
    "SET default_transaction_isolation = 'read committed'; CREATE ROLE app; SET ROLE app",
    `permission denied for schema edgeflake: ${ACCESS}`,
  ],
];

test("a database that is not set up is named at once", async () => {
  const other = new PGlite();
  const ask = (/** @type {PGlite["query"]} */ query) =>
    new LeasedGenerator({ authority: postgres({ query }) }).next();
  const code = "invalid-configuration";
  for (const [sql, message] of UNUSABLE) {
    await other.exec(sql);
    await assert.rejects(
      ask((...args) => other.query(...args)),
      { code, message },
    );
  }
  await other.exec("RESET ROLE; GRANT edgeflake_holder TO app; SET ROLE app");
  await assert.rejects(ask(other.query.bind(other)), { code: "unknown-sequencer" });
  const message = `permission denied for table settings: ${ACCESS}`;
  await assert.rejects(postgresAdmin(other).create("default"), { code, message });
  await other.close();
  // A server with a standby cannot run in this process.
  await assert.rejects(
    ask(async () => /** @type {any} */ ([[JSON.stringify({ is_synchronous: true })]])),
    {
      code,
      message: /^this client hides the server's warnings, which a synchronous server needs: /,
    },
  );
});

test("after a failover, leases wait until it is confirmed", async () => {
  const other = await opened();
  const of = postgresAdmin(other);
  await of.create("orders", { layout: LAYOUT, lease_ms: 60_000 });
  const authority = postgres(other);
  const first = new LeasedGenerator({ authority, sequencer: "orders" });
  await first.next();
  // A promoted standby gives this answer.
  await other.exec(
    "CREATE OR REPLACE FUNCTION edgeflake.history() RETURNS text LANGUAGE sql AS 'SELECT ''other/2'''",
  );
  await assert.rejects(of.set("orders", { lease_ms: 40_000 }), {
    code: "invalid-configuration",
    message: /^the server was promoted or restored, and the sequencer has not noticed: /,
  });
  const another = () =>
    new LeasedGenerator({
      authority: postgres({ query: (...args) => other.query(...args) }),
      sequencer: "orders",
    });
  const second = another();
  await assert.rejects(second.next(), { code: "no-node-free" });
  const [warning] = (await of.status("orders")).warnings;
  assert.match(warning, /^the server was promoted or restored: leases wait /);
  // The holder that has a lease goes on with it.
  await first.next();
  await of.set("orders", { lease_ms: 40_000 });
  await of.confirmFailover();
  assert.deepEqual((await of.status("orders")).warnings, []);
  await second.ready();
  // An operator runs this statement after restoring a snapshot or a dump.
  await other.exec("UPDATE edgeflake.sequencer SET history = 'restored'");
  assert.match((await of.status("orders")).warnings[0], /^the server was promoted or restored: /);
  await assert.rejects(another().next(), { code: "no-node-free" });
  await other.close();
});
