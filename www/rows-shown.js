// The rows of many ids that are shown and exported as CSV: all of them, those of a span of time, or
// those whose lines were written late.

/** @typedef {{ fromMs: number, untilMs: number }} Range times of ids, both ends included */

/**
 * @typedef {object} Narrowing
 * @property {Range | undefined} range
 * @property {number | undefined} lateMs least lag of the shown lines, in ms; all lines without it
 */

/**
 * Returns the rows in the order of the paste; `undefined` if all of them are shown.
 *
 * @param {Float64Array} timestampMs of the ids
 * @param {Float64Array | undefined} lags in ms
 * @param {Narrowing} narrowing
 */
export function rowsShown(timestampMs, lags, { range, lateMs }) {
  if (range === undefined && lateMs === undefined) return undefined;
  const rows = [];
  for (let row = 0; row < timestampMs.length; row++) {
    const ms = timestampMs[row];
    if (range && !(ms >= range.fromMs && ms <= range.untilMs)) continue;
    if (lateMs !== undefined && !((lags?.[row] ?? NaN) > lateMs)) continue;
    rows.push(row);
  }
  return Uint32Array.from(rows);
}
