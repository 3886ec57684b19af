// A process's clock steps, stands still, and is wrong.

/** @import { Random } from "./random.js" */
/** @import { Tally } from "./tally.js" */
/** @import { Timeline } from "./timeline.js" */

export class Clock {
  #timeline;
  #random;
  #tally;
  #stepOf;
  #offsetMs = 0;
  /** @type {number | undefined} */
  #frozenMs;

  /**
   * @param {Timeline} timeline
   * @param {Random} random
   * @param {Tally} tally
   * @param {number} stepOf it steps in one of this many readings
   */
  constructor(timeline, random, tally, stepOf) {
    this.#timeline = timeline;
    this.#random = random;
    this.#tally = tally;
    this.#stepOf = stepOf;
  }

  now() {
    if (this.#stepOf < Number.POSITIVE_INFINITY && this.#random.oneIn(this.#stepOf)) {
      this.#tally.count("clock steps between two lines");
      this.#offsetMs += this.#random.below(4_000) - 1_500;
    }
    return this.#frozenMs ?? this.#timeline.nowMs + this.#offsetMs;
  }

  /** @param {number} errorMs the largest error, in either direction */
  step(errorMs) {
    this.#offsetMs = this.#random.below(2 * errorMs + 1) - errorMs;
  }

  freeze() {
    this.#frozenMs = this.#frozenMs === undefined ? this.now() : undefined;
  }

  /** Corrects the clock for good. */
  correct() {
    this.#offsetMs = 0;
    this.#frozenMs = undefined;
    this.#stepOf = Number.POSITIVE_INFINITY;
  }
}
