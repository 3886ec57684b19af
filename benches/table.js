// What the benches print, and how they sum up rounds.

import { fail } from "../tools/command/run.js";

/**
 * What the rounds found: the median, half of them from `low` to `high`, and the extremes.
 *
 * @typedef {ReturnType<typeof spread>} Spread
 *
 * @param {number[]} values
 */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 1 / 2),
    low: quantile(sorted, 1 / 4),
    high: quantile(sorted, 3 / 4),
    least: sorted[0],
    most: sorted[sorted.length - 1],
  };
}

/** @param {number[]} values */
export function median(values) {
  return spread(values).median;
}

/** @param {number[]} sorted @param {number} part */
function quantile(sorted, part) {
  const place = part * (sorted.length - 1);
  const [before, after] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return before + (after - before) * (place - Math.floor(place));
}

/**
 * Whether a time, a rate or a ratio is lost in what the machine did beside it: half of the rounds
 * differ by as much as it is, or are not positive.
 *
 * @param {Spread} spread
 */
export function isNoise({ median, low, high }) {
  return low <= 0 || high - low >= median;
}

/**
 * A table, whose first row names the columns. What has no name or is no number is to the left.
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

/** @param {string} name of an option @param {string} text */
export function integer(name, text) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  return fail(`--${name} is ${text}: a whole number from 1 on is allowed`);
}
