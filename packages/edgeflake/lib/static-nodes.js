// The static nodes of a realm: two generators of the same bits and node would issue the same ids.

import { EdgeflakeError } from "./error.js";
import { ofRealm } from "./realm.js";

/**
 * A generator that uses a node.
 *
 * @typedef {object} Use
 * @property {() => object | undefined} generator none once it was collected
 * @property {string} options what it was made with, as text
 * @property {() => number} close ends it, and answers the first tick that it did not use
 *
 * @typedef {object} StaticNode
 * @property {number} fromTick the first tick that no generator has used
 * @property {Use} [use]
 */

const realm = ofRealm("static-nodes/1", () => ({
  /** @type {Map<string, StaticNode>} by the bits of the layout and the node */
  nodes: new Map(),
  /** Gives back the nodes of generators that nothing refers to. Old Workers have no registry. */
  collected:
    globalThis.FinalizationRegistry &&
    new FinalizationRegistry((/** @type {StaticNode} */ node) => giveBack(node)),
  isWarned: false,
}));

/**
 * A node of the realm, which is in use if it has a `use`.
 *
 * @param {string} bits of the layout
 * @param {number} number
 */
export function staticNode(bits, number) {
  const key = `${number} ${bits}`;
  const node = realm.nodes.get(key) ?? { fromTick: 0 };
  realm.nodes.set(key, node);
  return node;
}

/**
 * The generator that uses a node, if it is still there. To ask keeps it from being collected now.
 *
 * @param {StaticNode} node
 */
export function userOf(node) {
  const generator = node.use?.generator();
  // It was collected, and the registry has not said so yet.
  if (!generator) giveBack(node);
  return generator;
}

/**
 * Takes a node for a generator.
 *
 * @param {StaticNode} node
 * @param {object} generator
 * @param {{ options: string, close: () => number, isShared: boolean }} use
 */
export function take(node, generator, { options, close, isShared }) {
  warnInThread();
  const isKept = isShared || !globalThis.WeakRef;
  node.use = {
    generator: isKept ? kept(generator) : found(new WeakRef(generator)),
    options,
    close,
  };
  if (!isKept) realm.collected?.register(generator, node, node);
}

// Functions of their own: one that is made beside another keeps whatever the other one uses.

/** @param {object} generator */
const kept = (generator) => () => generator;

/** @param {WeakRef<object>} reference */
const found = (reference) => () => reference.deref();

/**
 * Gives a node back, from the first tick on that its generator did not use.
 *
 * @param {StaticNode} node
 */
export function giveBack(node) {
  if (!node.use) return;
  node.fromTick = Math.max(node.fromTick, node.use.close());
  node.use = undefined;
  realm.collected?.unregister(node);
}

/** @param {number} number @param {string} why */
export function inUse(number, why) {
  return new EdgeflakeError("node-in-use", `node ${number} is in use in this process: ${why}`);
}

/** A thread has a realm of its own, which does not see the nodes of the others. */
function warnInThread() {
  if (realm.isWarned) return;
  realm.isWarned = true;
  const { process } = globalThis;
  // In Next's edge runtime there are no versions, and every function of `process` throws.
  if (!process?.versions) return;
  const threads = process.getBuiltinModule?.("node:worker_threads");
  if (!threads || threads.isMainThread) return;
  process.emitWarning(
    "edgeflake: a worker thread does not see the static nodes of other threads. Give each thread a " +
      "node of its own, or lease nodes with edgeflake/lease.",
  );
}
