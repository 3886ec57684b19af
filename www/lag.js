// The lag of each line: how long after its id it says that it was written.

/** @import { Range } from "./rows-shown.js" */

/**
 * Returns the lags in ms; NaN for a line without a time and for an id that the layout refuses.
 *
 * @param {number[]} lines of the rows
 * @param {Map<number, number>} timeOfLine in Unix ms
 * @param {Float64Array} timestampMs of the ids
 */
export function lagsOf(lines, timeOfLine, timestampMs) {
  return timestampMs.map((ms, row) => (timeOfLine.get(lines[row]) ?? NaN) - ms);
}

/**
 * Returns `undefined` if no row has both times.
 *
 * @param {Float64Array} lags
 */
export function lagSummary(lags) {
  const known = lags.filter((lag) => !Number.isNaN(lag)).sort();
  if (known.length === 0) return undefined;
  return {
    count: known.length,
    least: known[0],
    median: known[Math.floor((known.length - 1) / 2)],
    most: known[known.length - 1],
  };
}

/**
 * Divides the times of the ids into `steps` steps. Returns the least, the median and the largest
 * lag of each step that has any.
 *
 * @param {Float64Array} timestampMs
 * @param {Float64Array} lags
 * @param {number} steps
 * @param {Range} [range] all times without it
 */
export function lagsOverTime(timestampMs, lags, steps, range) {
  const isOut = (/** @type {number} */ row) =>
    Number.isNaN(lags[row]) ||
    (range && (timestampMs[row] < range.fromMs || timestampMs[row] > range.untilMs));
  let [first, last] = [Infinity, -Infinity];
  for (let row = 0; row < lags.length; row++) {
    if (isOut(row)) continue;
    first = Math.min(first, timestampMs[row]);
    last = Math.max(last, timestampMs[row]);
  }
  const width = Math.max(1, (last - first + 1) / steps);
  /** @type {number[][]} */
  const found = [];
  for (let row = 0; row < lags.length; row++) {
    if (isOut(row)) continue;
    const step = Math.floor((timestampMs[row] - first) / width);
    found[step] ??= [];
    found[step].push(lags[row]);
  }
  /** @type {{ ms: number, lines: number, least: number, median: number, most: number }[]} */
  const all = [];
  found.forEach((some, step) => {
    some.sort((a, b) => a - b);
    const median = some[Math.floor((some.length - 1) / 2)];
    const [least, most] = [some[0], some[some.length - 1]];
    all.push({ ms: Math.floor(first + step * width), lines: some.length, least, median, most });
  });
  return all;
}
