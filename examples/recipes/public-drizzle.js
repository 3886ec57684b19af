// Your code sees only public ids. The table stores numbers, which sort by time.

import { eq } from "drizzle-orm";
import { customType, pgTable, text } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pglite";
import { fromSigned, toSigned } from "edgeflake";
import { PublicIds } from "edgeflake/public";

const ids = new PublicIds({ prefix: "ord", key: "k:000102030405060708090a0b0c0d0e0f" });

/** In TypeScript, write `customType<{ data: PublicText<"ord">; driverData: string }>`. */
const orderId = customType({
  dataType: () => "bigint",
  toDriver: (text) => String(toSigned(ids.parse(text))),
  fromDriver: (signed) => ids.format(fromSigned(signed)),
});

const orders = pgTable("orders", { id: orderId().primaryKey(), what: text().notNull() });

const db = drizzle();
await db.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, what TEXT NOT NULL)");

await db.insert(orders).values({ id: ids.format(1541815603606036480n), what: "tea" });
const [order] = await db.select().from(orders).where(eq(orders.id, "ord_kJYnezlDLK7oQV"));
[order.id, order.what]; // => ["ord_kJYnezlDLK7oQV", "tea"]
const { rows } = await db.execute("SELECT id::text FROM orders");
rows[0].id; // => "1541815603606036480"
