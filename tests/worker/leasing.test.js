// Checks that isolates of the built Worker issue ids from their leases, even if clocks stand still,
// and after a panic. The simulated worlds (tests/world) cover the other faults, and `npm run soak`
// kills the server.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { countRepeated, millisOf, nodeOf, together } from "./harness/ids.js";

const NOW_MS = 1_790_000_000_000;
const ALLOWED_FUTURE_MS = 15_000;
const IDS_PER_TICK = 64;

/** The number of ids in the clock's tick and the allowed future. Each tick has 64 ids. */
const CAPACITY = IDS_PER_TICK * (ALLOWED_FUTURE_MS + 1);

const names = ["a", "b", "c"];

/** @param {number} count @param {() => Promise<T>} make @template T */
const times = (count, make) => Promise.all(Array.from({ length: count }, make));

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
afterEach(() => cluster.close());

/**
 * Slows the clocks down. A holder repeats a call after 1.5 s of its own clock. Here that takes 15
 * s, so that a slow machine does not look like a lost call.
 */
async function startSlowly() {
  cluster = await startCluster(names);
  await cluster.turnAll({ speed: 0.1 });
}
const calls = async () => (await cluster.calls()).calls;

test("50 cold requests make one grant when the first client goes away", async () => {
  await startSlowly();
  await cluster.turn("authority", { delay_ms: 500 });
  const client = new AbortController();
  const first = cluster.fetch("a", "/v1/ids", { signal: client.signal });
  while ((await calls()) === 0);
  client.abort();
  await assert.rejects(first, /aborted/);

  const ids = await times(49, () => cluster.ids("a", 10));
  assert.equal(countRepeated(together(ids)), 0);
  assert.equal(await calls(), 1, "the call of the first request was lost");
  assert.equal((await cluster.sql("SELECT * FROM node")).length, 1);
});

test("Q13 a row that changed behind the authority is never granted over", async () => {
  await startSlowly();
  await cluster.ids("a", 1);
  // This grants node 2 as another instance of the object would. The running instance does not
  // notice the new row.
  await cluster.sql(
    "INSERT INTO node SELECT 2, from_tick, until_tick, 0, '0123456789abcdef0123456789abcdef', " +
      "0, 0, 0 FROM node WHERE node = 1",
  );
  const [id] = await cluster.ids("b", 1);
  assert.equal(nodeOf(id), 3);
  // One call is of a, and two are of b, the first of which found the change.
  assert.equal(await calls(), 3);
});

test("a caller that goes while its shard opens a session leaves the others theirs", async () => {
  await startSlowly();
  await cluster.turn("authority", { witness_ms: 500 });
  const leaves = new AbortController();
  const gone = cluster.fetch("a", "/v1/ids", { signal: leaves.signal });
  while ((await cluster.calls()).witnessed === 0);
  const others = times(2, () => cluster.ids("b", 1));
  leaves.abort();
  await assert.rejects(gone, { name: "AbortError" });
  assert.equal(countRepeated(together(await others)), 0);
});

test("a clock that stands still: no id twice, no hang, and an error at the end", async () => {
  cluster = await startCluster(["a"]);
  await cluster.turnAll({ frozen_ms: NOW_MS });

  /** @type {BigUint64Array[]} */
  const all = [];
  for (let left = CAPACITY; left > 0; left -= all[all.length - 1].length) {
    all.push(await cluster.ids("a", Math.min(left, 100_000)));
  }
  assert.equal(millisOf(all[all.length - 1].at(-1) ?? 0n), NOW_MS + ALLOWED_FUTURE_MS);

  // Timers prove that time passes, so ids continue for the 5 s that a request may wait. That gives
  // 320,000 ids.
  const asked = performance.now();
  const last = [1, 2, 3].map(() => cluster.ids("a", 100_000));
  const { said, headers } = await cluster.send("a", "POST", "/v1/ids?count=100000");
  assert.match(said, /^503 exhausted: the allowed future is used up: retry in 1[0-9]{3} ms$/);
  assert.equal(headers.get("retry-after"), "2");
  all.push(...(await Promise.all(last)));
  const waited = performance.now() - asked;
  assert.ok(waited > 4_600, `answered after ${waited} ms`);

  await cluster.turnAll({ step_ms: 1 });
  all.push(await cluster.ids("a", IDS_PER_TICK));
  assert.equal(countRepeated(together(all)), 0);
});

test("a panic in mid-request, at each question about the time", async () => {
  cluster = await startCluster(["a", "b"], { EDGEFLAKE_LEASE_MILLIS: "100000" });
  await cluster.turnAll({ frozen_ms: NOW_MS });
  const all = [];
  let panics = 0;
  for (let at = 1; at <= 4; at++) {
    for (const panicking of ["a", "authority"]) {
      // A renewal is due, so this request also calls the authority.
      await cluster.turnAll({ step_ms: 70_000 });
      await cluster.turn(panicking, { fail_at: at });
      const { status, ids } = await cluster.ask("a", 1_000);
      if (status === 500) panics += 1;
      all.push(ids);
      // The authority keeps its `fail_at`, because it may get the renewal after this answer.
      if (panicking === "a") await cluster.turn("a", { fail_at: Number.POSITIVE_INFINITY });
      for (const isolate of cluster.isolates) all.push(await cluster.idsAtLast(isolate, 1_000));
    }
  }
  assert.ok(panics > 0, "no isolate panicked");
  assert.equal(countRepeated(together(all)), 0);
});

test("an isolate asks twice a lease time, whatever the load", async () => {
  const [LEASE_S, LEASES] = [60, 4];
  cluster = await startCluster(["idle", "busy"], { EDGEFLAKE_LEASE_MILLIS: `${LEASE_S * 1_000}` });
  await cluster.turnAll({ frozen_ms: NOW_MS });
  await Promise.all(cluster.isolates.map((isolate) => cluster.ids(isolate, 1)));
  const before = await cluster.calls();
  assert.deepEqual(before.counts, { "default/0 acquire": 2 });
  for (let second = 0; second < LEASE_S * LEASES; second++) {
    await cluster.turnAll({ step_ms: 1_000 });
    const requests = Array.from({ length: 10 }, () => cluster.ids("busy", 100));
    await Promise.all([cluster.ids("idle", 1), ...requests]);
  }
  const { counts, statements } = await cluster.calls();
  const renewals = counts["default/0 renew"];
  assert.deepEqual(counts, { ...before.counts, "default/0 renew": renewals });
  // A renewal is sent when between half and five eighths of a lease have passed.
  const [fewest, most] = [2 * LEASES * 1.6 - 2, 2 * LEASES * 2];
  assert.ok(renewals >= fewest && renewals <= most, `${renewals}: ${fewest} to ${most}`);
  // Each renewal runs one UPDATE, and no other statement.
  const UPDATE = before.statements.UPDATE + renewals;
  assert.deepEqual(statements, { ...before.statements, UPDATE });
});
