// The authority's state outlives its process, whatever the clock says when it starts again.

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { countRepeated, millisOf, nodesOf, together } from "./harness/ids.js";

const isolates = ["a", "b"];
const NOW_MS = 1_790_000_000_000;
const DAY_MS = 86_400_000;

/** Number of times that the server is killed while it issues. */
const KILLS = 10;
const RESTART_MAX_MS = 3_000;

/** The shortest lease for this allowed future. Ids are this far ahead when the server is killed. */
const ALLOWED_FUTURE_MS = 10_000;
const LEASE_MS = 2 * ALLOWED_FUTURE_MS + 1;
const vars = {
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${ALLOWED_FUTURE_MS}`,
  EDGEFLAKE_LEASE_MILLIS: `${LEASE_MS}`,
};

/** The server starts with this other storage to remove the protection. */
const FORGETS = "another";

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
afterEach(() => cluster.close());

/** @param {number} nowMs @param {string} [storage] */
async function restart(nowMs, storage) {
  await cluster.kill();
  const killed = performance.now();
  await cluster.start(undefined, storage);
  await cluster.turnAll({ frozen_ms: nowMs });
  assert.ok(performance.now() - killed < RESTART_MAX_MS, "started again in time");
}

describe("killed while ahead of the clock", () => {
  /**
   * Repeats the following: issues on both nodes as far ahead as possible, kills the server while it
   * issues more, restarts it 3 s later, and lets the leases end.
   *
   * @param {number} kills
   * @param {(kill: number) => string | undefined} storage the storage of each restart
   */
  async function issueKillIssue(kills, storage) {
    cluster = await startCluster(isolates, { ...vars, EDGEFLAKE_NODE_COUNT: "3" });
    /** @type {BigUint64Array[]} */
    const all = [];
    let nowMs = NOW_MS;
    await cluster.turnAll({ frozen_ms: nowMs });
    for (let kill = 1; kill <= kills; kill++) {
      const issued = await Promise.all(
        isolates.map(async (isolate) => {
          const ids = [];
          do ids.push(await cluster.ids(isolate, 50_000));
          while (millisOf(ids[ids.length - 1][49_999]) < nowMs + ALLOWED_FUTURE_MS - 1_000);
          return together(ids);
        }),
      );
      all.push(...issued);
      // The rest of a batch may come before them.
      const nodes = nodesOf(together(issued)).filter((node) => node !== 0);
      assert.deepEqual(nodes, [1, 2], "the same nodes are taken again");

      const inFlight = isolates.map((isolate) => cluster.ids(isolate, 10_000));
      const survived = Promise.allSettled(inFlight);
      // At least one of them has no answer when the server dies.
      await Promise.race(inFlight);
      nowMs += RESTART_MAX_MS;
      await restart(nowMs, storage(kill));
      for (const { value } of /** @type {any[]} */ (await survived)) if (value) all.push(value);

      // The nodes are not free yet, except for an authority that forgot who has them.
      all.push(...(await Promise.all(isolates.map((isolate) => cluster.ids(isolate, 10_000)))));
      nowMs += LEASE_MS;
      await cluster.turnAll({ frozen_ms: nowMs });
    }
    return together(all);
  }

  test(`${KILLS} times: no id twice`, async () => {
    const ids = await issueKillIssue(KILLS, () => undefined);
    assert.ok(ids.length > 5_000_000, `${ids.length} ids`);
    assert.equal(countRepeated(ids), 0);
  });

  test("an authority that forgets its rows repeats ids", async () => {
    assert.ok(countRepeated(await issueKillIssue(1, () => FORGETS)) > 0);
  });
});

describe("started again with another clock", () => {
  /**
   * Issues on one day and on the next, restarts the server on the first day, and issues on both.
   *
   * @param {number} nodes without the one of batches
   * @param {string} [storage] the storage of the restart
   */
  async function issueBackIssue(nodes, storage) {
    cluster = await startCluster(isolates, { ...vars, EDGEFLAKE_NODE_COUNT: `${nodes + 1}` });
    const issue = async () => {
      const ids = await Promise.all(isolates.map((isolate) => cluster.ids(isolate, 1_000)));
      return together(ids);
    };
    await cluster.turnAll({ frozen_ms: NOW_MS });
    const all = [await issue()];
    await cluster.turnAll({ frozen_ms: NOW_MS + DAY_MS });
    all.push(await issue());
    assert.deepEqual(nodesOf(all[1]), nodesOf(all[0]), "the nodes that were free longest");
    await restart(NOW_MS, storage);
    all.push(await issue());
    await cluster.turnAll({ frozen_ms: NOW_MS + DAY_MS });
    all.push(await issue());
    return together(all);
  }

  for (const nodes of [isolates.length, 100]) {
    test(`a day back, with ${nodes} nodes: no id twice`, async () => {
      assert.equal(countRepeated(await issueBackIssue(nodes)), 0);
    });
  }

  test("an authority that forgets its rows repeats ids", async () => {
    assert.ok(countRepeated(await issueBackIssue(100, FORGETS)) > 0);
  });
});
