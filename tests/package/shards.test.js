// How many shards a leased generator asks before the authority has told it: those of its option, or of
// the variable of the Worker whose sequencer `default` it leases.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checked } from "../../packages/edgeflake/lib/lease-options.js";

const namespace = { getByName: () => assert.fail("no object is asked") };
const service = { fetch: () => assert.fail("no Worker is asked") };

/** @param {object} options @param {Record<string, unknown>} variables */
const shardsOf = (options, variables) =>
  checked("new LeasedGenerator", /** @type {any} */ (options), false, variables).shards;

for (const [name, options, variables, shards] of /** @type {const} */ ([
  ["neither option nor variable", { authority: namespace }, {}, 1],
  ["the variable", { authority: namespace }, { EDGEFLAKE_SHARDS: "4" }, 4],
  ["a variable that is a number", { authority: namespace }, { EDGEFLAKE_SHARDS: 4 }, 4],
  ["the option first", { authority: namespace, shards: 2 }, { EDGEFLAKE_SHARDS: "4" }, 2],
  ["another sequencer", { authority: namespace, sequencer: "a" }, { EDGEFLAKE_SHARDS: "4" }, 1],
  ["a Worker that routes", { authority: service }, { EDGEFLAKE_SHARDS: "4" }, 1],
  ["a URL", { authority: "https://ids.example.com" }, { EDGEFLAKE_SHARDS: "4" }, 1],
])) {
  test(name, () => assert.equal(shardsOf(options, variables), shards));
}

for (const [variable, found] of [
  ["many", "the string many"],
  ["65", "the string 65"],
  ["", "the string "],
]) {
  test(`the variable is "${variable}"`, () => {
    const message = `EDGEFLAKE_SHARDS is ${found}: an integer of 1 to 64 is allowed`;
    assert.throws(() => shardsOf({ authority: namespace }, { EDGEFLAKE_SHARDS: variable }), {
      code: "invalid-option",
      message,
    });
  });
}
