// The tests of `edgeflake/public` for every platform.

import { PublicIds } from "edgeflake/public";
import { equal, throws } from "./expect.js";

const TWEET = 1541815603606036480n;
const KEY = "k:000102030405060708090a0b0c0d0e0f";

/** @type {Record<string, () => unknown>} */
export const tests = {
  "public: opaque and plain texts": () => {
    const orders = new PublicIds({ prefix: "ord", key: KEY });
    equal(orders.format(TWEET), "ord_kJYnezlDLK7oQV");
    equal(orders.parse("ord_kJYnezlDLK7oQV"), TWEET);
    throws(() => orders.parse("ord_kJYnezlDLK7oQW"), {
      name: "EdgeflakeError",
      code: "invalid-id",
      message: "the id has wrong check digits: it was mistyped or guessed, or needs another key",
    });
    equal(new PublicIds({ prefix: "ord", key: null }).format(TWEET), "ord_1ptWyK4WgZU");
  },
};
