// The time of a world: what happens in it happens one after the other, and between two events all
// that waits for nothing but promises is done.

/** @typedef {{ atMs: number, number: number, run: () => void }} Event */

export class Timeline {
  nowMs;
  #events = 0;
  /** A heap, by time and then by number. @type {Event[]} */
  #heap = [];

  /** @param {number} nowMs */
  constructor(nowMs) {
    this.nowMs = nowMs;
  }

  /** @param {number} ms @param {() => void} run */
  after(ms, run) {
    const heap = this.#heap;
    const event = { atMs: this.nowMs + Math.max(0, Math.ceil(ms)), number: ++this.#events, run };
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[place] = heap[parent];
      place = parent;
    }
    heap[place] = event;
  }

  /** Lets the time pass until then. @param {number} untilMs @param {() => boolean} isOver */
  async pass(untilMs, isOver) {
    for (;;) {
      await settled();
      if (isOver()) return;
      const next = this.#heap[0];
      if (!next || next.atMs > untilMs) break;
      this.#take();
      this.nowMs = next.atMs;
      next.run();
    }
    this.nowMs = untilMs;
  }

  #take() {
    const heap = this.#heap;
    const last = /** @type {Event} */ (heap.pop());
    if (heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = last;
  }
}

/** The timers of one process. */
export class Timers {
  #timeline;
  #perform;
  #made = 0;
  /** @type {Set<number>} */
  #set = new Set();

  /** @param {Timeline} timeline @param {(run: () => void) => void} perform what a process does with what is due */
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

/** @param {Event} a @param {Event} b */
function isBefore(a, b) {
  return a.atMs - b.atMs < 0 || (a.atMs === b.atMs && a.number < b.number);
}

/** Resolves when no promise is left that waits for no event. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}
