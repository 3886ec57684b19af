// What a holder has done, as counters, and what of it is worth a line in a log, as events.

/**
 * @import { ErrorCode } from "edgeflake"
 * @import { Lease, LeaseEvent, LeaseStatistics } from "edgeflake/lease"
 * @import { Holder } from "../dist/edgeflake_lease.js"
 *
 * @typedef {LeaseEvent extends infer E ? E extends LeaseEvent ? Omit<E, "sequencer"> : never :
 * never} Event
 */

/** What an answer changed, as wasm/lease/src/delivery.rs numbers it, and its counter. */
const COUNTERS = /** @type {const} */ ([
  undefined,
  "grants",
  "renewals",
  "batches",
  "refusals",
  "failures",
]);
/** Why a request has to wait for the clock. */
const WAITS = ["exhausted", "batches-exhausted", "clock-back"];

const GRANTED = 1;
const RENEWED = 2;

/** How often at most it is said that there is no id, in ms. */
const EXHAUSTED_EVERY_MS = 1_000;

export class LeaseLog {
  /** @type {LeaseStatistics} */
  stats = {
    issued: 0,
    grants: 0,
    renewals: 0,
    batches: 0,
    refusals: 0,
    failures: 0,
    exhausted: 0,
    clockStepsBack: 0,
  };
  #holder;
  #nowMs = 0;
  /** Whether the loss of the lease was logged. */
  #isLost = false;
  /** When it was last said that there is no id, in Unix ms. */
  #exhaustedMs = 0;

  /** @param {Holder} holder */
  constructor(holder) {
    this.#holder = holder;
  }

  /** @returns {Lease | undefined} */
  get lease() {
    const span = this.#holder.span();
    if (!span) return undefined;
    const [node, fromTick, untilTick, incarnation] = span;
    return { node, fromTick, untilTick, incarnation };
  }

  /** The clock, in Unix ms. */
  now() {
    const nowMs = Date.now();
    if (nowMs < this.#nowMs) this.stats.clockStepsBack++;
    this.#nowMs = nowMs;
    return nowMs;
  }

  /**
   * An answer changed this.
   *
   * @param {number} outcome
   * @param {Lease | undefined} before the lease before it
   * @param {number} tookMs
   * @returns {Event | undefined}
   */
  received(outcome, before, tookMs) {
    const counter = COUNTERS[outcome];
    if (!counter) return undefined;
    this.stats[counter]++;
    const { lease } = this;
    if (!lease) return this.lost(before, /** @type {ErrorCode} */ (this.#holder.why(Date.now())));
    if (outcome !== GRANTED && outcome !== RENEWED) return undefined;
    this.#isLost = false;
    return outcome === GRANTED
      ? { type: "acquired", lease, resumed: false, tookMs }
      : { type: "renewed", lease, tookMs };
  }

  /**
   * A store had this lease.
   *
   * @returns {Event | undefined}
   */
  resumed() {
    const { lease } = this;
    return lease && { type: "acquired", lease, resumed: true, tookMs: 0 };
  }

  /**
   * A request has to wait so many ms.
   *
   * @param {number} ms
   * @returns {Event | undefined}
   */
  waits(ms) {
    const nowMs = Date.now();
    const code = this.#holder.why(nowMs);
    if (code === "span-ended") return this.lost(this.lease, code);
    if (!WAITS.includes(`${code}`)) return undefined;
    this.stats.exhausted++;
    if (Math.abs(nowMs - this.#exhaustedMs) < EXHAUSTED_EVERY_MS) return undefined;
    this.#exhaustedMs = nowMs;
    return { type: "exhausted", retryInMs: ms };
  }

  /**
   * A lease gives no more ids, which is said once.
   *
   * @param {Lease | undefined} lease
   * @param {ErrorCode | "span-ended"} code
   * @returns {Event | undefined}
   */
  lost(lease, code) {
    if (!lease || this.#isLost) return undefined;
    this.#isLost = true;
    return { type: "lost", lease, code };
  }
}
