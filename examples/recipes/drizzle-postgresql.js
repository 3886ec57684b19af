// Stores ids in a `BIGINT` column. The column type converts ids in both directions, whatever the
// layout and the driver (here PGlite). If the layout leaves the top bit unused, no stored number is
// negative, and the numbers sort as the ids do. Otherwise, ids from 2^63 on are stored as negative
// numbers, which sort first.

import { between } from "drizzle-orm";
import { customType, pgTable, text } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pglite";
import { fromSigned, Layout, toSigned } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";

const ids = LeasedGenerator.shared({
  authority: "https://ids.example.com",
  token: process.env.EDGEFLAKE_LEASE_TOKEN,
});

/** In TypeScript, write `customType<{ data: bigint; driverData: string }>`. */
const id = customType({
  dataType: () => "bigint",
  toDriver: (id) => String(toSigned(id)),
  fromDriver: (signed) => fromSigned(signed),
});

const orders = pgTable("orders", {
  id: id()
    .primaryKey()
    .$defaultFn(() => ids.tryNext()),
  what: text().notNull(),
});

const db = drizzle();
await db.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, what TEXT NOT NULL)");

await ids.ready();
const [order] = await db.insert(orders).values({ what: "tea" }).returning();
typeof order.id; // => "bigint"

// To select rows by time, you need no date column.
const { date } = Layout.parse(ids.layout).decode(order.id);
const { min, max } = Layout.parse(ids.layout).range(date, date.getTime() + 1_000);
const ofTheSecond = await db
  .select()
  .from(orders)
  .where(between(orders.id, min, max))
  .orderBy(orders.id);
ofTheSecond.map(({ what }) => what); // => ["tea"]

// Ids from 2^63 on are stored as negative numbers. When you read such a number, you get the same
// id.
const large = 2n ** 64n - 1n;
const [stored] = await db.insert(orders).values({ id: large, what: "cake" }).returning();
stored.id === large; // => true
