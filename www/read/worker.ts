// Reads long texts in a worker, so that the page does not freeze. The worker also computes the
// verdict and the statistics.

import { Layout } from "edgeflake";
import { type Lags, lagsOf, type Statistics, statisticsOf } from "../parts/statistics.ts";
import { type Verdict, verdictOf } from "../verdict.ts";
import { loadCipher } from "./public.ts";
import { type Reading, read, type Wish } from "./read.ts";
import { type IdTable, tableOf } from "./table.ts";

/** A request with its number. The response has the same number. */
export interface Request extends Wish {
  number: number;
  nowMs: number;
}

export interface Response {
  number: number;
  reading: Reading;
  verdict: Verdict;
  /** The decoded ids, in the layout of the verdict. */
  table: IdTable;
  statistics: Statistics;
  lags: Lags | undefined;
}

addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  if (data.key !== "") await loadCipher();
  const reading = read(data, data.nowMs);
  const verdict = verdictOf(reading);
  const table = tableOf(reading, Layout.preset(verdict.layout));
  const [statistics, lags] = [statisticsOf(table.columns), lagsOf(reading, table)];
  const { number } = data;
  postMessage({ number, reading, verdict, table, statistics, lags } satisfies Response);
});
