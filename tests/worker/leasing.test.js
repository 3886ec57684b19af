// Leases in a bad world: more holders than nodes, lost calls, objects that end, holders that come
// back late, panics. No id comes twice in any of them.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { named, startCluster } from "./harness/cluster.js";
import { countRepeated, nodesOf, together } from "./harness/ids.js";

const NOW_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;

/** Number of isolates that want a node. The first node is kept for batches. */
const HOLDERS = 200;
const NODES = 128;

/**
 * Leases last 3 real seconds on fast clocks. A renewal is due after half of that, so a holder keeps
 * its node when the machine stalls for a second.
 */
const SPEED = 10;
const FAST = { EDGEFLAKE_LEASE_MILLIS: "30000", EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "1000" };

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
afterEach(() => cluster.close());

/**
 * Lets all isolates issue, each as fast as it is answered, until something is done.
 *
 * @param {() => Promise<unknown>} act
 * @param {number} count ids per request
 */
async function issueWhile(act, count) {
  /** @type {BigUint64Array[]} */
  const all = [];
  let acts = true;
  const load = cluster.isolates.map(async (isolate) => {
    do all.push((await cluster.ask(isolate, count)).ids);
    while (acts);
  });
  try {
    await act();
  } finally {
    acts = false;
    await Promise.all(load);
  }
  return together(all);
}

/** @param {string} kind */
async function callsOf(kind) {
  return (await cluster.calls()).counts[`default/0 ${kind}`] ?? 0;
}

/** Waits until there are `more` more calls of a kind. */
async function untilCalls(/** @type {string} */ kind, /** @type {number} */ more) {
  const from = await callsOf(kind);
  while ((await callsOf(kind)) < from + more);
}

test(`${HOLDERS} holders of ${NODES} nodes`, async () => {
  cluster = await startCluster(named(HOLDERS), { EDGEFLAKE_NODE_COUNT: `${NODES}` });
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    rounds.push(
      await Promise.all(cluster.isolates.map((isolate) => cluster.idsAtLast(isolate, 500))),
    );
  }
  const all = rounds.flat();
  assert.equal(countRepeated(together(all)), 0);
  assert.deepEqual(
    nodesOf(together(all)),
    Array.from({ length: NODES }, (_, node) => node),
  );
  const held = await cluster.sql("SELECT count(DISTINCT token) AS held FROM node");
  assert.deepEqual(held, [{ held: NODES - 1 }]);
  const ofBatches = rounds[2].filter((ids) => nodesOf(ids).includes(0));
  assert.equal(ofBatches.length, HOLDERS - NODES + 1, "who has no node has batches");
});

test("the object ends in mid-load", async () => {
  const ENDS = 5;
  cluster = await startCluster(named(4), FAST);
  await cluster.turnAll({ speed: SPEED });
  const all = await issueWhile(async () => {
    for (let i = 0; i < ENDS; i++) {
      await untilCalls("renew", cluster.isolates.length);
      await cluster.evict();
    }
  }, 100);
  assert.equal(countRepeated(all), 0);
  assert.deepEqual(nodesOf(all), [1, 2, 3, 4], "leases are renewed by who did not grant them");
  assert.ok((await cluster.calls()).started["default/0"] >= ENDS);
});

test("20 % of the calls lost, 5 % doubled, some replies 30 s late", async () => {
  // Leases last longer than replies are late, and ticks have so few ids that isolates always run
  // ahead of the clock. A span that is used again would repeat ids at once.
  cluster = await startCluster(named(4), {
    EDGEFLAKE_LAYOUT: "unused:1 timestamp:41 sequence:2 node:20 @1514764800000 tick=1ms",
    EDGEFLAKE_LEASE_MILLIS: "60000",
    EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "10000",
    EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS: `${2 * HOUR_MS}`,
    EDGEFLAKE_NODE_COUNT: "6",
  });
  await cluster.turnAll({ speed: 50 });
  await cluster.turnAuthority({ seed: 7, lost: 0.2, doubled: 0.05, late: 0.2, late_ms: 30_000 });
  const all = await issueWhile(async () => {
    for (let i = 0; i < 8; i++) {
      // When the leases are renewed, all replies that were late when they were granted have come.
      await untilCalls("renew", 6);
      // All leases end.
      const acquired = await callsOf("acquire");
      await cluster.turnAll({ step_ms: HOUR_MS });
      while ((await callsOf("acquire")) < acquired + 4);
    }
  }, 2_000);
  await cluster.turnAuthority({ lost: 0, doubled: 0, late: 0 });
  const after = await Promise.all(
    cluster.isolates.map((isolate) => cluster.idsAtLast(isolate, 100)),
  );
  assert.equal(countRepeated(together([all, ...after])), 0);
});

test("a holder that comes back an hour late", async () => {
  // Two isolates share one node.
  cluster = await startCluster(["late", "other"], { EDGEFLAKE_NODE_COUNT: "2" });
  await cluster.turnAll({ frozen_ms: NOW_MS });
  const all = [await cluster.ids("late", 10_000)];

  for (const isolate of ["authority", "other"]) {
    await cluster.turn(isolate, { frozen_ms: NOW_MS + HOUR_MS });
  }
  all.push(await cluster.ids("other", 10_000));
  // The isolate issues as if it had slept and did not know it yet. Then it learns the time.
  all.push(await cluster.ids("late", 10_000));
  await cluster.turn("late", { frozen_ms: NOW_MS + HOUR_MS });
  all.push(await cluster.ids("late", 10_000));

  assert.deepEqual(all.map(nodesOf), [[1], [1], [1], [0]], "the last ones are a batch");
  assert.equal(countRepeated(together(all)), 0);
});

test("a panic in mid-request, at each question about the time", async () => {
  cluster = await startCluster(["a", "b"], { EDGEFLAKE_LEASE_MILLIS: "100000" });
  await cluster.turnAll({ frozen_ms: NOW_MS });
  const all = [];
  let panics = 0;
  for (let at = 1; at <= 4; at++) {
    for (const panicking of ["a", "authority"]) {
      // A renewal is due, so that the authority is called too.
      await cluster.turnAll({ step_ms: 70_000 });
      await cluster.turn(panicking, { fail_at: at });
      const { status, ids } = await cluster.ask("a", 1_000);
      if (status === 500) panics += 1;
      all.push(ids);
      await cluster.turn(panicking, { fail_at: Number.POSITIVE_INFINITY });
      for (const isolate of cluster.isolates) all.push(await cluster.idsAtLast(isolate, 1_000));
    }
  }
  assert.ok(panics > 0, "the isolate itself panicked");
  assert.equal(countRepeated(together(all)), 0);
});

test("an isolate asks twice a lease time, whatever the load", async () => {
  const LEASE_S = 60;
  const LEASES = 10;
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
  // The calls come from half of the lease to five eighths of it.
  const [fewest, most] = [2 * LEASES * 1.6 - 2, 2 * LEASES * 2];
  assert.ok(renewals >= fewest && renewals <= most, `${renewals}: ${fewest} to ${most}`);
  // Each renewal writes one row, and reads only what that needs.
  assert.deepEqual(statements, {
    ...before.statements,
    UPDATE: before.statements.UPDATE + renewals,
  });
});
