// What one request may cost: calls of objects, counted, and units of the rate limit.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { json, startIsolates } from "./harness/isolates.js";

const TOKEN = "admin-token-of-tests";
const headers = { Authorization: `Bearer ${TOKEN}` };

describe("objects that are called", () => {
  /** @type {import("./harness/cluster.js").Cluster} */
  let cluster;
  before(async () => {
    cluster = await startCluster(["a", "b"], { EDGEFLAKE_ADMIN_TOKEN: TOKEN });
    await cluster.turnAll({ frozen_ms: 1_800_000_000_000 });
  });
  after(() => cluster.close());

  /** The calls of authorities, and those of the directory. */
  async function calls() {
    const { calls, directory } = await cluster.calls();
    return { calls, directory };
  }

  /** @param {() => Promise<unknown>} body @returns how many calls it made */
  async function during(body) {
    const before = await calls();
    await body();
    const after = await calls();
    return { calls: after.calls - before.calls, directory: after.directory - before.directory };
  }

  /** @param {string} isolate @param {string} path @param {string} [method] @param {object} [body] */
  const ask = (isolate, path, method = "GET", body = undefined) =>
    cluster.fetch(isolate, path, { method, headers, body: body && JSON.stringify(body) });

  test("health issues nothing, creates nothing, and asks only without a lease", async () => {
    const health = async () => assert.equal((await ask("a", "/healthz")).status, 200);
    assert.deepEqual(await during(health), { calls: 1, directory: 0 });
    assert.deepEqual(await cluster.sql("SELECT * FROM sequencer"), []);
    assert.deepEqual(await cluster.sql("SELECT * FROM node"), []);
    await cluster.ids("a", 1);
    assert.deepEqual(await during(health), { calls: 0, directory: 0 });
    await cluster.turn("a", { step_ms: 86_400_000 });
    assert.deepEqual(await during(health), { calls: 1, directory: 0 }, "its lease is over");
    await cluster.turn("a", { step_ms: -86_400_000 });
  });

  test("a flood of unknown names asks the directory 17 times in 5 s", async () => {
    const flood = async () => {
      const names = Array.from({ length: 2_000 }, (_, number) => `flood-${number}`);
      while (names.length > 0) {
        const some = names
          .splice(0, 100)
          .map((name) => ask("b", `/v1/sequencers/${name}/ids`, "POST"));
        for (const { status } of await Promise.all(some)) assert.equal(status, 404);
      }
    };
    assert.deepEqual(await during(flood), { calls: 0, directory: 17 });
    assert.deepEqual(await during(flood), { calls: 0, directory: 0 });

    // One that is created elsewhere is usable here when the 5 s are over; one that is there, at once.
    assert.equal((await ask("a", "/v1/sequencers/flood-7", "PUT", {})).status, 201);
    assert.equal((await ask("b", "/v1/sequencers/flood-7/ids", "POST")).status, 404);
    await cluster.turn("b", { step_ms: 5_000 });
    await flood().catch(() => {});
    assert.equal((await ask("b", "/v1/sequencers/flood-7/ids", "POST")).status, 200);
    assert.equal((await ask("a", "/v1/sequencers/flood-7/ids", "POST")).status, 200);
  });

  test("metrics take 500 calls at most, and are kept for 10 s", async () => {
    for (const number of Array(8).keys()) {
      const wanted = { node_count: 64, shards: 64 };
      const created = await ask("a", `/v1/sequencers/wide-${number}`, "PUT", wanted);
      assert.equal(created.status, 201);
      // Its shards start here: 448 at once, with their witnesses, take longer than a scrape waits.
      assert.equal((await ask("a", `/v1/sequencers/wide-${number}`)).status, 200);
    }
    /** @type {string[]} */
    const pages = [];
    const scrape = async (/** @type {string} */ query) => {
      const response = await ask("b", `/metrics${query}`);
      assert.equal(response.status, 200);
      pages.push(await response.text());
    };
    // default and flood-7 have 1 shard each, so 7 of 64 fit beside them.
    const first = await during(() => scrape(""));
    assert.deepEqual(first, { calls: 2 + 7 * 65, directory: 1 });
    assert.match(pages[0], /^edgeflake_metrics_pages 2$/m);
    assert.deepEqual(await during(() => scrape("?page=1")), { calls: 0, directory: 0 });
    assert.deepEqual(await during(() => scrape("?page=2")), { calls: 67, directory: 1 });
    const names = new Set(pages.join("").match(/sequencer="[a-z0-9-]+"/g));
    assert.equal(names.size, 10);
    await cluster.turn("b", { step_ms: 10_000 });
    assert.equal((await during(() => scrape(""))).calls, first.calls);
    const { status } = await ask("b", "/metrics?page=3");
    assert.equal(status, 400);
  });

  test("a DELETE of 64 shards is 127 calls", async () => {
    const end = async () =>
      assert.equal((await ask("a", "/v1/sequencers/wide-0", "DELETE")).status, 200);
    assert.equal((await during(end)).calls, 127);
  });
});

