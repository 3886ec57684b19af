// Tests the routes for holders outside of the Worker, which lease over HTTP, and the route /readyz,
// which says whether a lease can be granted now.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";

const NOW_MS = 1_790_000_000_000;
const NOW_TICK = NOW_MS - 1_514_764_800_000;

const vars = {
  EDGEFLAKE_ISSUE_TOKEN: "issue-token-of-tests",
  EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
  EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
};

const admin = vars.EDGEFLAKE_ADMIN_TOKEN;

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;

/** @param {number} number @returns a token that no other number has */
const token = (number) => `${number}`.padStart(32, "0");

/** @param {string} operation @param {object} body */
async function post(operation, body) {
  const path = `/v1/sequencers/default/${operation}`;
  const answer = await cluster.send("a", "POST", path, { token: vars.EDGEFLAKE_LEASE_TOKEN, body });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  return answer;
}

/** @param {number} number @param {object} [more] */
const acquire = (number, more) => post("leases", { token: token(number), now_ms: NOW_MS, ...more });

describe("leases over HTTP", () => {
  beforeEach(async () => {
    cluster = await startCluster(["a"], vars);
    await cluster.turnAll({ frozen_ms: NOW_MS });
  });
  afterEach(() => cluster.close());

  test("a refusal has a code for programs", async () => {
    const { said, body } = await acquire(1, { now_ms: NOW_MS - 10_001 });
    assert.match(said, /^409 clock-disagreement: /);
    assert.deepEqual(body.refused, {
      refusal: "clock-disagreement",
      incarnation: 1,
      authority_ms: NOW_MS,
      holder_ms: NOW_MS - 10_001,
      max_ms: 10_000,
    });
    assert.equal((await acquire(1, { now_ms: NOW_MS - 10_000 })).status, 200);
  });

  test("an unknown shard", async () => {
    assert.equal((await acquire(1)).status, 200);
    const lease = { token: token(1), now_ms: NOW_MS, incarnation: 1, node: 1, shard: 1 };
    const { said } = await post("leases/renew", { ...lease, tick: NOW_TICK });
    const allowed = "give the shard that the grant named, at most 0";
    assert.equal(said, `422 invalid-body: in the body, shard is 1: ${allowed}`);
    // Only the registry was called.
    assert.deepEqual((await cluster.calls()).started, { "default/0": 1 });
  });

  test("an authority that takes too long, or that the platform calls overloaded", async () => {
    await cluster.turnAll({ overloaded: 1 });
    const { said, body } = await acquire(1);
    await cluster.turnAll({ overloaded: 0 });
    assert.match(said, /^503 overloaded: /);
    assert.deepEqual(body.refused, { refusal: "overloaded", incarnation: 0, retry_in_ms: 2_000 });

    await cluster.turn("authority", { delay_ms: 60_000 });
    assert.match((await acquire(1)).said, /^503 authority-unreachable: /);
  });
});

describe("readiness", () => {
  afterEach(() => cluster.close());

  /** @param {Record<string, string>} more */
  async function start(more) {
    cluster = await startCluster(["a", "b"], { EDGEFLAKE_ADMIN_TOKEN: admin, ...more });
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
    await cluster.turn("authority", { silent_shard: 0 });
    // The list of nodes is complete only when all shards have answered.
    const nodes = cluster.send("b", "GET", "/v1/sequencers/default/nodes", { token: admin });
    const first = await Promise.race([ready(), nodes.catch(() => "the list of nodes")]);
    assert.equal(first, "ok");
  });

  const destroy = () => cluster.send("b", "DELETE", "/v1/sequencers/default", { token: admin });
  const ended = { EDGEFLAKE_LAYOUT: "timestamp:1 node:10 sequence:12 @2018-01-01" };
  const held = () => cluster.ids("a", 1);
  const gone = () => cluster.ids("b", 1).then(destroy);
  for (const [what, more, before, ...expected] of /** @type {const} */ ([
    ["without a free node", { EDGEFLAKE_NODE_COUNT: "2" }, held, 503, "no-node-free", "10"],
    ["whose sequencer is destroyed", {}, gone, 410, "sequencer-destroyed", null],
    ["whose layout has ended", ended, () => {}, 503, "layout-ended", null],
  ])) {
    test(`a Worker ${what} is not ready`, async () => {
      await start(more);
      await before();
      const [status, code, retryAfter] = expected;
      assert.deepEqual(await ready(), [status, `/problems/${code}`, retryAfter]);
    });
  }
});
