// Reads long texts beside the page, and judges their ids, so that the page does not freeze.

import { type Verdict, verdictOf } from "../verdict.ts";
import { loadCipher } from "./public.ts";
import { type Reading, read, type Wish } from "./read.ts";

/** A wish with its number, which its reading has, too. */
export interface Request extends Wish {
  number: number;
  nowMs: number;
}

export interface Response {
  number: number;
  reading: Reading;
  verdict: Verdict;
}

addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  if (data.key !== "") await loadCipher();
  const reading = read(data, data.nowMs);
  const verdict = verdictOf(reading);
  const { ids, dates, lines, times } = reading;
  const buffers = [ids, dates, lines, times].flatMap((one) => (one ? [one.buffer] : []));
  const response: Response = { number: data.number, reading, verdict };
  postMessage(response, { transfer: buffers });
});
