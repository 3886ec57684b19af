// Runs the package and its authority in simulated worlds full of faults, and processes with one
// store in every order of their file system calls (see simulation/).

import assert from "node:assert/strict";
import { test } from "node:test";
import { BROKEN } from "./simulation/climate.js";
import { SETTINGS, visitAll, visitRandom, visitRare } from "./simulation/schedules.js";
import { simulate } from "./simulation/simulate.js";

const options = { seconds: 150, failures: 1, report: console.log };

test("no id comes twice, and there is one when all is well again", async () => {
  const { found } = await simulate({ ...options, seeds: 60, from: 0 });
  assert.deepEqual(found, []);
});

for (const broken of BROKEN) {
  test(`a broken assumption is noticed: ${broken}`, async () => {
    const { found } = await simulate({ ...options, seeds: 60, from: 0, broken });
    assert.match(`${found[0]?.failure}`, /^(id \d+ came twice|tick \d+ was issued)/);
  });
}

test("a seed gives the same world each time", async () => {
  const trace = async () => {
    /** @type {string[]} */
    const lines = [];
    await simulate({
      ...options,
      seeds: 1,
      from: 7,
      trace: true,
      report: (text) => lines.push(text),
    });
    return lines;
  };
  assert.deepEqual(await trace(), await trace());
});

for (const [what, setting, states] of SETTINGS) {
  test(`every order of ${what}`, () => {
    const { wrong, ...visited } = visitAll(setting);
    assert.equal(wrong, undefined);
    assert.ok(visited.states >= states && visited.ends > 10, JSON.stringify(visited));
  });
}

test("random orders of three, killed and failed", () => {
  assert.equal(visitRandom({ schedules: 1_000, from: 0 }), undefined);
});

test("orders in which a file is taken twice", () => {
  assert.equal(visitRare({ schedules: 60, from: 0 }), undefined);
});
