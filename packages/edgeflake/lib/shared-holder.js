// What generators share: one holder for each authority, sequencer, mode, store and prefetch.

import { Holder } from "../dist/edgeflake_lease.js";
import { EdgeflakeError } from "./error.js";
import { LeaseLog } from "./lease-log.js";
import { onDone } from "./lifecycle.js";
import { shown } from "./options.js";

/**
 * @import { Store } from "./store.js"
 * @import { Authority } from "./transport.js"
 * @import { checked } from "./lease-options.js"
 */

/** Sees to it that a call outlives the request that found it due. @type {(call: Promise<void>) => void} */
export let keep = () => {};

/** What keeps a lease over a restart, where there are files. @type {typeof Store | undefined} */
export let KeptStore;

/**
 * The variables and bindings of the Worker around this code; empty elsewhere.
 *
 * @type {Record<string, unknown>}
 */
export let variables = {};

/**
 * Begins with what a platform has of its own.
 *
 * @param {{
 *   waitUntil?: (call: Promise<void>) => void, Store?: typeof KeptStore, variables?: object
 * }} platform
 */
export function begin({ waitUntil = keep, Store, variables: ofWorker = variables }) {
  keep = waitUntil;
  KeptStore = Store;
  variables = /** @type {Record<string, unknown>} */ (ofWorker);
}

export class SharedHolder {
  /** How many generators use it that are not disposed of. */
  generators = 0;
  /** How many requests wait. */
  waiting = 0;
  /** The calls that are on their way. @type {Set<AbortController>} */
  calls = new Set();
  /** Why the newest call had no answer. @type {unknown} */
  cause;

  /**
   * @param {Holder} holder
   * @param {string} sequencer
   * @param {Store} [store]
   */
  constructor(holder, sequencer, store) {
    this.holder = holder;
    this.sequencer = sequencer;
    this.store = store;
    this.log = new LeaseLog(holder);
  }
}

/** Those of bindings. @type {WeakMap<object, Map<string, SharedHolder>>} */
const ofBindings = new WeakMap();

/** Those of URLs. @type {Map<string, Map<string, SharedHolder>>} */
const ofUrls = new Map();

/**
 * The one of these options in this memory.
 *
 * @param {ReturnType<typeof checked>} options
 */
export function sharedHolder({ authority, sequencer, mode, prefetch, store, bound, key }) {
  const holders = typeof authority === "string" ? ofUrls : ofBindings;
  // Of one kind, as the authority is.
  const known = /** @type {Map<Authority, Map<string, SharedHolder>>} */ (holders);
  const ofAuthority = known.get(authority) ?? new Map();
  known.set(authority, ofAuthority);
  let shared = ofAuthority.get(key);
  // One that is bound to what is over stays so, for the generators that have it.
  if (!shared || (shared.holder.hasEnded() && !shared.store)) {
    if (KeptStore && store !== undefined) {
      const kept = new KeptStore(store, `${authority}`, sequencer);
      shared = new SharedHolder(Holder.storing(), sequencer, kept);
    } else {
      const { count, validityMs } = prefetch;
      const isBatch = mode === "batch";
      const holder = isBatch ? Holder.prefetching(count, validityMs) : new Holder();
      shared = new SharedHolder(holder, sequencer);
    }
    const unread = bound && shared.holder.bind(bound.layout, bound.incarnation);
    if (unread) {
      const text = `bind.layout is ${shown(bound.layout)}: ${unread}`;
      throw new EdgeflakeError("invalid-layout", text);
    }
    ofAuthority.set(key, shared);
  }
  return shared;
}

// A holder stops at once where the namespace is the very one that its sequencer was destroyed in, and
// asks again when it was created there.
onDone((task, authority, { name, incarnation }) => {
  for (const { sequencer, holder } of ofBindings.get(authority)?.values() ?? []) {
    if (sequencer !== name) continue;
    if (task === "destroy") holder.destroyed(Date.now(), incarnation);
    if (task === "create") holder.created();
  }
});
