// Checks how many calls to objects a request causes, how much of the rate limit it uses up, and
// that requests are refused once the rate limit is used up.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { clusterOf } from "./harness/cluster.js";

const TOKEN = "admin-token-of-tests";

const vars = { EDGEFLAKE_ADMIN_TOKEN: TOKEN };
const cluster = clusterOf([["a", "b"], vars], { frozen_ms: 1_800_000_000_000 });

describe("objects that are called", () => {
  /** @param {() => Promise<unknown>} body @returns its calls to authorities and the directory */
  async function during(body) {
    const before = await cluster.calls();
    await body();
    const after = await cluster.calls();
    return { calls: after.calls - before.calls, directory: after.directory - before.directory };
  }

  /** @param {string} isolate @param {string} path @param {string} [method] @param {object} [body] */
  const ask = (isolate, path, method = "GET", body) =>
    cluster.send(isolate, method, path, { token: TOKEN, body });

  test("health issues nothing, creates nothing, and asks only without a lease", async () => {
    const health = async () => assert.equal((await ask("a", "/healthz")).status, 200);
    assert.deepEqual(await during(health), { calls: 1, directory: 0 });
    assert.deepEqual(await cluster.sql("SELECT * FROM sequencer"), []);
    assert.deepEqual(await cluster.sql("SELECT * FROM node"), []);
    await cluster.ids("a", 1);
    assert.deepEqual(await during(health), { calls: 0, directory: 0 });
    await cluster.turn("a", { step_ms: 86_400_000 });
    assert.deepEqual(await during(health), { calls: 1, directory: 0 });
    await cluster.turn("a", { step_ms: -86_400_000 });
  });

  test("a flood of unknown names asks the directory 17 times in 5 s", async () => {
    const flood = async () => {
      for (let number = 0; number < 2_000; number += 100) {
        const paths = Array.from({ length: 100 }, (_, i) => `flood-${number + i}/ids`);
        const asked = paths.map((path) => ask("b", `/v1/sequencers/${path}`, "POST"));
        for (const { status } of await Promise.all(asked)) assert.equal(status, 404);
      }
    };
    assert.deepEqual(await during(flood), { calls: 0, directory: 17 });
    assert.deepEqual(await during(flood), { calls: 0, directory: 0 });

    // An isolate remembers for 5 s that a sequencer does not exist, even if another isolate creates
    // it. An isolate that did not ask before can use the sequencer at once.
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
      // The shards are started here, because starting 448 shards and their witnesses takes longer
      // than a scrape waits.
      assert.equal((await ask("a", `/v1/sequencers/wide-${number}`)).status, 200);
    }
    /** @type {string[]} */
    const pages = [];
    const scrape = async (/** @type {string} */ query) => {
      const { status, text } = await ask("b", `/metrics${query}`);
      assert.equal(status, 200);
      pages.push(text);
    };
    // The sequencers default and flood-7 have one shard each. With them, 7 sequencers of 64 shards
    // fit into the limit.
    const first = await during(() => scrape(""));
    // On a busy machine, the isolates make other calls meanwhile, which count, too.
    const isFull = (/** @type {number} */ calls) => calls >= 2 + 7 * 65 && calls <= 500;
    assert.ok(isFull(first.calls), `${first.calls} calls`);
    assert.equal(first.directory, 1);
    assert.match(pages[0], /^edgeflake_metrics_pages 2$/m);
    assert.deepEqual(await during(() => scrape("?page=1")), { calls: 0, directory: 0 });
    assert.deepEqual(await during(() => scrape("?page=2")), { calls: 67, directory: 1 });
    const names = new Set(pages.join("").match(/sequencer="[a-z0-9-]+"/g));
    assert.equal(names.size, 10);
    await cluster.turn("b", { step_ms: 10_000 });
    assert.ok(isFull((await during(() => scrape(""))).calls));
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
  const LIMIT = 30;
  before(() => cluster.turn("a", { rate_limit: LIMIT }));

  /** The number of addresses that were used. Each address has its own limit. */
  let clients = 0;
  const client = () => `192.0.2.${++clients}`;

  /** @param {string} address @param {string} request @param {{ token?: string, body?: object }} [more] */
  const ask = (address, request, { token = TOKEN, body } = {}) => {
    const [method, path] = request.split(" ");
    const headers = { "CF-Connecting-IP": address };
    return cluster.send("a", method, path, { token, body, headers });
  };

  test("a request takes the units of its weight, and is refused when none is left", async () => {
    for (const [request, times, body] of /** @type {[string, number, object?][]} */ ([
      ["POST /v1/ids", 30],
      ["POST /v1/ids?count=1000", 30],
      ["POST /v1/ids?count=1001", 15],
      ["POST /v1/ids?count=10000", 3],
      ["POST /v1/ids?count=30001", 0],
      ["POST /v1/sequencers/default/batches", 3, { count: 10_000 }],
      ["POST /v1/sequencers/default/leases", 30],
      ["GET /v1/sequencers/default", 6],
      ["GET /v1/sequencers/default/nodes", 3],
      ["GET /metrics", 1],
      ["DELETE /v1/sequencers/nothing", 3],
      ["PUT /v1/sequencers/default?a", 6],
      ["GET /healthz", 30],
      ["GET /readyz", 6],
    ])) {
      const address = client();
      for (let answered = 0; ; answered++) {
        const { status, said, headers } = await ask(address, request, { body });
        if (status !== 429) continue;
        assert.equal(answered, times, request);
        assert.match(said, /^429 too-many-requests: /);
        assert.equal(headers.get("retry-after"), "10");
        break;
      }
      const free = await ask(address, "GET /v1/decode/1");
      assert.equal(free.status, 200, "a request that calls no object was limited");
    }
  });

  test("after 30 refused tokens, no more tokens of an address are compared", async () => {
    const address = client();
    const destroy = "DELETE /v1/sequencers/x";
    for (let guesses = 0; guesses < LIMIT; guesses++) {
      assert.equal((await ask(address, destroy, { token: "guess" })).status, 401);
    }
    for (const token of ["guess", TOKEN]) {
      assert.match((await ask(address, destroy, { token })).said, /^429 too-many-requests: /);
    }
    assert.equal((await ask(client(), destroy)).status, 404);
    // A request for ids needs no token.
    assert.equal((await ask(address, "POST /v1/ids")).status, 200);
  });
});
