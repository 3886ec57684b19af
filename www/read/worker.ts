// Reads long texts beside the page, so that the page does not freeze.

import { type Reading, read, type Wish } from "./read.ts";

/** A wish with its number, which its reading has, too. */
export interface Request extends Wish {
  number: number;
  nowMs: number;
}

export interface Response {
  number: number;
  reading: Reading;
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  const reading = read(data, data.nowMs);
  const { ids, dates, lines, times } = reading;
  const buffers = [ids, dates, lines, times].flatMap((one) => (one ? [one.buffer] : []));
  const response: Response = { number: data.number, reading };
  postMessage(response, { transfer: buffers });
});
