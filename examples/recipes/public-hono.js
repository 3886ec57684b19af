// Hono's validator checks all parameters of a path as one object. So the route needs a schema for
// an object, which arktype makes here.

import { sValidator } from "@hono/standard-validator";
import { type } from "arktype";
import { PublicIds } from "edgeflake/public";
import { Hono } from "hono";

const orders = new PublicIds({ prefix: "ord", key: "k:000102030405060708090a0b0c0d0e0f" });

const app = new Hono();
app.get("/orders/:id", sValidator("param", type({ id: orders })), (c) => {
  const { id } = c.req.valid("param");
  return c.text(`order ${id}`);
});

const found = await app.request("/orders/ord_kJYnezlDLK7oQV");
await found.text(); // => "order 1541815603606036480"
const guessed = await app.request("/orders/ord_kJYnezlDLK7oQW");
guessed.status; // => 400
