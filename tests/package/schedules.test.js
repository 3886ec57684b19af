// Processes of one store in every order of their calls of the file system, and in random orders of
// more of them: see simulation/schedules.js.

import assert from "node:assert/strict";
import { test } from "node:test";
import { visitAll, visitRandom } from "./simulation/schedules.js";

for (const [what, setting, states] of /** @type {const} */ ([
  ["one, killed and failed once each", { places: 1, kills: 1, failures: 1, hasProc: false }, 1_000],
  ["the same where there is a /proc", { places: 1, kills: 1, failures: 1, hasProc: true }, 1_000],
  ["two that do not see each other", { places: 2, kills: 0, failures: 0, hasProc: false }, 10_000],
  ["two that see each other", { places: 2, kills: 0, failures: 0, hasProc: true }, 4_000],
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
