// Records which static nodes (nodes that users assign by hand) are in use in this realm, because
// two generators with the same layout and node would issue the same ids.

import { EdgeflakeError } from "../error.js";
import { Layout, type NodeId, nodeNumber } from "../layout/layout.js";
import { readText, wasm } from "../module/exchange.js";
import { isWorker, ofRealm } from "../realm.js";

interface Use {
  /** A `WeakRef`; a strong reference after `keep`, and on platforms without `WeakRef`. */
  generator: Pick<WeakRef<object>, "deref">;
  /** The options that all `Generator.shared` calls for the node must agree on. */
  options: string;
  /** Closes the generator, and returns the first tick that the generator did not use. */
  close: () => number;
}

interface StaticNode {
  readonly number: number;
  /** The first tick that no generator has used. */
  fromTick: number;
  use?: Use | undefined;
  isWarned?: boolean;
}

const realm = ofRealm("static-nodes/1", () => ({
  /** Each key is a node's number and, as text, the fields, epoch and tick of the node's layout. */
  nodes: new Map<string, StaticNode>(),
  /** Frees the nodes of garbage-collected generators. Old Workers lack this class and `WeakRef`. */
  collected: globalThis.FinalizationRegistry && new FinalizationRegistry<StaticNode>(giveBack),
  isWarned: false,
}));

/** Returns the entry of a node; the first call for a node adds its entry. */
export function staticNode(layout: Layout, id: NodeId): StaticNode {
  const bits = readText(wasm.printBits(Layout.numberOf(layout)));
  const number = nodeNumber(layout, id);
  const key = `${number} ${bits}`;
  const node = realm.nodes.get(key) ?? { number, fromTick: 0 };
  realm.nodes.set(key, node);
  return node;
}

/** Returns the generator that uses a node, unless the generator was garbage-collected. */
export function userOf(node: StaticNode) {
  const generator = node.use?.generator.deref();
  // `FinalizationRegistry` may call back long after the collection, so free the node now.
  if (!generator) giveBack(node);
  return generator;
}

export function take(node: StaticNode, generator: object, options: string, close: () => number) {
  warnInThread();
  const user = globalThis.WeakRef ? new WeakRef(generator) : { deref: () => generator };
  node.use = { generator: user, options, close };
  realm.collected?.register(generator, node, node);
}

/** Protects the generator of a node from garbage collection. */
export function keep({ use }: StaticNode, generator: object) {
  if (use) use.generator = { deref: () => generator };
}

/** Frees a node by closing its generator. The next generator starts at the first unused tick. */
export function giveBack(node: StaticNode) {
  if (!node.use) return;
  node.fromTick = Math.max(node.fromTick, node.use.close());
  node.use = undefined;
  realm.collected?.unregister(node);
}

export function inUse({ number }: StaticNode, why: string) {
  return new EdgeflakeError("node-in-use", `node ${number} is in use in this process: ${why}`);
}

/** Warns in a worker thread, because a thread does not see which nodes other threads use. */
function warnInThread() {
  if (realm.isWarned) return;
  realm.isWarned = true;
  const { process } = globalThis;
  // Next's edge runtime has no `process.versions`, and its functions of `process` throw.
  if (!process?.versions) return;
  const threads = process.getBuiltinModule?.("node:worker_threads");
  if (!threads || threads.isMainThread) return;
  process.emitWarning(
    "edgeflake: a worker thread does not see the static nodes of other threads. Give each thread a " +
      "node of its own, or lease nodes with edgeflake/lease.",
  );
}

/** Warns once per node in a Worker, because an isolate does not see the nodes of other isolates. */
export function warnInWorker(node: StaticNode) {
  if (node.isWarned || !isWorker()) return;
  node.isWarned = true;
  console.warn(
    `edgeflake: a Worker runs in many isolates at once, and two isolates that use node ${node.number} issue ` +
      "the same ids. Lease a node with edgeflake/lease; or, if only one isolate uses this node, as in a " +
      "Durable Object, set the option exclusive to true.",
  );
}
