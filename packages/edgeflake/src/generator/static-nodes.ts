// A realm keeps its static nodes here, because two generators of the same bits and node would issue
// the same ids.

import { EdgeflakeError } from "../error.js";
import { ofRealm } from "../realm.js";

/** The use of a node by a generator. */
interface Use {
  /** Returns the generator, or undefined once it was collected. */
  generator: () => object | undefined;
  options: string;
  /** Ends it, and returns the first tick that it did not use. */
  close: () => number;
}

interface StaticNode {
  /** The first tick that no generator has used. */
  fromTick: number;
  use?: Use | undefined;
  /** Whether this isolate has warned that others may have the node. */
  isWarned?: boolean;
}

const realm = ofRealm("static-nodes/1", () => ({
  /** The nodes, by the bits of the layout and their numbers. */
  nodes: new Map<string, StaticNode>(),
  /** Gives back the nodes of generators that nothing refers to. Old Workers have no registry. */
  collected:
    globalThis.FinalizationRegistry &&
    new FinalizationRegistry((node: StaticNode) => giveBack(node)),
  isWarned: false,
}));

/** Returns a node of the realm, by its number and the bits of the layout. */
export function staticNode(bits: string, number: number): StaticNode {
  const key = `${number} ${bits}`;
  const node = realm.nodes.get(key) ?? { fromTick: 0 };
  realm.nodes.set(key, node);
  return node;
}

/**
 * Returns the generator that uses a node, if it is still there, and keeps it from being collected.
 */
export function userOf(node: StaticNode) {
  const generator = node.use?.generator();
  // It may have been collected, before the registry has called back.
  if (!generator) giveBack(node);
  return generator;
}

export function take(
  node: StaticNode,
  generator: object,
  { options, close, isShared }: Pick<Use, "options" | "close"> & { isShared: boolean },
) {
  warnInThread();
  const isKept = isShared || !globalThis.WeakRef;
  const user = isKept ? kept(generator) : found(new WeakRef(generator));
  node.use = { generator: user, options, close };
  if (!isKept) realm.collected?.register(generator, node, node);
}

// These are functions of their own because a closure keeps whatever a closure beside it uses.

const kept = (generator: object) => () => generator;

const found = (reference: WeakRef<object>) => () => reference.deref();

/** Gives a node back, from the first tick that its generator did not use. */
export function giveBack(node: StaticNode) {
  if (!node.use) return;
  node.fromTick = Math.max(node.fromTick, node.use.close());
  node.use = undefined;
  realm.collected?.unregister(node);
}

export function inUse(number: number, why: string) {
  return new EdgeflakeError("node-in-use", `node ${number} is in use in this process: ${why}`);
}

/** Warns in a thread, which has a realm of its own that does not see the nodes of the others. */
function warnInThread() {
  if (realm.isWarned) return;
  realm.isWarned = true;
  const { process } = globalThis;
  // Next's edge runtime has no versions, and every function of its `process` throws.
  if (!process?.versions) return;
  const threads = process.getBuiltinModule?.("node:worker_threads");
  if (!threads || threads.isMainThread) return;
  process.emitWarning(
    "edgeflake: a worker thread does not see the static nodes of other threads. Give each thread a " +
      "node of its own, or lease nodes with edgeflake/lease.",
  );
}

/** Warns once per node in a Worker, whose isolates do not see each other's nodes. */
export function warnInWorker(node: StaticNode, number: number) {
  if (node.isWarned || globalThis.navigator?.userAgent !== "Cloudflare-Workers") return;
  node.isWarned = true;
  console.warn(
    `edgeflake: a Worker runs in many isolates at once, and two that use node ${number} issue the ` +
      "same ids. Lease a node with edgeflake/lease; or, if only one isolate uses this node, as in a " +
      "Durable Object, set the option exclusive to true.",
  );
}
