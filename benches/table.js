// Summarizes rounds of benches, and prints tables.

/**
 * Summarizes the values of all rounds: the median, the range from `low` to `high` with the middle
 * half of the values, the 99th percentile, and the smallest and the largest value.
 *
 * @typedef {ReturnType<typeof spread>} Spread
 *
 * @param {number[]} values
 */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, median, high, p99] = [1 / 4, 1 / 2, 3 / 4, 0.99].map((part) => {
    const place = part * (sorted.length - 1);
    const [before, after] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return before + (after - before) * (place - Math.floor(place));
  });
  return { median, low, high, p99, least: sorted[0], most: sorted[sorted.length - 1] };
}

/** @param {number[]} values */
export function median(values) {
  return spread(values).median;
}

/** Summarizes the ratios of each round. @param {number[]} values @param {number[]} floors */
export function ratio(values, floors) {
  return spread(values.map((value, round) => value / floors[round]));
}

/**
 * Returns whether other work of the machine hides a time, a rate or a ratio. That is so if the
 * range from `low` to `high` is as wide as the median, or if `low` is not positive.
 *
 * @param {Spread} spread
 */
export function isNoise({ median, low, high }) {
  return low <= 0 || high - low >= median;
}

/**
 * Prints a table whose first row names the columns. A column with a lowercase letter below its name
 * is aligned left, and every other column right.
 *
 * @param {string[][]} rows
 */
export function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const isText = widths.map((_, column) => rows.slice(1).some((row) => /[a-z]/.test(row[column])));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      isText[column] ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    console.log(cells.join("  ").trimEnd());
  }
}

/** Formats a number without its fraction. @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en");
