// Does the same as drizzle-sqlite.js in a Worker with D1. D1 rounds integers above 2^53, so the
// column `id` is text.

import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LeasedGenerator } from "edgeflake/lease";

const ids = new LeasedGenerator({ authority: env.AUTHORITY, encoding: "base62" });

const orders = sqliteTable("orders", {
  id: text()
    .primaryKey()
    .$defaultFn(() => ids.tryNext()),
  what: text().notNull(),
});

export default {
  async fetch() {
    const db = drizzle(env.DB);
    await ids.ready();
    const [order] = await db.insert(orders).values({ what: "tea" }).returning();
    return Response.json({ id: order.id });
  },
};
