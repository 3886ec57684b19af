// The tests that run on every platform, each by its name, on the built package; and those for Node
// alone: ids as a primary key in its database, and the output of console.log.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { inspect } from "node:util";
import { fromSigned, Generator, Layout, toSigned } from "edgeflake";
import { tests as leased } from "./consumer/lease.js";
import { tests } from "./consumer/suite.js";

for (const [name, check] of Object.entries({ ...tests, ...leased })) {
  test(name, async () => void (await check()));
}

test("Q16 ids are a primary key", () => {
  // The epoch is so long ago that the ids have their highest bit set.
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

test("one reading of the clock serves several ids", () => {
  const layout = Layout.parse("timestamp:41 node:10 sequence:1 @2026-01-01");
  const { now } = Date;
  const start = now();
  let [ms, readings] = [start, 0];
  const clock = () => {
    readings++;
    return ms;
  };
  Date.now = clock;
  try {
    using ids = new Generator({ layout, node: 2, clockEvery: 4, allowedFutureMs: 1 });
    /** Issues an id, and tells its time and the number of readings. */
    const next = () => [Number(layout.decode(ids.next()).timestampMs) - start, readings];
    ms++;
    const ticks = [next(), next(), next()];
    ms++;
    ticks.push(next(), next(), next());
    // An old reading would refuse the next id.
    ms++;
    ticks.push(next(), next());
    assert.deepEqual(ticks.join(" "), "1,1 1,1 2,1 2,1 3,2 3,2 4,3 4,3");
    assert.equal(ids.stats().exhausted, 0);
    assert.throws(() => ids.next(), { code: "exhausted" });
    assert.throws(() => ids.nextString("hex"), { code: "exhausted" });
    assert.throws(() => ids.batch(2), { code: "exhausted" });
    assert.equal(ids.stats().exhausted, 3);
    ms += 10;
    ids.next();
    // A clock that replaces this one is read at once.
    readings = 0;
    Date.now = () => clock() + 10;
    assert.deepEqual(next(), [23, 1]);
  } finally {
    Date.now = now;
  }
  const other = /** @type {const} */ ({ layout, node: 3 });
  assert.throws(() => new Generator({ ...other, clockEvery: 2, now }), {
    code: "invalid-option",
    message: "clockEvery is only for Date.now: remove it, or now",
  });
  assert.throws(() => new Generator({ ...other, clockEvery: 0 }), {
    code: "invalid-option",
    message: "clockEvery is 0: an integer of 1 to 65536 is allowed",
  });
});

test("the output of console.log", () => {
  const text = "timestamp:41 node:4 sequence:4 @1000 tick=1ms";
  const layout = Layout.parse(text);
  assert.equal(inspect(layout), `Layout { text: '${text}' }`);
  assert.equal(
    inspect(layout.decode(0x123n), { breakLength: Infinity }),
    "DecodedId { id: 291n, date: 1970-01-01T00:00:01.001Z, node: 2, sequence: 3, tag: 0, " +
      "fields: { timestamp: 1, node: 2, sequence: 3 } }",
  );
  using ids = new Generator({ layout, node: 3 });
  ids.next();
  assert.match(inspect(ids), /^Generator \{\s+issued: 1,/);
});
