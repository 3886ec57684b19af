// Tests over HTTP how sequencers are created, destroyed and created again, and how they use node
// ranges and shards. tests/core/lease/registry.rs tests the registry's decisions.

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { CF_HEADER } from "../../tools/serve/workerd.js";
import { named, startCluster } from "./harness/cluster.js";
import { countRepeated, nodesOf, together } from "./harness/ids.js";

const NOW_MS = 1_790_000_000_000;
const NOW_TICK = NOW_MS - 1_514_764_800_000;
const TOKEN = "admin-token-of-tests";
const LAYOUT = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
afterEach(() => cluster.close());

const vars = { EDGEFLAKE_ADMIN_TOKEN: TOKEN };
const FOUR_SHARDS = { ...vars, EDGEFLAKE_NODE_COUNT: "64", EDGEFLAKE_SHARDS: "4" };

/** @param {string} method @param {string} name @param {unknown} [body] */
async function sequencer(method, name, body) {
  const options = { token: TOKEN, body };
  const path = `/v1/sequencers/${name}`;
  const answer = await cluster.send(cluster.isolates[0], method, path, options);
  return { status: answer.status, body: answer.body, said: answer.said };
}

/**
 * @param {string} isolate @param {string} method @param {string} path @param {unknown} [body]
 * @param {object} [cf] the place from which the request comes
 * @returns the body of a successful answer
 */
