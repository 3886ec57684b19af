// Records which static nodes (nodes that users assign by hand) are in use in this realm, because
// two generators with the same layout and node would issue the same ids.

import { EdgeflakeError } from "../error.js";
import { ofRealm } from "../realm.js";

interface Use {
  /** A weak reference to the generator; `deref` returns undefined after garbage collection. */
  generator: Pick<WeakRef<object>, "deref">;
  options: string;
  /** Closes the generator, and returns the first tick that the generator did not use. */
  close: () => number;
}

interface StaticNode {
  /** The first tick that no generator has used. */
  fromTick: number;
  use?: Use | undefined;
  /** Is true once `warnInWorker` has warned about this node. */
  isWarned?: boolean;
}

const realm = ofRealm("static-nodes/1", () => ({
  /** Each key has a node's number and the text that `bitsOf` returns for the node's layout. */
  nodes: new Map<string, StaticNode>(),
  /**
   * Frees the nodes of garbage-collected generators. Workers with an old compatibility date have no
   * `FinalizationRegistry`.
   */
  collected:
    globalThis.FinalizationRegistry &&
    new FinalizationRegistry((node: StaticNode) => giveBack(node)),
  isWarned: false,
}));

/** Returns the entry of a node; the first call for a node adds its entry. */
export function staticNode(bits: string, number: number): StaticNode {
  const key = `${number} ${bits}`;
  const node = realm.nodes.get(key) ?? { fromTick: 0 };
  realm.nodes.set(key, node);
  return node;
}

/**
 * Returns the generator that uses a node; undefined if no generator uses the node, or if the
 * generator was garbage-collected.
 */
export function userOf(node: StaticNode) {
  const generator = node.use?.generator.deref();
  // `FinalizationRegistry` may call back long after the collection, so free the node now.
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
  const user = isKept ? { deref: () => generator } : new WeakRef(generator);
  node.use = { generator: user, options, close };
  if (!isKept) realm.collected?.register(generator, node, node);
}

/**
 * Frees a node by closing the node's generator. The next generator of the node starts at the first
 * tick that the closed generator did not use.
 */
export function giveBack(node: StaticNode) {
  if (!node.use) return;
  node.fromTick = Math.max(node.fromTick, node.use.close());
  node.use = undefined;
  realm.collected?.unregister(node);
}

export function inUse(number: number, why: string) {
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

/** Tells whether this code runs in a Cloudflare Worker. */
export const isWorker = () => globalThis.navigator?.userAgent === "Cloudflare-Workers";

/**
 * Warns once per node in a Worker, because an isolate does not see which nodes other isolates use.
 */
export function warnInWorker(node: StaticNode, number: number) {
  if (node.isWarned || !isWorker()) return;
  node.isWarned = true;
  console.warn(
    `edgeflake: a Worker runs in many isolates at once, and two isolates that use node ${number} issue the ` +
      "same ids. Lease a node with edgeflake/lease; or, if only one isolate uses this node, as in a " +
      "Durable Object, set the option exclusive to true.",
  );
}
