// The time at which each line of a log or table says that it was written, to compare it with its
// id.

import type { Cell } from "./cells.ts";
import { timeOfLine } from "./line-time.ts";

/** The number of cells that tell whether a column has times. */
const SAMPLE = 20;
/** The names of columns whose numbers are times. Other numbers are more likely ids. */
const TIME_NAME = /time|date|^ts$|_at$|[a-z]At$|created|joined/i;
/** A day without a time of day. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface Times {
  /** The time of each line in Unix ms. */
  ms: Map<number, number>;
  areDays: boolean;
}

/**
 * Returns the times of the lines, from the first column that has only times and one for each line;
 * `undefined` if there is no such column. A time of day wins over a day.
 */
export function timesOfRows(columns: Map<string, Cell[]>, ids: string): Times | undefined {
  const count = columns.get(ids)?.length ?? 0;
  if (count === 0) return undefined;
  let days: Times | undefined;
  for (const [name, cells] of columns) {
    if (name === ids || cells.length === 0) continue;
    const areDays = sampled(cells).every(({ text }) => DAY.test(text.trim()));
    if (!areDays && !hasTimes(cells, TIME_NAME.test(name))) continue;
    const ms = new Map<number, number>();
    for (const { text, line } of cells) {
      const time = areDays ? Date.parse(text.trim()) : timeOfLine(text)?.ms;
      if (time !== undefined && !Number.isNaN(time)) ms.set(line, time);
    }
    if (ms.size * 2 <= cells.length) continue;
    if (!areDays) return { ms, areDays };
    days ??= { ms, areDays };
  }
  return days;
}

function sampled(cells: Cell[]) {
  const step = Math.max(1, Math.floor(cells.length / SAMPLE));
  return cells.filter((_, i) => i % step === 0);
}

/** `hasNumbers` says whether Unix time counts as well. */
function hasTimes(cells: Cell[], hasNumbers: boolean) {
  return sampled(cells).every(({ text }) => {
    const trimmed = text.trim();
    const time = timeOfLine(trimmed);
    if (!time || time.from > 0 || time.until < trimmed.length) return false;
    return hasNumbers || !/^[\d.]+$/.test(trimmed);
  });
}
