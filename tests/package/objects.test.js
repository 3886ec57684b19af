// The objects that a leased generator asks: authorities with wrong answers or none, and the number
// of shards before the first answer. That number is the option, or the variable of the Worker whose
// sequencer `default` it leases.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LeasedGenerator } from "edgeflake/lease";
import { checked } from "../../packages/edgeflake/dist/leased/lease-options.js";
import { namespace } from "./consumer/authority.js";

test("when the registry is silent, another of the named shards answers", async () => {
  const authority = namespace(() => undefined);
  const answered = authority.getByName;
  authority.getByName = (object) =>
    object === "far/0"
      ? { fetch: () => Promise.reject(new Error("it is gone")) }
      : answered(object);
  await new LeasedGenerator({ authority, sequencer: "far", shards: 4 }).next();
  // The random place of the holder decides which one.
  assert.match(authority.calls[0][0], /^far\/[123]$/);

  for (const shards of [0, 65, 1.5, "4", Number.NaN]) {
    const found = typeof shards === "string" ? `the string ${shards}` : shards;
    assert.throws(
      () => new LeasedGenerator({ authority, shards: /** @type {number} */ (shards) }),
      { code: "invalid-option", message: `shards is ${found}: an integer of 1 to 64 is allowed` },
    );
  }
});

test("calls end with the last request for ids, so that they keep no process alive", async (t) => {
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

/** @param {object} options @param {Record<string, unknown>} variables */
const shardsOf = (options, variables) =>
  checked("new LeasedGenerator", /** @type {any} */ (options), { variables }).shards;

test("the number of shards by option and variable", () => {
  const authority = namespace();
  const service = { fetch: () => assert.fail("no Worker is asked") };
  const variables = { EDGEFLAKE_SHARDS: "4" };
  for (const [
    options,
    given,
    shards,
  ] of /** @type {[object, Record<string, unknown>, number][]} */ ([
    [{ authority }, {}, 1],
    [{ authority }, variables, 4],
    [{ authority }, { EDGEFLAKE_SHARDS: 4 }, 4],
    [{ authority, shards: 2 }, variables, 2],
    [{ authority, sequencer: "a" }, variables, 1],
    [{ authority: service }, variables, 1],
    [{ authority: "https://ids.example.com" }, variables, 1],
  ])) {
    assert.equal(shardsOf(options, given), shards, JSON.stringify([options, given]));
  }
  for (const text of ["many", "65", ""]) {
    const message = `EDGEFLAKE_SHARDS is the string ${text}: an integer of 1 to 64 is allowed`;
    const refused = () => shardsOf({ authority }, { EDGEFLAKE_SHARDS: text });
    assert.throws(refused, { code: "invalid-configuration", message });
  }
});
