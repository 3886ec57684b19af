// Clocks of isolates that stand still or go back.

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { countRepeated, millisOf, nodesOf, together } from "./harness/ids.js";

const NOW_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const ALLOWED_FUTURE_MS = 15_000;
const IDS_PER_TICK = 64;

/** There are 64 ids in the tick of the clock and in each tick that the allowed future adds. */
const CAPACITY = IDS_PER_TICK * (ALLOWED_FUTURE_MS + 1);

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
afterEach(() => cluster.close());

test("a clock that stands still: no id twice, no hang, and an error at the end", async () => {
  cluster = await startCluster(["a"]);
  await cluster.turnAll({ frozen_ms: NOW_MS });

  // 10 concurrent clients make 90 requests of 10,000 ids.
  const clients = Array.from({ length: 10 }, async () => {
    const ids = [];
    for (let i = 0; i < 9; i++) ids.push(await cluster.ids("a", 10_000));
    return together(ids);
  });
  /** @type {BigUint64Array[]} */
  const all = await Promise.all(clients);
  assert.equal(together(all).length, 900_000);

  all.push(await cluster.ids("a", CAPACITY - 900_000));
  assert.equal(countRepeated(together(all)), 0);
  assert.equal(millisOf(all[10][CAPACITY - 900_000 - 1]), NOW_MS + ALLOWED_FUTURE_MS);

  // Timers prove that time passes, so ids go on for the 5 s that a request may wait: 320,000.
  const asked = performance.now();
  const last = [1, 2, 3].map(() => cluster.ids("a", 100_000));
  const { status, headers, body } = await cluster.send("a", "POST", "/v1/ids?count=100000");
  assert.deepEqual([status, body.type], [503, "/problems/exhausted"]);
  assert.match(body.detail, /^the allowed future is used up: retry in 1[0-9]{3} ms$/);
  assert.equal(headers.get("retry-after"), "2");
  all.push(...(await Promise.all(last)));
  const waited = performance.now() - asked;
  assert.ok(waited > 4_600, `answered after ${waited} ms`);

  await cluster.turnAll({ step_ms: 1 });
  all.push(await cluster.ids("a", IDS_PER_TICK));
  assert.equal(countRepeated(together(all)), 0);
});

describe("a clock that goes back", () => {
  /**
   * Issues ids, steps the isolate's clock back, and issues again.
   *
   * @param {number} stepMs
   * @param {number} aheadMs how far ids are ahead of the clock before
   */
  async function issueStepIssue(stepMs, aheadMs) {
    // It is the sum of 10 s of disagreement and the time of a call.
    cluster = await startCluster(["a"], { EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS: "11000" });
    await cluster.turnAll({ frozen_ms: NOW_MS });
    const all = [];
    for (let left = aheadMs * IDS_PER_TICK; left > 0; left -= 100_000) {
      all.push(await cluster.ids("a", Math.min(left, 100_000)));
    }
    await cluster.turn("a", { step_ms: -stepMs });
    const answer = await cluster.ask("a", 1_000);
    all.push(answer.ids);
    return { all, answer };
  }

  for (const [how, stepMs, aheadMs] of /** @type {const} */ ([
    ["by 10 ms", 10, 100],
    ["by 10 s, within the allowed future", 10_000, 1_000],
  ])) {
    test(`${how}: the same node continues`, async () => {
      const { all } = await issueStepIssue(stepMs, aheadMs);
      assert.deepEqual(nodesOf(together(all)), [1]);
      assert.equal(countRepeated(together(all)), 0);
    });
  }

  test("by 10 s, past the allowed future: another node, and the old one is given back", async () => {
    const aheadMs = 10_000;
    const { all, answer } = await issueStepIssue(10_000, aheadMs);
    assert.deepEqual(nodesOf(answer.ids), [2]);
    while (!(await cluster.calls()).counts["default/0 release"]);
    const rows = await cluster.sql(
      "SELECT node, until_tick - from_tick AS ticks, token IS NULL AS released FROM node",
    );
    assert.deepEqual(rows, [
      { node: 1, ticks: aheadMs, released: 1 },
      { node: 2, ticks: 300_000, released: 0 },
    ]);
    await cluster.turn("a", { step_ms: 10_000 });
    all.push(await cluster.ids("a", 1_000));
    assert.equal(countRepeated(together(all)), 0);
  });

  test("by an hour: no ids until the clock is right again", async () => {
    const { all, answer } = await issueStepIssue(HOUR_MS, 1_000);
    assert.equal(answer.status, 503);
    assert.equal(answer.problem?.type, "/problems/clock-disagreement");
    assert.equal(
      answer.problem?.detail,
      "clocks disagree by 3600000 ms: authority 2026-09-21T14:13:20.000Z, holder " +
        "2026-09-21T13:13:20.000Z; at most 11000 ms are allowed, so set the wrong one",
    );
    await cluster.turn("a", { step_ms: HOUR_MS });
    all.push(await cluster.idsAtLast("a", 1_000));
    assert.deepEqual(nodesOf(together(all)), [1]);
    assert.equal(countRepeated(together(all)), 0);
  });
});
