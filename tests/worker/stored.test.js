// Checks the tables and rows that an authority stores, and that it refuses those of a later
// release.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { clusterOf, startCluster } from "./harness/cluster.js";

const NOW_MS = 1_790_000_000_000;
const NOW_TICK = NOW_MS - 1_514_764_800_000;
const LEASE_TICKS = 300_000;
const LAYOUT = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";

test("version 1: the tables and the rows", async () => {
  const vars = { EDGEFLAKE_NODE_ID_OFFSET: "7", EDGEFLAKE_NODE_COUNT: "100" };
  await using cluster = await startCluster(["a"], vars);
  await cluster.turnAll({ frozen_ms: NOW_MS });
  await cluster.ids("a", 1);
  const named = "name IN ('schema', 'sequencer', 'node', 'proof')";
  const tables = await cluster.sql(`SELECT sql FROM sqlite_schema WHERE ${named} ORDER BY rowid`);
  assert.deepEqual(
    tables.map(({ sql }) => sql),
    [
      "CREATE TABLE schema (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, " +
        "session INTEGER NOT NULL) STRICT",
      "CREATE TABLE sequencer (id INTEGER PRIMARY KEY CHECK (id = 1), " +
        "incarnation INTEGER NOT NULL, layout TEXT NOT NULL, first_node INTEGER NOT NULL, " +
        "node_count INTEGER NOT NULL, withdrawn INTEGER NOT NULL, shards INTEGER NOT NULL, " +
        "from_tick INTEGER NOT NULL, life TEXT NOT NULL, confirmed INTEGER NOT NULL, " +
        "until_tick INTEGER NOT NULL, write INTEGER NOT NULL) STRICT",
      "CREATE TABLE node (node INTEGER PRIMARY KEY, from_tick INTEGER NOT NULL, " +
        "until_tick INTEGER NOT NULL, until_sequence INTEGER NOT NULL, token TEXT, " +
        "issued INTEGER NOT NULL, issued_of_span INTEGER NOT NULL, write INTEGER NOT NULL) STRICT",
      "CREATE TABLE proof (id INTEGER PRIMARY KEY CHECK (id = 1), " +
        "written_ms INTEGER NOT NULL) STRICT",
    ],
  );
  const rows = async (/** @type {string} */ table) =>
    (await cluster.sql(`SELECT * FROM ${table}`)).map((row) => Object.values(row));
  assert.deepEqual(await rows("schema"), [[1, 1, 1]]);
  const config = [LAYOUT, 7, 100, 0, 1];
  assert.deepEqual(await rows("sequencer"), [[1, 1, ...config, 0, "active", 0, 0, 1]]);
  const nodes = await rows("node");
  const [token] = nodes.flatMap((row) => row.splice(4, 1));
  assert.deepEqual(nodes, [[8, NOW_TICK, NOW_TICK + LEASE_TICKS, 0, 0, 0, 2]]);
  assert.match(String(token), /^[0-9a-f]{32}$/);
});

describe("unreadable storage: no answer, until somebody has repaired it", () => {
  const cluster = clusterOf([[]], { frozen_ms: NOW_MS });
  const noNumber = " is missing, or is not a whole number below 2^53";
  const large = ": its layout has 2199023255552 ticks";
  for (const [index, [damage, text]] of /** @type {[string, string?][]} */ ([
    ["UPDATE node SET issued = 9007199254740993", "node 1"],
    ["UPDATE node SET until_tick = -1", "node 1"],
    ["UPDATE node SET node = -8", `lowest_node${noNumber}`],
    ["UPDATE node SET node = 9007199254740993", `lowest_node${noNumber}`],
    ["UPDATE sequencer SET until_tick = 9007199254740993", `until_tick${noNumber}`],
    ["UPDATE sequencer SET from_tick = -1", `from_tick${noNumber}`],
    ["UPDATE sequencer SET from_tick = 2199023255552"],
    ["UPDATE sequencer SET from_tick = 2199023255553", large],
    ["UPDATE sequencer SET until_tick = 2199023255552"],
    ["UPDATE sequencer SET until_tick = 2199023255553", large],
    ["UPDATE schema SET session = 9007199254740993", `session${noNumber}`],
    ["UPDATE schema SET version = 2", "the schema has version 2: this code reads at most 1"],
  ]).entries()) {
    test(damage, async () => {
      const object = `damaged-${index}/0`;
      const create = { layout: LAYOUT, first_node: 0, node_count: 16, shards: 1 };
      const token = "0123456789abcdef0123456789abcdef";
      const acquire = { token, incarnation: 1, now_ms: NOW_MS };
      for (const message of [{ create }, { acquire }]) {
        const body = JSON.stringify(message);
        const { status, text } = await cluster.direct(object, "POST", "", body);
        assert.equal(status, 200, text);
      }
      await cluster.sql(damage, object);
      const stored = () => cluster.sql("SELECT * FROM node", object);
      const rows = await stored();
      await cluster.evict(object);
      const found = await cluster.direct(object, "GET", "status");
      assert.equal(found.status, text ? 507 : 200, found.text);
      if (text) assert.match(found.text, /^the stored data cannot be read: /);
      assert.ok(found.text.endsWith(text ?? ""), found.text);
      assert.deepEqual(await stored(), rows, "the rows have changed");
    });
  }
});

