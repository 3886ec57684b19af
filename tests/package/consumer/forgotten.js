// Node runs this file with --expose-gc. It shows that a generator that is no longer referenced
// gives back its node and its memory.
import assert from "node:assert/strict";
import { Generator, Layout } from "edgeflake";

/** @type {() => void} */
const collect = /** @type {any} */ (globalThis).gc;
const layout = Layout.preset("twitter");

/** Starts a generator of a node, and drops the reference to it. */
const start = () => new Generator({ layout, node: 5 }).next();

const first = start();
/** @type {bigint | undefined} */
let second;
for (let turn = 0; second === undefined; turn++) {
  assert.ok(turn < 1000, "the node was not given back");
  collect();
  // Finalisers run between tasks, so this waits for one.
  await new Promise((resolve) => setTimeout(resolve, 1));
  try {
    second = start();
  } catch (error) {
    assert.equal(/** @type {any} */ (error).code, "node-in-use");
  }
}
assert.ok(second > first);
