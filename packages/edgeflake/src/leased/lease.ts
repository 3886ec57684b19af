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
 * - `lost`: the lease gives no more ids, although it was not given back. It is sent once per lease,
 *   by the first request that finds the lease lost. `code` is `span-ended` (the lease ended before
 *   it was renewed, because the process was paused or the authority did not answer),
 *   `sequencer-destroyed`, `unknown-sequencer`, `other-incarnation` or `store-in-use`.
 * - `exhausted`: a request got no id, because ids were already issued as far ahead of the clock as
 *   is allowed, or because the clock went back. It is sent at most once per second.
 *
 * In mode `batch` there is no lease, so only `exhausted` is sent.
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
      /** The lease that was lost. */
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
