// tRPC accepts a `PublicIds` as the parser of an input.

import { initTRPC } from "@trpc/server";
import { PublicIds } from "edgeflake/public";

const orders = new PublicIds({ prefix: "ord", key: "k:000102030405060708090a0b0c0d0e0f" });

const t = initTRPC.create();
const router = t.router({
  order: t.procedure.input(orders).query(({ input }) => `order ${input}`),
});

const caller = t.createCallerFactory(router)({});
await caller.order("ord_kJYnezlDLK7oQV"); // => "order 1541815603606036480"
const { code, message } = await caller.order("cus_kJYnezlDLK7oQV").catch((error) => error);
[code, message]; // => ["BAD_REQUEST", "the id begins with cus_, but must begin with ord_"]
