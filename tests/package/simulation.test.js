// The package and its authority in worlds in which everything goes wrong, and processes of one
// store in every order of their calls of the file system (see simulation/).

import assert from "node:assert/strict";
import { test } from "node:test";
import { BROKEN } from "./simulation/climate.js";
import { visitAll, visitRandom, visitRare } from "./simulation/schedules.js";
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

const one = { places: 1, kills: 1, failures: 1, hasProc: false, isVolume: false };
const two = { ...one, places: 2, kills: 0, failures: 0 };

for (const [what, setting, states] of /** @type {const} */ ([
  ["one, killed and failed once each", one, 1_000],
  ["the same where there is a /proc", { ...one, hasProc: true }, 1_000],
  ["two that do not see each other", two, 10_000],
  ["two that see each other", { ...two, hasProc: true }, 4_000],
  ["two on machines that share a volume", { ...two, isVolume: true }, 10_000],
])) {
  test(`every order of ${what}`, () => {
    const { wrong, ...visited } = visitAll(setting);
    assert.equal(wrong, undefined);
    assert.ok(visited.states >= states && visited.ends > 10, JSON.stringify(visited));
  });
}

test("random orders of three, killed and failed", () => {
  assert.deepEqual(visitRandom({ schedules: 1_000, from: 0 }), { tried: 1_000, wrong: undefined });
});

test("orders in which a file is taken twice", () => {
  assert.deepEqual(visitRare({ schedules: 60, from: 0 }), { tried: 60, wrong: undefined });
});
