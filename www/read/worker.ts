// Reads long texts beside the page, and judges and measures their ids, so that the page does not freeze.

import { Layout } from "edgeflake";
import { type Lags, lagsOf, type Statistics, statisticsOf } from "../parts/statistics.ts";
import { type Verdict, verdictOf } from "../verdict.ts";
import { loadCipher } from "./public.ts";
import { type Reading, read, type Wish } from "./read.ts";
import { type IdTable, tableOf } from "./table.ts";

/** A request with its number, which is also in the answer. */
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
  const response: Response = { number: data.number, reading, verdict, table, statistics, lags };
  postMessage(response);
});
