// The tests of `edgeflake/light` for every platform.

import {
  Decoder,
  encodings,
  format,
  isId,
  jsonReplacer,
  jsonReviver,
  parse,
} from "edgeflake/light";
import { equal, throws } from "./expect.js";

const TWEET = 1541815603606036480n;
const LAYOUT = "timestamp:41 node:10 sequence:12 @1288834974657 tick=1ms";

/** @type {Record<string, () => unknown>} */
export const tests = {
  "light: ids as text and in JSON": () => {
    for (const encoding of encodings()) {
      for (const id of [0n, TWEET, 2n ** 63n, 2n ** 64n - 1n]) {
        const text = format(id, encoding);
        equal([parse(text, encoding), isId(text, encoding)], [id, true]);
      }
    }
    const json = JSON.stringify({ id: TWEET }, jsonReplacer);
    equal(JSON.parse(json, jsonReviver("id")), { id: TWEET });
    throws(() => parse("1ptWyK4WgZ!", "base62"), {
      name: "EdgeflakeError",
      code: "invalid-id",
      message: "an id in base62 has ! at position 10: 0-9, A-Z and a-z are allowed",
    });
  },

  "light: an id of one layout": () => {
    const { timestampMs, date, node, sequence, tag } = new Decoder(LAYOUT).decode(`${TWEET}`);
    equal([timestampMs, date], [1656432460105, new Date("2022-06-28T16:07:40.105Z")]);
    equal([node, sequence, tag], [378, 0, 0]);
    throws(() => new Decoder(LAYOUT).decode(2n ** 63n), { code: "unused-bits" });
  },
};
