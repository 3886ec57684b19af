// The tests that run on every platform, each by its name, of the package as it was built; and ids as a
// primary key, in the database that Node has.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { fromSigned, Generator, Layout, toSigned } from "edgeflake";
import { tests as leased } from "./consumer/lease.js";
import { tests } from "./consumer/suite.js";

for (const [name, check] of [...tests, ...leased]) test(name, async () => void (await check()));

test("Q16 ids are a primary key", () => {
  // An epoch so long ago that the ids have their highest bit set.
  const layout = Layout.parse("timestamp:41 node:10 sequence:13 @1970-01-02");
  const ids = new Generator({ layout, node: 1 }).batch(1_000);
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE item (id INTEGER PRIMARY KEY)");
  const insert = database.prepare("INSERT INTO item VALUES (?)");
  for (const id of ids) insert.run(toSigned(id));
  assert.throws(() => insert.run(toSigned(ids[0])), /UNIQUE/);
  const select = database.prepare("SELECT id FROM item ORDER BY id");
  select.setReadBigInts(true);
  const found = select.all().map(({ id }) => fromSigned(/** @type {bigint} */ (id)));
  assert.deepEqual(found, [...ids]);
});
