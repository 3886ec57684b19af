// Ids for tests: what a leased generator does, without an authority, a timer or a module.

import { EdgeflakeError } from "./error.js";
import { encodeFake } from "./fake-text.js";
import { checkCount, idOptions, signalOf } from "./lease-options.js";
import { known, shown } from "./options.js";

/**
 * @import { Encoding, ErrorCode } from "edgeflake"
 * @import { IdOptions, Lease, LeaseState, LeaseStatistics, WaitOptions } from "edgeflake/lease"
 * @import { FailOptions, FakeIdsOptions } from "edgeflake/testing"
 */

/** The layout of a sequencer, unless a test gives another. */
const LAYOUT = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";

/** The largest id: 2^64 - 1. */
const ID_MAX = 0xffff_ffff_ffff_ffffn;

/** @param {unknown} given @param {string} name */
function idOf(given, name) {
  if (typeof given === "bigint" && given >= 0n && given <= ID_MAX) return given;
  throw new EdgeflakeError(
    "invalid-option",
    `${name} is ${shown(given)}: a bigint of 0 to ${ID_MAX} is allowed`,
  );
}

export class FakeIds {
  /** The pinned ids that are left, if there are such. */
  #pinned;
  #next;
  /** @type {Lease} */
  #lease;
  #layout;
  #issued = 0;
  #exhausted = 0;
  #isDetached = false;
  /** What the next calls fail with. @type {EdgeflakeError[]} */
  #failures = [];

  /** @param {FakeIdsOptions} [options] */
  constructor(options = {}) {
    const names = ["ids", "start", "lease", "layout"];
    const {
      ids,
      start = 1n,
      lease = { node: 0, fromTick: 0, untilTick: 300_000, incarnation: 1 },
      layout = LAYOUT,
    } = known("new FakeIds", options, names);
    known("lease", lease, ["node", "fromTick", "untilTick", "incarnation"]);
    this.#pinned = ids && Array.from(ids, (id, i) => idOf(id, `ids[${i}]`));
    this.#next = idOf(start, "start");
    this.#lease = lease;
    this.#layout = layout;
  }

  /**
   * @param {ErrorCode} code
   * @param {FailOptions} [options]
   */
  failNext(code, options = {}) {
    const {
      times = 1,
      retryInMs,
      message,
    } = known("failNext", options, ["times", "retryInMs", "message"]);
    checkCount(times);
    for (let i = 0; i < times; i++) {
      const error = new EdgeflakeError(code, message ?? "FakeIds was told to fail", retryInMs);
      this.#failures.push(error);
    }
  }

  /** @param {IdOptions} [options] */
  async next(options) {
    this.#waitForIds("next", options);
    return this.tryNext();
  }

  /**
   * @param {Encoding} [encoding]
   * @param {IdOptions} [options]
   */
  async nextString(encoding = "decimal", options) {
    this.#waitForIds("nextString", options);
    // Before an id is taken.
    encodeFake(0n, encoding);
    return encodeFake(this.tryNext(), encoding);
  }

  /** @param {{ tag?: number | undefined }} [options] */
  tryNext(options = {}) {
    idOptions("tryNext", known("tryNext", options, ["tag"]));
    this.#check(1);
    return this.#take();
  }

  /** @param {WaitOptions} [options] */
  async ready(options) {
    this.#wait("ready", options);
    this.#check(0);
  }

  /**
   * @param {number} count
   * @param {IdOptions} [options]
   */
  async batch(count, options) {
    checkCount(count);
    this.#waitForIds("batch", options);
    this.#check(count);
    return BigUint64Array.from({ length: count }, () => this.#take());
  }

  async detach() {
    this.#isDetached = true;
  }

  /** @param {WaitOptions} [options] */
  async attach(options) {
    this.#wait("attach", options);
    this.#isDetached = false;
    this.#check(0);
  }

  /** @returns {LeaseStatistics} */
  stats() {
    return {
      issued: this.#issued,
      grants: 1,
      renewals: 0,
      batches: 0,
      refusals: 0,
      failures: 0,
      exhausted: this.#exhausted,
      clockStepsBack: 0,
    };
  }

  get state() {
    return /** @type {LeaseState} */ (this.#isDetached ? "detached" : "attached");
  }

  get lease() {
    return this.#isDetached ? undefined : this.#lease;
  }

  get layout() {
    return this.#layout;
  }

  async [Symbol.asyncDispose]() {
    await this.detach();
  }

  /** @param {string} what @param {WaitOptions | undefined} options */
  #wait(what, options) {
    signalOf(what, options)?.throwIfAborted();
  }

  /** @param {string} what @param {IdOptions | undefined} options */
  #waitForIds(what, options) {
    idOptions(what, options).signal?.throwIfAborted();
  }

  /** Throws unless so many ids are there. @param {number} count */
  #check(count) {
    const failure = this.#failures.shift();
    if (failure) throw failure;
    if (this.#isDetached) {
      throw new EdgeflakeError("detached", "the holder is detached: attach it to issue ids");
    }
    const left = this.#pinned?.length ?? Number(ID_MAX - this.#next) + 1;
    if (left >= count) return;
    this.#exhausted++;
    throw new EdgeflakeError(
      "exhausted",
      `FakeIds has ${left} ids left, and ${count} were asked for: pin more, or none`,
    );
  }

  #take() {
    this.#issued++;
    return this.#pinned?.shift() ?? this.#next++;
  }
}
