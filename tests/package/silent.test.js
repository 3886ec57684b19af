// An authority that never answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LeasedGenerator } from "edgeflake/lease";

test("calls are given up with the last asking, so that they keep no process alive", async (t) => {
  /** @type {AbortSignal[]} */
  const signals = [];
  t.mock.method(globalThis, "fetch", (/** @type {string} */ _url, /** @type {any} */ init) => {
    signals.push(init.signal);
    return new Promise((_, reject) => {
      init.signal.addEventListener("abort", () => reject(init.signal.reason));
    });
  });
  const authority = "https://silent.example.com";
  const [one, other] = [new LeasedGenerator({ authority }), new LeasedGenerator({ authority })];
  const outcomes = await Promise.allSettled([one.next(), other.next()]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code),
    ["authority-unreachable", "authority-unreachable"],
  );
  assert.ok(signals.length > 0);
  assert.ok(signals.every(({ aborted }) => aborted));
});
