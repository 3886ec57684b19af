// The lag of each line: how long after its id it says that it was written.

/** Times of ids in Unix ms, both ends included. */
export interface Stretch {
  fromMs: number;
  untilMs: number;
}

/** Returns `undefined` if no row has a lag. */
export function lagSummary(lags: Float64Array) {
  const known = lags.filter((lag) => !Number.isNaN(lag)).sort();
  if (known.length === 0) return undefined;
  return {
    count: known.length,
    least: known[0],
    median: known[Math.floor((known.length - 1) / 2)],
    most: known[known.length - 1],
  };
}

/** The lags of the lines in one step of time. */
export interface LagStep {
  ms: number;
  lines: number;
  least: number;
  median: number;
  most: number;
}

/**
 * Divides the times of the ids into `steps` steps. Returns the least, the median and the largest
 * lag of each step that has any, within a stretch of time if there is one.
 */
export function lagsOverTime(
  timestampMs: Float64Array,
  lags: Float64Array,
  steps: number,
  range?: Stretch,
): LagStep[] {
  const isOut = (row: number) =>
    Number.isNaN(lags[row]) ||
    (range && (timestampMs[row] < range.fromMs || timestampMs[row] > range.untilMs));
  let [first, last] = [Infinity, -Infinity];
  for (let row = 0; row < lags.length; row++) {
    if (isOut(row)) continue;
    first = Math.min(first, timestampMs[row]);
    last = Math.max(last, timestampMs[row]);
  }
  const width = Math.max(1, (last - first + 1) / steps);
  const found: number[][] = [];
  for (let row = 0; row < lags.length; row++) {
    if (isOut(row)) continue;
    const step = Math.floor((timestampMs[row] - first) / width);
    found[step] ??= [];
    found[step].push(lags[row]);
  }
  const all: LagStep[] = [];
  found.forEach((some, step) => {
    some.sort((a, b) => a - b);
    const median = some[Math.floor((some.length - 1) / 2)];
    const [least, most] = [some[0], some[some.length - 1]];
    all.push({ ms: Math.floor(first + step * width), lines: some.length, least, median, most });
  });
  return all;
}

/**
 * Returns the lag from which a line counts as late: ten times the median, but at least 1 s, rounded
 * up to 1, 2 or 5 times a power of ten.
 */
export function lateFrom(lags: Float64Array): number {
  const most = Math.max(1000, (lagSummary(lags)?.median ?? 0) * 10);
  const ten = 10 ** Math.floor(Math.log10(most));
  return ten * ([1, 2, 5, 10].find((one) => one * ten >= most) ?? 10);
}

/**
 * Returns the rows of a stretch of time, with a lag of more than `lateMs`; `undefined` if all rows
 * are meant.
 */
export function rowsWithin(
  timestampMs: Float64Array,
  lags: Float64Array | undefined,
  stretch: Stretch | undefined,
  lateMs: number | undefined,
): Uint32Array | undefined {
  if (stretch === undefined && lateMs === undefined) return undefined;
  const rows: number[] = [];
  for (const [row, ms] of timestampMs.entries()) {
    if (stretch && !(ms >= stretch.fromMs && ms <= stretch.untilMs)) continue;
    if (lateMs !== undefined && !((lags?.[row] ?? NaN) > lateMs)) continue;
    rows.push(row);
  }
  return Uint32Array.from(rows);
}
