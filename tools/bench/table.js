// What the benches print, and how they sum up rounds.

import { fail } from "../command/run.js";

/** @typedef {ReturnType<typeof spread>} Spread @param {number[]} values */
export function spread(values) {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
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
