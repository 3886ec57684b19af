// Runs the package in simulated worlds full of faults, and processes that share a store in every
// order of their file system calls (see simulation/).

import assert from "node:assert/strict";
import { test } from "node:test";
import { SETTINGS, visitAll, visitRandom, visitRare } from "./simulation/schedules.js";
import { simulate } from "./simulation/simulate.js";

test("no id comes twice, and there is one when all is well again", async () => {
  const options = { seeds: 60, from: 0, seconds: 150, failures: 1, report: console.log };
  const { found } = await simulate(options);
  assert.deepEqual(found, []);
});

for (const [what, setting, states] of SETTINGS) {
  test(`every order of ${what}`, () => {
    const { wrong, ...visited } = visitAll(setting);
    assert.equal(wrong, undefined);
    assert.ok(visited.states >= states && visited.ends > 10, JSON.stringify(visited));
  });
}

test("random orders of three, killed and failed, and orders in which a file is taken twice", () => {
  assert.deepEqual(visitRandom({ seeds: 500, from: 0, failures: 1 }), []);
  assert.deepEqual(visitRare({ seeds: 60, from: 0, failures: 1 }), []);
});
