// Checks what docs/OPERATING.md says about storage that was restored to an earlier moment, with
// its witness or without.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { countRepeated, together } from "./harness/ids.js";

const isolates = ["a", "b"];
const NOW_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;

const ALLOWED_FUTURE_MS = 10_000;
const CLOCK_DISAGREEMENT_MAX_MS = 5_000;
const LEASE_MS = 2 * ALLOWED_FUTURE_MS + 2;
const WAIT_MS = LEASE_MS + ALLOWED_FUTURE_MS + CLOCK_DISAGREEMENT_MAX_MS;

const EARLIER = "earlier";

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
/** All issued ids. @type {BigUint64Array[]} */
let all;

async function issue() {
  all.push(...(await Promise.all(isolates.map((isolate) => cluster.ids(isolate, 50_000)))));
}

/**
 * Returns the shard's reply to a holder that asks for a node.
 *
 * @returns {Promise<Record<string, any>>}
 */
async function acquire() {
  const { status, text } = await ask();
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

async function ask() {
  const nowMs = await cluster.nowMs("a");
  const body = JSON.stringify({ acquire: { token: "c".repeat(32), now_ms: nowMs } });
  return cluster.direct("POST", "/v1/default/0/", undefined, body);
}

/** Returns the status of the shard. */
async function status() {
  return JSON.parse((await cluster.direct("GET", "/v1/default/0/status")).text);
}

/** @param {number} nowMs */
const turnTo = (nowMs) => cluster.turnAll({ frozen_ms: nowMs });

/** @param {number} nowMs @param {string} [storage] */
async function restart(nowMs, storage) {
  await cluster.start(undefined, storage);
  await turnTo(nowMs);
}

// The copy is an hour old. Since then nodes were granted again, and ids were issued from them.
beforeEach(async () => {
  all = [];
  cluster = await startCluster(isolates, {
    EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
    EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${ALLOWED_FUTURE_MS}`,
    EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS: `${CLOCK_DISAGREEMENT_MAX_MS}`,
    EDGEFLAKE_LEASE_MILLIS: `${LEASE_MS}`,
    EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
    EDGEFLAKE_NODE_COUNT: "3",
  });
  await turnTo(NOW_MS - HOUR_MS);
  await issue();
  await cluster.kill();
  cluster.keep(EARLIER);
  await restart(NOW_MS);
  await issue();
});
afterEach(() => cluster.close());

for (const [how, storage] of Object.entries({ restored: EARLIER, emptied: undefined })) {
  test(`${how} without its witness: no id twice, nodes start where the last span ends`, async () => {
    await cluster.kill();
    cluster.restore("Authority", storage);
    await restart(NOW_MS);
    const refused = await acquire();
    assert.equal(Object.keys(refused)[0], "refused", JSON.stringify(refused));
    assert.ok(refused.refused.retry_in_ms > LEASE_MS / 2, JSON.stringify(refused));
    const { fence, rollbacks, held } = await status();
    // No lease is left, but both nodes wait for the end of the earlier leases.
    assert.deepEqual({ fence, rollbacks, held }, { fence: true, rollbacks: 1, held: 2 });

    await turnTo(NOW_MS + WAIT_MS);
    await issue();
    assert.equal(countRepeated(together(all)), 0);
  });

  test(`its witness is ${how}: it goes on`, async () => {
    await cluster.kill();
    cluster.restore("Directory", storage);
    await restart(NOW_MS + LEASE_MS);
    await issue();
    assert.equal(countRepeated(together(all)), 0);
    const { rollbacks } = await status();
    assert.equal(rollbacks, 0);
  });
}

test("a caller that goes while its shard opens a session leaves the others theirs", async () => {
  await cluster.kill();
  await restart(NOW_MS + LEASE_MS);
  await cluster.turnAuthority({ witness_ms: 500 });
  const path = `/v1/sequencers/default/leases`;
  const headers = { Authorization: "Bearer lease-token-of-tests" };
  const body = JSON.stringify({ token: "d".repeat(32), now_ms: NOW_MS + LEASE_MS });
  const leaves = new AbortController();
  const gone = cluster.fetch("a", path, { method: "POST", headers, body, signal: leaves.signal });
  while ((await cluster.calls()).witnessed === 0);
  const others = [acquire(), acquire()];
  leaves.abort();
  await assert.rejects(gone, { name: "AbortError" });
  for (const { granted } of await Promise.all(others)) assert.ok(granted);
});
