// The time of a world. Its events run one after the other. Between two events, all promises that do
// not wait for an event are resolved.

/** @typedef {{ atMs: number, run: () => void }} Event */

export class Timeline {
  nowMs;
  /**
   * The events, with the next one last. If several have the same time, the one that was added first
   * is next.
   *
   * @type {Event[]}
   */
  #events = [];

  /** @param {number} nowMs */
  constructor(nowMs) {
    this.nowMs = nowMs;
  }

  /** @param {number} ms @param {() => void} run */
  after(ms, run) {
    const atMs = this.nowMs + Math.max(0, Math.ceil(ms));
    const later = this.#events.findLastIndex((event) => event.atMs > atMs);
    this.#events.splice(later + 1, 0, { atMs, run });
  }

  /**
   * Lets the time pass until `untilMs`, or until `isOver` returns true.
   *
   * @param {number} untilMs @param {() => boolean} isOver
   */
  async pass(untilMs, isOver) {
    for (;;) {
      await settled();
      if (isOver()) return;
      const next = this.#events.at(-1);
      if (!next || next.atMs > untilMs) break;
      this.#events.pop();
      this.nowMs = next.atMs;
      next.run();
    }
    this.nowMs = untilMs;
  }
}

export class Timers {
  #timeline;
  #perform;
  #made = 0;
  /** @type {Set<number>} */
  #set = new Set();

  /** @param {Timeline} timeline @param {(run: () => void) => void} perform runs a due timer */
  constructor(timeline, perform) {
    this.#timeline = timeline;
    this.#perform = perform;
  }

  /** @type {(run: (...args: any[]) => void, ms: number, ...args: any[]) => number} */
  set = (run, ms, ...args) => {
    const timer = ++this.#made;
    this.#set.add(timer);
    this.#timeline.after(ms, () => {
      if (!this.#set.has(timer)) return;
      this.#perform(() => {
        if (this.#set.delete(timer)) run(...args);
      });
    });
    return timer;
  };

  /** @type {(timer: number | undefined) => void} */
  clear = (timer) => {
    if (timer !== undefined) this.#set.delete(timer);
  };
}

/** Resolves when every pending promise waits for an event. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}
