import type { ErrorCode } from "../names.js";

/** A leased node and an interval of ticks, in which no other process issues ids of this node. */
export interface Lease {
  node: number;
  fromTick: number;
  /** The first tick after the lease; a renewal raises this number. */
  untilTick: number;
  /** The incarnation: a number that goes up each time that the sequencer is created. */
  incarnation: number;
}

/**
 * A change of a lease. `sequencer` is the name from the generator's options. A tick is the unit of
 * time in the layout's ids: 1 ms unless the layout says otherwise.
 *
 * - `acquired`: the authority granted a lease, or the generator resumed one from its store (then
 *   `resumed` is true). `tookMs` is the time between the call and its answer, in ms.
 * - `renewed`: the authority extended the lease.
 * - `lost`: the lease issues no more ids, although it was not given back. `code` is `span-ended`
 *   when the lease ended before it was renewed, for example because the process was paused or the
 *   authority was down; otherwise `sequencer-destroyed`, `unknown-sequencer`, `other-incarnation`
 *   or `store-in-use`. This event comes once per lease, when a request notices the loss.
 * - `exhausted`: a request found no id because ids were already issued as far ahead of the clock as
 *   is allowed, or because the clock went back. An id can be issued again after `retryInMs`. This
 *   event comes at most once per second.
 *
 * In mode `batch` there is no lease, so `exhausted` is the only event.
 */
export type LeaseEvent = NamelessEvent & { sequencer: string };

export type NamelessEvent =
  | { type: "acquired"; lease: Lease; resumed: boolean; tookMs: number }
  | { type: "renewed"; lease: Lease; tookMs: number }
  | { type: "lost"; lease: Lease; code: ErrorCode | "span-ended" }
  | { type: "exhausted"; retryInMs: number };

/**
 * Total counts of all generators that share a lease, since the first of these generators was
 * created in this process or isolate.
 */
export interface LeaseStatistics {
  issued: number;
  /** Leases that the authority granted. */
  grants: number;
  /** Renewals of leases by the authority. */
  renewals: number;
  /** Batches fetched, either in mode `batch`, or in mode `lease` while no node is free. */
  batches: number;
  /** Calls that the authority refused. */
  refusals: number;
  /** Calls without an answer, or with an unreadable answer. */
  failures: number;
  /** Requests that found no id because the allowed future was used up or the clock went back. */
  exhausted: number;
  /** Number of times that the clock showed an earlier time than at the previous reading. */
  clockStepsBack: number;
}
