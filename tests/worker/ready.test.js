// Readiness: whether a lease of `default` can be granted now.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { startCluster } from "./harness/cluster.js";

const NOW_MS = 1_790_000_000_000;
const TOKEN = "0123456789abcdef";

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
afterEach(() => cluster.close());

/** @param {Record<string, string>} vars */
async function start(vars) {
  cluster = await startCluster(["a", "b"], { EDGEFLAKE_ADMIN_TOKEN: TOKEN, ...vars });
  await cluster.turnAll({ frozen_ms: NOW_MS });
}

async function ready() {
  const { status, headers, body } = await cluster.send("a", "GET", "/readyz");
  return status === 200 ? body.status : [status, body.type, headers.get("retry-after")];
}

test("a Worker is ready before its first id, and nothing is bound by the question", async () => {
  await start({});
  assert.equal(await ready(), "ok");
  assert.deepEqual(await cluster.sql("SELECT * FROM sequencer"), []);
});

test("one shard of two is enough, and the other is not waited for", async () => {
  await start({ EDGEFLAKE_SHARDS: "2" });
  await cluster.ids("a", 1);
  await cluster.turnAuthority({ silent_shard: 0 });
  // The list of nodes waits for all shards.
  const nodes = cluster.send("b", "GET", "/v1/sequencers/default/nodes", { token: TOKEN });
  const first = await Promise.race([ready(), nodes.catch(() => "the list of nodes")]);
  assert.equal(first, "ok");
});

test("without a free node it is not ready", async () => {
  await start({ EDGEFLAKE_NODE_COUNT: "2" });
  assert.equal(await ready(), "ok");
  await cluster.ids("a", 1);
  assert.deepEqual(await ready(), [503, "/problems/no-node-free", "10"]);
});

test("a destroyed sequencer is not ready", async () => {
  await start({});
  await cluster.ids("b", 1);
  await cluster.send("b", "DELETE", "/v1/sequencers/default", { token: TOKEN });
  assert.deepEqual(await ready(), [410, "/problems/sequencer-destroyed", null]);
});

test("a layout that has ended is not ready", async () => {
  await start({ EDGEFLAKE_LAYOUT: "timestamp:1 node:10 sequence:12 @2018-01-01" });
  assert.deepEqual(await ready(), [503, "/problems/layout-ended", null]);
});

test("a probe writes at most one row a minute", async () => {
  await start({});
  const proofs = async () => (await cluster.sql("SELECT written_ms FROM proof"))[0].written_ms;
  for (const [seconds, expected] of [
    [0, 0],
    [59, 0],
    [60, 60],
    [119, 60],
  ]) {
    await cluster.turnAll({ frozen_ms: NOW_MS + seconds * 1_000 });
    assert.equal(await ready(), "ok");
    assert.equal(await proofs(), NOW_MS + expected * 1_000, `after ${seconds} s`);
  }
});
