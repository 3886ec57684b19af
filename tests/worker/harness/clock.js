// A clock that tests can stop, set, step and speed up. Imported before the Worker, whose every
// question about the time goes through `Date.now`.

const realNow = Date.now.bind(Date);
const setRealTimer = setTimeout.bind(globalThis);

// What it said at a moment of the real clock, and how fast it has run since.
let saidMs = 0;
let sinceMs = 0;
let rate = 1;

/** How often it is still asked until it fails. */
let untilFailure = Number.POSITIVE_INFINITY;

/** What it says, whether it is about to fail or not. */
export const now = () => Math.floor(saidMs + (realNow() - sinceMs) * rate);

Date.now = () => {
  untilFailure -= 1;
  if (untilFailure > 0) return now();
  untilFailure = Number.POSITIVE_INFINITY;
  throw new Error("the clock failed, as the test asked for");
};

/**
 * Timers run slower with it. They do not run faster, because calls between objects do not either.
 *
 * @param {(...args: unknown[]) => void} run
 * @param {number} ms
 * @param {unknown[]} args
 */
function setTimer(run, ms, ...args) {
  return setRealTimer(run, Math.max(ms, realMs(ms)), ...args);
}
Object.assign(globalThis, { setTimeout: setTimer });

/** @param {number} ms Unix ms from which it goes on */
export function set(ms) {
  saidMs = ms;
  sinceMs = realNow();
}

/** @param {number} ms how far it steps, back if negative */
export const step = (ms) => set(now() + ms);

/** @param {number} speed how many times faster than the real clock it runs; 0 stops it */
export function run(speed) {
  set(now());
  rate = speed;
}

/** @param {number} ms of the real clock's; how long that takes on this one's */
export const realMs = (ms) => (rate > 0 ? ms / rate : ms);

/**
 * The next time but `count - 1` that it is asked, it throws. An exception that crosses wasm is a
 * panic to it: every static of the isolate is lost.
 *
 * @param {number} count
 */
export function failAt(count) {
  untilFailure = count;
}
