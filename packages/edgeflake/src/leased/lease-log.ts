import type { Holder } from "../edgeflake_lease.js";
import type { ErrorCode } from "../names.js";

/**
 * A leased node, and an interval of ticks in which no other process issues ids of this node. A tick
 * is the unit of time in the layout's ids: 1 ms unless the layout says otherwise.
 */
export interface Lease {
  node: number;
  fromTick: number;
  /** The first tick after the lease; a renewal raises this number. */
  untilTick: number;
  /** The incarnation: a number that goes up each time that the sequencer is created. */
  incarnation: number;
}

/**
 * A change of a lease. `sequencer` is the name from the generator's options.
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
 *   event comes at most once per second, and is the only one in mode `batch`.
 */
export type LeaseEvent = NamelessEvent & { sequencer: string };

export type NamelessEvent =
  | { type: "acquired"; lease: Lease; resumed: boolean; tookMs: number }
  | { type: "renewed"; lease: Lease; tookMs: number }
  | { type: "lost"; lease: Lease; code: ErrorCode | "span-ended" }
  | { type: "exhausted"; retryInMs: number };

/** The counter to increment for each result of `Delivery.end` in wasm/lease/src/delivery.rs. */
const COUNTERS = [undefined, "grants", "renewals", "batches", "refusals", "failures"] as const;

/** Error codes of a request that must wait until the clock has caught up with the ids. */
const WAITS = ["exhausted", "batches-exhausted", "clock-back"];

/** The shortest time between two `exhausted` events, in ms. */
const EXHAUSTED_EVERY_MS = 1_000;

/** The counts of a new holder. */
export const NO_STATISTICS = {
  issued: 0,
  /** Leases that the authority granted. */
  grants: 0,
  /** Renewals of leases by the authority. */
  renewals: 0,
  /** Batches fetched, either in mode `batch`, or in mode `lease` while no node is free. */
  batches: 0,
  /** Calls that the authority refused. */
  refusals: 0,
  /** Calls without an answer, or with an unreadable answer. */
  failures: 0,
  /** Requests that found no id because the allowed future was used up or the clock went back. */
  exhausted: 0,
  /** Number of times that the clock showed an earlier time than at the previous reading. */
  clockStepsBack: 0,
};

/** Total counts of all generators that share a lease, since the first of them was created. */
export type LeaseStatistics = typeof NO_STATISTICS;

/** Counts the actions of one holder, and makes the events for `onEvent`. */
export class LeaseLog {
  stats: LeaseStatistics = { ...NO_STATISTICS };
  #holder;
  #nowMs = 0;
  /** Whether the current lease's `lost` event was already made. */
  #isLost = false;
  /** The time of the last `exhausted` event, in Unix ms. */
  #exhaustedMs = 0;

  constructor(holder: Holder) {
    this.#holder = holder;
  }

  get lease(): Lease | undefined {
    const span = this.#holder.span();
    if (!span) return undefined;
    const [node, fromTick, untilTick, incarnation] = span;
    return { node, fromTick, untilTick, incarnation };
  }

  now() {
    const nowMs = Date.now();
    if (nowMs < this.#nowMs) this.stats.clockStepsBack++;
    this.#nowMs = nowMs;
    return nowMs;
  }

  /** Counts a call's outcome; returns its event, if any. `before` is the lease before the call. */
  received(outcome: number, before: Lease | undefined, tookMs: number): NamelessEvent | undefined {
    const counter = COUNTERS[outcome];
    if (!counter) return undefined;
    this.stats[counter]++;
    const { lease } = this;
    if (!lease) return this.lost(before, this.#holder.why(Date.now()) as ErrorCode);
    if (counter !== "grants" && counter !== "renewals") return undefined;
    this.#isLost = false;
    return counter === "grants"
      ? { type: "acquired", lease, resumed: false, tookMs }
      : { type: "renewed", lease, tookMs };
  }

  /** Counts a request that must wait `ms`. Returns an event if one is due. */
  waits(ms: number): NamelessEvent | undefined {
    const nowMs = Date.now();
    const code = this.#holder.why(nowMs);
    if (code === "span-ended") return this.lost(this.lease, code);
    if (!WAITS.includes(`${code}`)) return undefined;
    this.stats.exhausted++;
    if (Math.abs(nowMs - this.#exhaustedMs) < EXHAUSTED_EVERY_MS) return undefined;
    this.#exhaustedMs = nowMs;
    return { type: "exhausted", retryInMs: ms };
  }

  /** Returns the `lost` event of a lease that issues no more ids, but only once per lease. */
  lost(lease: Lease | undefined, code: ErrorCode | "span-ended"): NamelessEvent | undefined {
    if (!lease || this.#isLost) return undefined;
    this.#isLost = true;
    return { type: "lost", lease, code };
  }
}
