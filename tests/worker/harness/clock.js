// A clock that tests can stop, set, step and speed up. Import it before the Worker, which always
// reads the time from `Date.now`.

const realNow = Date.now.bind(Date);
const setRealTimer = setTimeout.bind(globalThis);

// At `sinceMs` of the real clock, this clock showed `saidMs`. Since then it has run at `rate` times
// the speed of the real clock.
let saidMs = 0;
let sinceMs = 0;
let rate = 1;

/** The number of readings until the clock throws. */
let untilFailure = Number.POSITIVE_INFINITY;

/** Returns the time of this clock. Unlike `Date.now`, it never throws. */
export const now = () => Math.floor(saidMs + (realNow() - sinceMs) * rate);

Date.now = () => {
  untilFailure -= 1;
  if (untilFailure > 0) return now();
  untilFailure = Number.POSITIVE_INFINITY;
  throw new Error("the clock failed, as the test asked for");
};

/**
 * Slows timers down if the clock is slowed down. A faster clock does not speed them up, because it
 * does not speed up calls between objects.
 *
 * @param {(...args: unknown[]) => void} run @param {number} ms @param {unknown[]} args
 */
function setTimer(run, ms, ...args) {
  return setRealTimer(run, Math.max(ms, realMs(ms)), ...args);
}
Object.assign(globalThis, { setTimeout: setTimer });

/** @param {number} ms the time from which the clock continues, in Unix ms */
export function set(ms) {
  saidMs = ms;
  sinceMs = realNow();
}

/** @param {number} ms the size of the step, back if negative */
export const step = (ms) => set(now() + ms);

/** @param {number} speed the speed relative to the real clock; 0 stops the clock */
export function run(speed) {
  set(now());
  rate = speed;
}

/** @param {number} ms a duration on this clock, which is converted to the real clock */
export const realMs = (ms) => (rate > 0 ? ms / rate : ms);

/**
 * Makes the clock throw at its `count`th reading. In the Worker this causes a panic, because the
 * exception crosses WebAssembly. The isolate then loses all its state in memory.
 *
 * @param {number} count
 */
export function failAt(count) {
  untilFailure = count;
}
