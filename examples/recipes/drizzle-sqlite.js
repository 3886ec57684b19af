// Stores ids in SQLite (here libSQL) as text in base62. All texts have the same length, and sort as
// the ids do.

import { drizzle } from "drizzle-orm/libsql";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { parse } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";

const ids = LeasedGenerator.shared({
  authority: "https://ids.example.com",
  token: process.env.EDGEFLAKE_LEASE_TOKEN,
  encoding: "base62",
});

const orders = sqliteTable("orders", {
  id: text()
    .primaryKey()
    .$defaultFn(() => ids.tryNext()),
  what: text().notNull(),
});

const db = drizzle(":memory:");
await db.run("CREATE TABLE orders (id TEXT PRIMARY KEY, what TEXT NOT NULL) WITHOUT ROWID");

await ids.ready();
await db.insert(orders).values([{ what: "tea" }, { what: "cake" }, { what: "more tea" }]);

const inOrder = await db.select().from(orders).orderBy(orders.id);
inOrder.map(({ what }) => what); // => ["tea", "cake", "more tea"]
inOrder[0].id.length; // => 11
parse(inOrder[0].id, "base62") < parse(inOrder[1].id, "base62"); // => true