async function read(isolate, method, path, body, cf) {
  const headers = cf && { [CF_HEADER]: JSON.stringify(cf) };
  const answer = await cluster.send(isolate, method, path, { token: TOKEN, body, headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

describe("a configuration is bound to a name", () => {
  test("S15 S18 S19 S26 another one is a conflict that names the difference", async () => {
    cluster = await startCluster(["a"], vars);
    const other = 'the sequencer "orders" is bound to another configuration: its ';
    for (const [more, start] of /** @type {const} */ ([
      [{}, "201 "],
      [{}, "200 "],
      [
        { layout: "twitter" },
        `409 sequencer-already-registered: ${other}layout is ${LAYOUT}, not `,
      ],
      [{ first_node: 7 }, `409 sequencer-already-registered: ${other}first_node is 0, not 7`],
      [{ node_count: 17 }, `409 sequencer-already-registered: ${other}node_count is 16, not 17`],
      [{ shards: 2 }, `409 sequencer-already-registered: ${other}shards is 1, not 2`],
    ])) {
      const wanted = { layout: LAYOUT, node_count: 16, ...more };
      const { said } = await sequencer("PUT", "orders", wanted);
      assert.equal(said.slice(0, start.length), start);
    }
    assert.deepEqual(nodesOf(await cluster.ids("a", 1, "orders")), [1]);
  });

  test("H23 a second cluster gets nodes that were never granted, while the first one grants", async () => {
    cluster = await startCluster(["a", "b"], vars);
    const wanted = { layout: LAYOUT, node_count: 64, shards: 2 };
    assert.equal((await sequencer("PUT", "orders", wanted)).status, 201);
    const [of] = nodesOf(await cluster.ids("a", 1, "orders"));
    const shrink = (/** @type {unknown} */ body) => sequencer("PATCH", "orders", body);

    const few = (await shrink({ node_count: 32 })).said;
    assert.match(few, /^409 nodes-in-use: .*: keep at least (33|34)$/);
    const most =
      "node_count is 65, but the sequencer has 64 nodes and cannot grow: give at most 64";
    assert.equal((await shrink({ node_count: 65 })).said, `422 invalid-body: ${most}`);

    const { status, body } = await shrink({ node_count: 40 });
    assert.deepEqual([status, body.node_count, body.shards], [200, 40, 2], body.detail);
    assert.deepEqual((await shrink({ node_count: 40 })).body, body);
    const { nodes } = (await sequencer("GET", "orders")).body;
    assert.deepEqual(nodes, { total: 38, held: 1, free: 37, used: 1 });
    assert.equal((await sequencer("PUT", "orders", wanted)).status, 409);
    // Another sequencer gets the nodes that `orders` gave up. `orders` continues with its remaining
    // nodes.
    const other = { layout: LAYOUT, first_node: 40, node_count: 24 };
    assert.equal((await sequencer("PUT", "orders-b", other)).status, 201);
    assert.deepEqual(nodesOf(await cluster.ids("a", 9, "orders")), [of]);
    assert.deepEqual(nodesOf(await cluster.ids("b", 9, "orders-b")), [41]);
    assert.equal((await sequencer("PATCH", "nobody", { node_count: 1 })).status, 404);
    for (const node of nodesOf(await cluster.ids("b", 9, "orders"))) assert.ok(Number(node) < 40);
  });

  test("H15 H27 H30 each setting per generator name", async () => {
    cluster = await startCluster(["a", "orders", "invoices"], {
      EDGEFLAKE_ADMIN_TOKEN: TOKEN,
      EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "15000, orders=0",
      EDGEFLAKE_PREFETCH_COUNT: "orders=7",
      EDGEFLAKE_STATISTICS_ENABLED: "orders=false",
    });
    for (const [name, future, count, hasIssued] of /** @type {const} */ ([
      ["orders", 0, 7, false],
      ["invoices", 15_000, 100, true],
    ])) {
      assert.equal((await sequencer("PUT", name, { layout: LAYOUT })).status, 201);
      const { granted } = await read("a", "POST", `/v1/sequencers/${name}/leases`, {
        token: "0123456789abcdef0123456789abcdef",
        now_ms: Date.now(),
      });
      assert.equal(granted.allowed_future_ms, future);
      assert.equal(granted.terms.prefetch_count, count);
      assert.equal("issued" in (await sequencer("GET", name)).body, hasIssued);
      // An isolate caches this page for 10 s.
      const { text } = await cluster.send(name, "GET", "/metrics", { token: TOKEN });
      assert.equal(text.includes(`issued_total{sequencer="${name}"`), hasIssued, text);
    }
  });

  test("changed variables: ids keep the bound configuration, and the status warns", async () => {
    const bound = { ...vars, EDGEFLAKE_NODE_COUNT: "16" };
    cluster = await startCluster(["a"], bound);
    const all = [await cluster.ids("a", 1_000)];
    assert.deepEqual((await sequencer("GET", "default")).body.warnings, []);
    await cluster.kill();
    await cluster.start({ ...bound, EDGEFLAKE_LAYOUT: "twitter" });
    all.push(await cluster.ids("a", 1_000));
    assert.equal(countRepeated(together(all)), 0);
    assert.deepEqual(all.map(nodesOf), [[1], [2]], "the ids do not have the bound layout");
    const { body } = await sequencer("GET", "default");
    assert.deepEqual([body.layout, body.warnings.length], [LAYOUT, 1]);
    const kept = "the sequencer keeps its configuration although the variables differ: layout is ";
    assert.equal(body.warnings[0].slice(0, kept.length), kept);
  });
});

test("a layout that cannot issue now is refused, and binds no name", async () => {
  cluster = await startCluster(["a"], vars);
  await cluster.turnAll({ frozen_ms: NOW_MS });
  const now = `${new Date(NOW_MS).toISOString()}, so set the clock or choose another layout`;
  const early = `the layout begins at 2030-01-01T00:00:00.000Z: the authority's clock is at ${now}`;
  const old = "the layout ended at ";
  for (const [layout, start] of [
    ["worker-queue", `422 layout-ended: ${old}2026-09-06T10:58:26.944Z: `],
    ["timestamp:1 node:10 sequence:12 @2018-01-01", `422 layout-ended: ${old}2018-`],
    ["timestamp:41 node:10 @2030-01-01", `422 before-epoch: ${early}`],
  ]) {
    const { said } = await sequencer("PUT", "orders", { layout });
    assert.equal(said.slice(0, start.length), start);
    assert.equal((await sequencer("GET", "orders")).status, 404);
  }
  // A layout whose ids could be equal to old ones is accepted with a warning.
  const layout = "worker-queue epoch=2026-01-01 overlaps-old-ids";
  const { status, body } = await sequencer("PUT", "orders", { layout });
  assert.deepEqual([status, body.warnings.length], [201, 1]);
  assert.match(body.warnings[0], /^ids may be equal to those that worker-queue issued from /);
  assert.deepEqual((await sequencer("GET", "orders")).body.warnings, body.warnings);
});

describe("many nodes", () => {
  test("65,536 nodes", async () => {
    const NODES = 65_536;
    cluster = await startCluster(["a", "b"], vars);
    await cluster.turnAll({ frozen_ms: NOW_MS });
    await cluster.ids("a", 1);
    // All nodes except the last one are held: node 1 by isolate a, and the others for an hour.
    await cluster.sql(
      "WITH RECURSIVE n(node) AS (SELECT 2 UNION ALL SELECT node + 1 FROM n " +
        `WHERE node < ${NODES - 2}) INSERT INTO node SELECT node, 0, ` +
        `${NOW_TICK + 3_600_000}, 0, printf('%032x', node), 0, 0, 0 FROM n`,
    );
    await cluster.evict();
    assert.deepEqual(nodesOf(await cluster.ids("b", 1)), [NODES - 1]);
    const page = (/** @type {string} */ query) =>
      cluster.send("a", "GET", `/v1/sequencers/default/nodes${query}`);
    const first = (await page("")).body;
    // The node that is kept for batches was never used.
    assert.deepEqual([first.shards[0].node.length, first.next], [999, 1_000]);
    /** @type {number[][]} */
    const columns = [[], [], []];
    for (let cursor = 0; cursor !== undefined; ) {
      const { shards, next } = (await page(`?cursor=${cursor}&limit=10000`)).body;
      const [{ node, until, held, last }] = shards;
      assert.equal(last, next === undefined);
      for (const [index, column] of [node, until, held].entries()) columns[index].push(...column);
      cursor = next;
    }
    const [node, until, held] = columns;
    assert.equal(node.length, NODES - 1);
    assert.deepEqual([node[0], node[NODES - 2]], [1, NODES - 1]);
    assert.deepEqual([until[0], until[1]], [300_000, 3_600_000]);
    assert.ok(held.every((/** @type {number} */ flag) => flag === 1));
  });

  test("the nearest shard answers, and another one if that is silent", async () => {
    cluster = await startCluster(named(3), FOUR_SHARDS);
    await cluster.turnAll({ frozen_ms: NOW_MS });
    const inSydney = { continent: "OC", longitude: "151.2" };
    /** @param {string} isolate @param {object} cf the place from which its requests come */
    const located = async (isolate, cf) => {
      const { ids } = await read(isolate, "POST", "/v1/ids?count=1", undefined, cf);
      return nodesOf(ids.map(BigInt))[0];
    };
    const [paris, saoPaulo, sydney] = cluster.isolates;
    // Paris gets a node of the third shard.
    assert.equal(await located(paris, { continent: "EU", longitude: "2.4" }), 33);
    assert.equal(await located(saoPaulo, { continent: "SA", longitude: "-46.6" }), 17);
    assert.equal(await located(sydney, inSydney), 49);
    // One call came before the shard knew its sequencer, and one after that.
    assert.equal((await cluster.calls()).counts["default/3 acquire"], 2);

    await cluster.turn("authority", { silent_shard: 3 });
    await cluster.turnAll({ step_ms: 7_200_000 });
    assert.equal(await located(sydney, inSydney), 1, "the node is not of the first shard");
    // A holder tells the Worker that this is its second try.
    const body = { token: "7".repeat(32), now_ms: NOW_MS + 7_200_000, tries: 1 };
    const { granted } = await read(sydney, "POST", "/v1/sequencers/default/leases", body, inSydney);
    assert.equal(granted.shard, 0);
  });

  test("H29 shards that do not answer are named, and the rest of the status is shown", async () => {
    cluster = await startCluster(["a", "scraper"], FOUR_SHARDS);
    await cluster.turnAll({ frozen_ms: NOW_MS });
    assert.equal((await sequencer("PUT", "orders", { node_count: 16, shards: 1 })).status, 201);
    const look = async () => {
      // An isolate caches this page for 10 s.
      await cluster.turn("scraper", { step_ms: 10_000 });
      const [status, nodes, { text: metrics }] = await Promise.all([
        sequencer("GET", "default"),
        sequencer("GET", "default/nodes"),
        cluster.send("scraper", "GET", "/metrics", { token: TOKEN }),
      ]);
      const names = new Set(metrics.match(/^edgeflake_[a-z_]+(?=\{sequencer="default")/gm));
      const counts = metrics.matchAll(/^edgeflake_shards_unreachable\{.*\} (\d)$/gm);
      return { status, nodes, names, unreachable: Array.from(counts, ([, count]) => count).join() };
    };

    const well = await look();
    assert.equal(well.status.body.nodes.total, 64 - 4);
    assert.equal(well.nodes.body.shards.length, 4);
    assert.deepEqual([well.names.size, well.unreachable], [10, "0,0"]);

    await cluster.turn("authority", { silent_shard: 3 });
    const partly = await look();
    assert.equal(partly.status.status, 200);
    const { nodes, issued, warnings } = partly.status.body;
    assert.deepEqual([nodes, issued], [undefined, undefined]);
    const warning = "shards that do not answer, so that nodes and ids are not counted: 3";
    assert.deepEqual(warnings, [warning]);
    assert.equal(partly.nodes.status, 503);
    assert.equal(partly.nodes.body.type, "/problems/authority-unreachable");
    const counts = ["edgeflake_ids_issued_total", "edgeflake_nodes"];
    assert.deepEqual(well.names.difference(partly.names), new Set(counts));
    assert.equal(partly.unreachable, "0,1");

    // Shard 0 of each sequencer is its registry.
    await cluster.turn("authority", { silent_shard: 0 });
    const silent = await look();
    assert.equal(silent.status.status, 503);
    assert.equal(silent.nodes.status, 503);
    assert.deepEqual([silent.names.size, silent.unreachable], [3, "1,1"]);

    await cluster.turn("authority", { silent_shard: -1 });
    assert.deepEqual(await look(), well);
  });
});

test("G13 Q6 each id has the tag", async () => {
  cluster = await startCluster(["a"], vars);
  const layout = "unused:1 timestamp:41 node:10 tag:4 sequence:8 @2020-01-01";
  assert.equal((await sequencer("PUT", "things", { layout })).status, 201);
  const ask = (/** @type {string} */ query) =>
    cluster.send("a", "POST", `/v1/sequencers/things/ids?${query}`);
  const all = [];
  for (const [query, tag] of /** @type {const} */ ([
    ["count=3", 0n],
    ["count=1500&tag=7", 7n],
    ["tag=15", 15n],
  ])) {
    for (const id of (await ask(query)).body.ids.map(BigInt)) {
      assert.equal((id >> 8n) & 15n, tag, query);
      all.push(id & ~(15n << 8n));
    }
  }
  assert.equal(new Set(all).size, 1_504);
  const refused = "422 too-large: tag 16 is too large: at most 15 is allowed";
  assert.equal((await ask("tag=16")).said, refused);
});
