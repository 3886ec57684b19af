// The package and its authority in worlds in which everything goes wrong: see simulation/.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BROKEN } from "./simulation/climate.js";
import { simulate } from "./simulation/simulate.js";

const options = { seconds: 150, failures: 1, report: console.log };

test("no id comes twice, and there is one when all is well again", async () => {
  const { found } = await simulate({ ...options, seeds: 60, from: 0 });
  assert.deepEqual(found, []);
});

for (const broken of BROKEN) {
  test(`an assumption that does not hold is noticed: ${broken}`, async () => {
    const { found } = await simulate({ ...options, seeds: 60, from: 0, broken });
    assert.match(`${found[0]?.failure}`, /^(id \d+ came twice|tick \d+ was issued)/);
  });
}

test("a seed is the same world each time", async () => {
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