describe("the health of a shard", () => {
  const token = "admin-token-of-tests";
  const cluster = clusterOf([["a"], { EDGEFLAKE_ADMIN_TOKEN: token }], { frozen_ms: NOW_MS });
  const get = (/** @type {string} */ path) => cluster.send("a", "GET", path, { token });
  before(() => cluster.ids("a", 1));

  /** Reads the warnings and the metrics. An isolate caches the metrics for 10 s. */
  async function look() {
    const { body } = await get("/v1/sequencers/default");
    return { warnings: body.warnings, numbers: await scrape() };
  }

  async function scrape() {
    const found = [...(await get("/metrics")).text.matchAll(/^edgeflake_(\w+)\{(.*)\} (\d+)$/gm)];
    const numbers = found.filter(([, name]) => /shards|refusals|write/.test(name));
    return numbers.map(([, name, , number]) => `${name} ${number}`);
  }

  const written = `last_write_timestamp_seconds ${NOW_MS / 1000}`;
  const none = ["shards_unreachable 0", "shards_unreadable 0", "shards_unwritable 0"];

  test("a written lease proves health, and otherwise one row per minute does", async () => {
    const expected = [written, "refusals_total 0", "shards_rollbacks_total 0", ...none];
    assert.deepEqual(await look(), { warnings: [], numbers: expected });
    assert.deepEqual(await cluster.sql("SELECT * FROM proof"), []);
    await cluster.turnAll({ frozen_ms: NOW_MS + 60_000 });
    const { numbers } = await look();
    assert.equal(numbers[0], `last_write_timestamp_seconds ${NOW_MS / 1000 + 60}`);
    const proof = { id: 1, written_ms: NOW_MS + 60_000 };
    assert.deepEqual(await cluster.sql("SELECT * FROM proof"), [proof]);
    await cluster.turnAll({ frozen_ms: NOW_MS + 119_999 });
    assert.deepEqual((await look()).numbers, numbers);
  });

  test("a shard that cannot write still reports what it can read", async () => {
    await cluster.sql(
      "CREATE TRIGGER full BEFORE INSERT ON proof BEGIN SELECT RAISE(FAIL, 'full'); END",
    );
    await cluster.turnAll({ frozen_ms: NOW_MS + 130_000 });
    const { warnings, numbers } = await look();
    assert.deepEqual(warnings, ["shards that cannot write, as their logs say: 0"]);
    const counted = ["refusals_total 2", "shards_rollbacks_total 0"];
    assert.deepEqual(numbers.slice(1), [...counted, ...none.slice(0, 2), "shards_unwritable 1"]);
    await cluster.sql("DROP TRIGGER full");
    await cluster.turnAll({ frozen_ms: NOW_MS + 140_000 });
    assert.deepEqual((await look()).numbers.slice(3), none);
  });

  const unreachable = ["shards_unreachable 1", "shards_unreadable 0", "shards_unwritable 0"];

  test("a shard that cannot store a session, or whose witness is silent", async () => {
    const full =
      "CREATE TRIGGER full BEFORE UPDATE ON schema BEGIN SELECT RAISE(FAIL, 'full'); END";
    await cluster.sql(full);
    await cluster.evict();
    await cluster.turnAll({ frozen_ms: NOW_MS + 151_000 });
    const { numbers } = await look();
    assert.match(numbers.join(), /refusals_total [1-9]/);
    assert.deepEqual(numbers.slice(-3), [...none.slice(0, 2), "shards_unwritable 1"]);
    await cluster.sql("DROP TRIGGER full");

    await cluster.turnAll({ frozen_ms: NOW_MS + 162_000 });
    await cluster.evict();
    await cluster.turn("authority", { dead_witness: 1 });
    assert.deepEqual(await scrape(), unreachable);
    await cluster.turn("authority", { dead_witness: 0 });
  });

  test("a shard that answers too late is not reported as one that cannot write", async () => {
    await cluster.turnAll({ frozen_ms: NOW_MS + 173_000 });
    const described = async () => (await cluster.calls()).counts["default/0 describe"];
    const before = await described();
    await cluster.turn("authority", { silent_shard: 0 });
    const late = scrape();
    while ((await described()) === before);
    // From now on, the object answers at once.
    await cluster.turn("authority", { silent_shard: -1 });
    assert.deepEqual((await late).slice(-3), unreachable);
  });

  test("a shard that cannot read is not reported as a silent one", async () => {
    await cluster.turnAll({ frozen_ms: NOW_MS + 184_000 });
    await cluster.sql("UPDATE schema SET version = 2");
    await cluster.evict();
    const { status, headers, body } = await get("/v1/sequencers/default");
    assert.deepEqual([status, headers.get("Retry-After")], [503, null]);
    assert.equal(body.type, "/problems/authority-unreadable");
    const [reachable, , writable] = none;
    assert.deepEqual((await look()).numbers, [reachable, "shards_unreadable 1", writable]);
  });
});

test("a sequencer that cannot be created now is not reported as a shard in trouble", async () => {
  await using cluster = await startCluster(["a"]);
  // The time is before the layout's epoch.
  await cluster.turnAll({ frozen_ms: 1_500_000_000_000 });
  const { text } = await cluster.send("a", "GET", "/metrics");
  assert.match(text, /^edgeflake_refusals_total\{.*shard="0",code="before-epoch"\} 1$/m);
  const troubles = [...text.matchAll(/^edgeflake_shards_(un\w+)\{.*\} (\d)$/gm)];
  const found = troubles.map(([, name, count]) => `${name} ${count}`);
  assert.deepEqual(found, ["unreachable 0", "unreadable 0", "unwritable 0"]);
});
