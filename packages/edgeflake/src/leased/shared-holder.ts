// Generators with the same authority and the same `key` of options share a holder, which has a
// lease and its ids.

import { Holder } from "../edgeflake_lease.js";
import { refused } from "../options.js";
import { LeaseLog } from "./lease-log.js";
import type { checked } from "./lease-options.js";
import { onDone } from "./lifecycle.js";
import type { Store } from "./store.js";
import type { Authority } from "./transport.js";

/** Functions and variables that only some platforms have; entrypoints set them. */
export const platform: {
  /** In Workers, lets a call continue after the incoming request that started it. */
  waitUntil?: (call: Promise<void>) => void;
  /** The class `Store`, which keeps a lease over a restart, on platforms with files. */
  Store?: typeof Store;
  /** The variables and bindings of the Worker that runs this code; empty outside of Workers. */
  variables: Record<string, unknown>;
} = { variables: {} };

const share = (holder: Holder, sequencer: string, store?: Store) => ({
  holder,
  sequencer,
  store,
  log: new LeaseLog(holder),
  /** Number of generators that use this holder and are not disposed of. */
  generators: 0,
  waiting: 0,
  calls: new Set<AbortController>(),
  /** The error of the newest call to the authority; undefined if the answer could be read. */
  cause: undefined as unknown,
});

/** The holders of one authority, by the `key` of their options. */
type SharedHolders = Map<string, ReturnType<typeof share>>;

const ofBindings = new WeakMap<object, SharedHolders>();
const ofUrls = new Map<Authority, SharedHolders>();

export function sharedHolder(given: ReturnType<typeof checked>) {
  const { authority, sequencer, mode, store, bound, key } = given;
  const holders = (typeof authority === "string" ? ofUrls : ofBindings) as typeof ofUrls;
  const ofAuthority: SharedHolders = holders.get(authority) ?? new Map();
  holders.set(authority, ofAuthority);
  let shared = ofAuthority.get(key);
  // If a holder can never issue ids again, new generators get another holder.
  if (!shared || (shared.holder.hasEnded() && !shared.store)) {
    if (platform.Store && store !== undefined) {
      const kept = new platform.Store(store, `${authority}`, sequencer);
      shared = share(Holder.storing(), sequencer, kept);
    } else if (mode === "batch") {
      shared = share(Holder.prefetching(given.prefetchCount, given.prefetchValidityMs), sequencer);
    } else {
      shared = share(new Holder(), sequencer);
    }
    const unread = bound && shared.holder.bind(bound.layout, bound.incarnation);
    if (unread) throw refused("bind.layout", bound.layout, unread, "invalid-layout");
    ofAuthority.set(key, shared);
  }
  return shared;
}

// When `admin` in this isolate destroys a sequencer, the sequencer's holders stop at once. When
// `admin` creates the sequencer again, these holders ask the authority again.
onDone((task, authority, { name, incarnation }) => {
  for (const { sequencer, holder } of ofBindings.get(authority)?.values() ?? []) {
    if (sequencer !== name) continue;
    if (task === "destroy") holder.destroyed(Date.now(), incarnation);
    if (task === "create") holder.created();
  }
});
