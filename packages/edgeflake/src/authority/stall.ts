// Notices when this process has stood still, for example after SIGSTOP, because a timer then fires
// far too late. Requests that arrived meanwhile have waited in the kernel, which does not tell how
// long they waited.

/** The time between two beats of the timer, in ms. */
const BEAT_MS = 500;

/** If a beat comes more than this many ms late, a stall has just ended. */
const LATE_MS = 1_000;

/** Time after a stall, in ms, in which requests that waited during the stall may still be read. */
const AFTER_MS = 5_000;

/** Tells how long requests may have waited unseen. Times are in ms of a monotonic clock. */
export class StallWatch {
  #beatMs;
  #beganMs = 0;
  #endedMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: number) {
    this.#beatMs = nowMs;
  }

  /** Notes that the process is running, and whether it has stood still since the last beat. */
  beat(nowMs: number) {
    if (nowMs - this.#beatMs > BEAT_MS + LATE_MS) {
      // If an earlier stall ended at most `AFTER_MS` before this one, keep the earlier beginning,
      // because requests may have waited since then.
      if (this.#beatMs - this.#endedMs > AFTER_MS) this.#beganMs = this.#beatMs;
      this.#endedMs = nowMs;
    }
    this.#beatMs = nowMs;
  }

  /** Returns the longest time, in ms, for which a request that is read now may have waited. */
  unseenMaxMs(nowMs: number) {
    this.beat(nowMs);
    return nowMs - this.#endedMs > AFTER_MS ? 0 : nowMs - this.#beganMs;
  }
}

/** Watches this process until `close`. */
export function watchForStalls() {
  const watch = new StallWatch(performance.now());
  const timer = setInterval(() => watch.beat(performance.now()), BEAT_MS);
  timer.unref();
  return {
    unseenMaxMs: () => Math.ceil(watch.unseenMaxMs(performance.now())),
    close: () => clearInterval(timer),
  };
}
