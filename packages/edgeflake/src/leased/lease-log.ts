import type { Holder } from "../edgeflake_lease.js";
import type { ErrorCode } from "../names.js";
import type { Lease, LeaseStatistics, NamelessEvent } from "./lease.js";

/** The counter to increment for each result of `Delivery.end` in wasm/lease/src/delivery.rs. */
const COUNTERS = [undefined, "grants", "renewals", "batches", "refusals", "failures"] as const;

/** Error codes of a request that must wait until the clock has caught up with the ids. */
const WAITS = ["exhausted", "batches-exhausted", "clock-back"];

/** The shortest time between two `exhausted` events, in ms. */
const EXHAUSTED_EVERY_MS = 1_000;

/** The counts of a new holder. */
export const NO_STATISTICS: LeaseStatistics = {
  issued: 0,
  grants: 0,
  renewals: 0,
  batches: 0,
  refusals: 0,
  failures: 0,
  exhausted: 0,
  clockStepsBack: 0,
};

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

  /**
   * Counts the outcome of a call to the authority. Returns the event that the outcome causes, if
   * any. `before` is the lease before the call.
   */
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

  /** Returns the `acquired` event of a lease that was resumed from a store. */
  resumed(): NamelessEvent | undefined {
    const { lease } = this;
    return lease && { type: "acquired", lease, resumed: true, tookMs: 0 };
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
