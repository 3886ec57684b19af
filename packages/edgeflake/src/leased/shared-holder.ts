// Generators share one holder for each authority, sequencer, mode, store and prefetch.

import { Holder } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";
import { shown } from "../options.js";
import { LeaseLog } from "./lease-log.js";
import type { checked } from "./lease-options.js";
import { onDone } from "./lifecycle.js";
import type { Store } from "./store.js";
import type { Authority } from "./transport.js";

/** Lets a call outlive the request that found it due. */
export let keep: (call: Promise<void>) => void = () => {};

/** The store that keeps a lease over a restart, on platforms with files. */
export let KeptStore: typeof Store | undefined;

/** The variables and bindings of the Worker around this code; elsewhere there are none. */
export let variables: Record<string, unknown> = {};

/** Begins with the functions and variables that only this platform has. */
export function begin({
  waitUntil = keep,
  Store,
  variables: ofWorker = variables,
}: {
  waitUntil?: typeof keep;
  Store?: typeof KeptStore;
  variables?: typeof variables;
}) {
  keep = waitUntil;
  KeptStore = Store;
  variables = ofWorker;
}

const share = (holder: Holder, sequencer: string, store?: Store) => ({
  holder,
  sequencer,
  store,
  log: new LeaseLog(holder),
  /** Number of generators that use it and are not disposed of. */
  generators: 0,
  waiting: 0,
  calls: new Set<AbortController>(),
  /** The reason why the newest call had no answer. */
  cause: undefined as unknown,
});

type SharedHolder = ReturnType<typeof share>;

/** The holders of an authority, by the key of their options. */
type SharedHolders = Map<string, SharedHolder>;

const ofBindings = new WeakMap<object, SharedHolders>();
const ofUrls = new Map<Authority, SharedHolders>();

export function sharedHolder({
  authority,
  sequencer,
  mode,
  prefetchCount,
  prefetchValidityMs,
  store,
  bound,
  key,
}: ReturnType<typeof checked>): SharedHolder {
  const holders = (typeof authority === "string" ? ofUrls : ofBindings) as typeof ofUrls;
  const ofAuthority: SharedHolders = holders.get(authority) ?? new Map();
  holders.set(authority, ofAuthority);
  let shared = ofAuthority.get(key);
  // A holder whose incarnation is over stays with its generators, and new ones get another.
  if (!shared || (shared.holder.hasEnded() && !shared.store)) {
    if (KeptStore && store !== undefined) {
      const kept = new KeptStore(store, `${authority}`, sequencer);
      shared = share(Holder.storing(), sequencer, kept);
    } else {
      const isLease = mode === "lease";
      const prefetch = [prefetchCount, prefetchValidityMs] as const;
      shared = share(isLease ? new Holder() : Holder.prefetching(...prefetch), sequencer);
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

// A holder stops at once if its sequencer was destroyed in its very namespace, and asks again when
// the sequencer was created there.
onDone((task, authority, { name, incarnation }) => {
  for (const { sequencer, holder } of ofBindings.get(authority)?.values() ?? []) {
    if (sequencer !== name) continue;
    if (task === "destroy") holder.destroyed(Date.now(), incarnation);
    if (task === "create") holder.created();
  }
});
