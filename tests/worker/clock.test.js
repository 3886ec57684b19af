import assert from "node:assert/strict";
import { test } from "node:test";
import { countRepeated, millisOf } from "./ids.js";
import { json, startIsolates } from "./isolates.js";

const FROZEN_MS = 1_790_000_000_000;

/** 64 ids in the tick of the clock and in each of the 15,000 that look-ahead adds. */
const CAPACITY = 64 * 15_001;

test("a clock that stands still: no id twice, no hang, and an end that is said", async () => {
  const isolates = await startIsolates();
  try {
    await isolates.fetch("a", `/test?frozen_ms=${FROZEN_MS}`);

    // 10 clients at once, 90 requests of 10,000.
    const clients = Array.from({ length: 10 }, async () => {
      const ids = [];
      for (let i = 0; i < 9; i++) ids.push(...(await isolates.ids("a", 10_000)));
      return ids;
    });
    const all = (await Promise.all(clients)).flat();
    assert.equal(all.length, 900_000);

    while (all.length < CAPACITY) {
      all.push(...(await isolates.ids("a", Math.min(10_000, CAPACITY - all.length))));
    }
    assert.equal(countRepeated(all), 0);
    assert.equal(
      all.map(millisOf).reduce((a, b) => Math.max(a, b)),
      FROZEN_MS + 15_000,
    );

    const asked = performance.now();
    const response = await isolates.fetch("a", "/v1/ids");
    const waited = performance.now() - asked;
    // 5 s, and what a busy machine adds.
    assert.ok(waited > 4_000 && waited < 8_000, `answered after ${waited} ms`);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get("retry-after"), "1");
    const problem = await json(response);
    assert.equal(problem.type, "/problems/exhausted");
    assert.equal(problem.detail, "the look-ahead is used up: retry in 1 ms");

    await isolates.fetch("a", `/test?frozen_ms=${FROZEN_MS + 1}`);
    const next = await isolates.ids("a", 64);
    assert.equal(countRepeated([...all, ...next]), 0);
  } finally {
    await isolates.close();
  }
});
