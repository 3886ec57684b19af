// The statistics of many ids, the lags of their lines, and the rows that are shown.

import { computed, effect, signal } from "@preact/signals";
import { reading, table } from "../session.ts";
import { lagSummary, lateFrom, rowsWithin, type Stretch, statisticsOf } from "./statistics.ts";

export const statistics = computed(() => statisticsOf(table.value.columns));

/** The ms from each id to the writing of its line, if lines have times of day. */
export const lags = computed(() => {
  const { times, areDays } = reading.value;
  const { columns } = table.value;
  // Dates that the layout does not have would shift the rows.
  if (!times || areDays || columns.id.length !== times.length) return undefined;
  const found = columns.timestampMs.map((ms, row) => (times[row] ?? NaN) - ms);
  return lagSummary(found) ? found : undefined;
});

export const stretch = signal<Stretch | undefined>(undefined);
export const lateMs = signal(0);
export const isLateOnly = signal(false);

// Other ids begin with all of them.
effect(() => {
  stretch.value = undefined;
  isLateOnly.value = false;
  lateMs.value = lags.value ? lateFrom(lags.value) : 0;
});

export const rows = computed(() => {
  const late = isLateOnly.value ? lateMs.value : undefined;
  return rowsWithin(table.value.columns.timestampMs, lags.value, stretch.value, late);
});