describe("the rate limit", () => {
  /** @type {Awaited<ReturnType<typeof startIsolates>>} */
  let isolates;
  before(async () => {
    isolates = await startIsolates({ EDGEFLAKE_ADMIN_TOKEN: TOKEN }, 30);
  });
  after(() => isolates.close());

  /** @param {string} address @param {string} method @param {string} path @param {string} [token] @param {string} [body] */
  const ask = (address, method, path, token = TOKEN, body) =>
    isolates.fetch(
      "a",
      path,
      method,
      { Authorization: `Bearer ${token}`, "CF-Connecting-IP": address },
      body,
    );

  /**
   * Runs it again if a period of the limit ended meanwhile, as all do at once.
   *
   * @param {() => Promise<void>} body
   */
  async function withinPeriod(body) {
    const period = () => Math.floor(Date.now() / 10_000);
    let began = 0;
    do {
      began = period();
      await body();
    } while (period() !== began);
  }

  let clients = 0;
  for (const [method, path, times, body] of /** @type {[string, string, number, string?][]} */ ([
    ["POST", "/v1/ids", 30],
    ["POST", "/v1/ids?count=1000", 30],
    ["POST", "/v1/ids?count=1001", 15],
    ["POST", "/v1/ids?count=10000", 3],
    ["POST", "/v1/ids?count=30001", 0],
    ["POST", "/v1/sequencers/default/batches", 3, JSON.stringify({ count: 10_000 })],
    ["POST", "/v1/sequencers/default/leases", 30],
    ["GET", "/v1/sequencers/default", 6],
    ["GET", "/v1/sequencers/default/nodes", 3],
    ["GET", "/metrics", 1],
    ["DELETE", "/v1/sequencers/nothing", 3],
    ["PUT", "/v1/sequencers/default?a", 6],
    ["GET", "/healthz", 30],
  ])) {
    test(`${method} ${path} is answered ${times} times of 30 units`, async () => {
      let answered = 0;
      await withinPeriod(async () => {
        const address = `192.0.2.${++clients}`;
        answered = 0;
        for (;;) {
          const response = await ask(address, method, path, undefined, body);
          if (response.status === 429) break;
          answered += 1;
        }
      });
      assert.equal(answered, times);
      const other = await ask("192.0.2.250", "GET", "/v1/decode/1");
      assert.equal(other.status, 200, "what calls no object is not limited");
    });
  }

  test("the limit is for each client, and says when to come again", async () => {
    /** @type {Awaited<ReturnType<typeof ask>> | undefined} */
    let refused;
    await withinPeriod(async () => {
      const address = `203.0.113.${++clients}`;
      for (let i = 0; i < 3; i++) await ask(address, "POST", "/v1/ids?count=10000");
      refused = await ask(address, "POST", "/v1/ids");
    });
    assert.ok(refused);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "10");
    assert.equal((await json(refused)).type, "/problems/too-many-requests");
    assert.equal((await ask("203.0.113.250", "POST", "/v1/ids")).status, 200, "another client");
  });

  test("an address of which 30 tokens were refused has no more of them compared", async () => {
    let [guesses, address] = [0, ""];
    /** @type {Awaited<ReturnType<typeof ask>> | undefined} */
    let right;
    await withinPeriod(async () => {
      address = `198.51.100.${++clients}`;
      for (guesses = 0; guesses < 100; guesses++) {
        const response = await ask(address, "DELETE", "/v1/sequencers/x", "guess");
        if (response.status === 429) break;
        assert.equal(response.status, 401);
      }
      right = await ask(address, "DELETE", "/v1/sequencers/x");
    });
    assert.equal(guesses, 30);
    assert.ok(right);
    assert.equal(right.status, 429);
    assert.equal((await json(right)).type, "/problems/too-many-requests");
    assert.equal((await ask("192.0.2.102", "DELETE", "/v1/sequencers/x")).status, 404);
    assert.equal((await ask(address, "POST", "/v1/ids")).status, 200, "ids need no token");
  });
});
