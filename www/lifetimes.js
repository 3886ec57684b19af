// The lives of two layouts on one scale of time.

/**
 * @typedef {object} Life
 * @property {number} fromMs
 * @property {number} untilMs
 */

/**
 * Returns the place of each life, and of now, as shares of a scale that holds them all.
 *
 * @param {Life[]} lives
 * @param {number} nowMs
 */
export function toScale(lives, nowMs) {
  const fromMs = Math.min(nowMs, ...lives.map((life) => life.fromMs));
  const untilMs = Math.max(nowMs, ...lives.map((life) => life.untilMs));
  const share = (/** @type {number} */ ms) => (ms - fromMs) / (untilMs - fromMs);
  return {
    fromMs,
    untilMs,
    now: share(nowMs),
    lives: lives.map((life) => ({ left: share(life.fromMs), right: share(life.untilMs) })),
  };
}
