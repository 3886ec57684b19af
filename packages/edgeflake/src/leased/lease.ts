import type { ErrorCode } from "../names.js";

/** A span of the layout's ticks on one node, of which no other holder issues an id. */
export interface Lease {
  node: number;
  /** The first tick. */
  fromTick: number;
  /** The first tick after it; a renewal raises it. */
  untilTick: number;
  /** Goes up each time that the sequencer is created. */
  incarnation: number;
}

/**
 * A change of a lease. `sequencer` is its name, as it was given. Ticks are those of the layout, of
 * 1 ms unless the layout says otherwise.
 *
 * - `acquired`: the authority granted a lease, or a store had one (`resumed`, and `tookMs` is 0).
 * - `renewed`: the authority gave the lease a later end.
 * - `lost`: the lease gives no more ids, although it was not given back. `code` says why:
 *   `span-ended` when its time was over before it was renewed, as after a pause of the process or
 *   without an authority; `sequencer-destroyed`, `unknown-sequencer`, `other-incarnation`;
 *   `store-in-use`. It comes once per lease, when a request notices it.
 * - `exhausted`: a request found no id because the allowed future is used up, or the clock went
 *   back. It comes at most once per second.
 *
 * With mode `batch` there is no lease, so `exhausted` is the only event.
 */
export type LeaseEvent = NamelessEvent & { sequencer: string };

export type NamelessEvent =
  | {
      type: "acquired";
      lease: Lease;
      resumed: boolean;
      /** From the call to its answer, in ms. */
      tookMs: number;
    }
  | {
      type: "renewed";
      lease: Lease;
      /** From the call to its answer, in ms. */
      tookMs: number;
    }
  | {
      type: "lost";
      /** The lease as it was. */
      lease: Lease;
      code: ErrorCode | "span-ended";
    }
  | {
      type: "exhausted";
      /** Time until there is an id again, in ms. */
      retryInMs: number;
    };

/**
 * Counts of all generators that share a lease, since the first of them was made in this process or
 * isolate.
 */
export interface LeaseStatistics {
  /** Ids issued. */
  issued: number;
  /** Leases that the authority granted. */
  grants: number;
  /** Renewals of leases by the authority. */
  renewals: number;
  /** Prefetched batches: of mode `batch`, and of mode `lease` while no node is free. */
  batches: number;
  /** Calls that the authority refused. */
  refusals: number;
  /** Calls without an answer, or with an unreadable one. */
  failures: number;
  /**
   * Requests that found no id because the allowed future was used up, or the clock had gone back.
   */
  exhausted: number;
  /** Number of times that the clock was seen to have gone back. */
  clockStepsBack: number;
}
