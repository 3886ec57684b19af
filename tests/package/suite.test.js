// Runs the suite of all platforms on the built package, the calls of suite.txt and refused.txt, and
// tests for Node alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate as nextTask } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as edgeflake from "edgeflake";
import { createAuthority } from "edgeflake/authority/node";
import { LeasedGenerator } from "edgeflake/lease";
import * as light from "edgeflake/light";
import { PublicIds } from "edgeflake/public";
import { FakeIds } from "edgeflake/testing";
import { checked } from "../../packages/edgeflake/dist/leased/lease-options.js";
import { temporary } from "../harness/temporary.js";
import { namespace, service } from "./consumer/authority.js";
import { tests as leased } from "./consumer/lease.js";
import { start, tests } from "./consumer/suite.js";
import { addTests, runCalls } from "./harness/calls.js";

for (const [name, check] of Object.entries({ ...tests, ...leased })) {
  test(name, async () => void (await check()));
}

const { format, fromSigned, Generator, Layout, toSigned } = edgeflake;

/**
 * The values that lines of suite.txt and refused.txt use, by name.
 *
 * @type {Record<string, unknown>}
 */
const names = {
  ...edgeflake,
  ...{ namespace, service, start },
  LeasedGenerator,
  light,
  PublicIds,
  FakeIds,
  createAuthority,
  hazelcast: Layout.preset("hazelcast"),
  twitter: Layout.preset("twitter"),
  typed: Layout.preset("resource-type"),
  key: "k:000102030405060708090a0b0c0d0e0f",
  TWEET: 1541815603606036480n,
  ID_MAX: 2n ** 64n - 1n,
};

addTests(new URL("suite.txt", import.meta.url), names);

const refused = readFileSync(new URL("refused.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

test("H17 what is refused", async () => {
  const directory = temporary();
  const given = { ...names, authority: service(), directory };
  for (const line of refused) await runCalls([line], given);
  // The refused calls have not locked the directory.
  await (await createAuthority({ directory })).close();
});

// No interface ignores an unknown name. Here every call that takes options gets an unknown option.
// The Worker is tested in ../worker/http.txt and ../worker/rpc.test.js, and the command line in
// cli.txt.
test("each export that takes options is refused an unknown one, and the others are listed", () => {
  const text = refused.filter((line) => line.includes("nope: 1")).join("\n");
  const free = new Set(
    `EdgeflakeError constructor toString toJSON fieldValues warnings numberOf toSigned fromSigned
    jsonReplacer jsonReviver format parse Decoder PublicIds presets encodings decode decodeMany info
    nextAsync nextInto nextNumber fill stats close detach`.split(/\s+/),
  );
  const isKnown = (/** @type {string} */ name) =>
    free.has(name) || RegExp(`\\b${name}\\(`).test(text);
  for (const [name, value] of Object.entries({
    ...edgeflake,
    LeasedGenerator,
    ...light,
    FakeIds,
  })) {
    assert.ok(isKnown(name), name);
    if (free.has(name) || !/^[A-Z]/.test(name)) continue;
    for (const object of [value, /** @type {any} */ (value).prototype]) {
      for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
        if (typeof value === "function") assert.ok(isKnown(method), `${name}.${method}`);
      }
    }
  }
});

test("Q16 ids are a primary key", () => {
  // The epoch is so long ago that the highest bit of the ids is set.
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

test("the lines of a text are the rows of an array", () => {
  const twitter = Layout.preset("twitter");
  const odd = ["", " \t7 ", "7\r\r", "\u00a07\ufeff", "x", "7 7", "-7", "7\u0000", "ä", "😀7"];
  const digits = ["18446744073709551615", "18446744073709551616", "01541815603606036480"];
  const long = ["9".repeat(20), "0".repeat(18), "0".repeat(21), " ".repeat(5000), "1".repeat(9000)];
  const lines = [...odd, ...digits, ...long].flatMap((line) => ["1541815603606036480", line, line]);
  const numbers = Array.from({ length: 1100 }, String);
  // Each shift moves the places where the text is divided into chunks.
  for (let shift = 0; shift < 25; shift++) {
    const rows = ["9".repeat(shift % 19), ...lines, ...numbers, ...lines];
    const text = rows.join("\n");
    const trimmed = rows.map((row) => row.trim());
    assert.deepEqual(twitter.decodeMany(text), twitter.decodeMany(trimmed));
    assert.deepEqual(twitter.decodeMany(`${text}\n\n`), twitter.decodeMany([...trimmed, ""]));
  }
});

test("new ids in each encoding, as text and in bytes", () => {
  for (const [index, encoding] of edgeflake.encodings().entries()) {
    const room = Math.max(...[2n ** 63n, 2n ** 64n - 1n].map((id) => format(id, encoding).length));
    for (const text of [
      "timestamp:41 node:4 sequence:2 @1000",
      "timestamp:43 sequence:6 node:15 @0",
      // The first id of these layouts is 0, and there is no earlier id whose high digits are kept.
      // In the first layout, the id 0 is written in bytes, and in the second as text.
      `timestamp:40 sequence:${index + 1} @1000`,
      `timestamp:41 sequence:${index + 1} @1000`,
    ]) {
      const layout = Layout.parse(text);
      const node = text.includes("node") ? index : 0;
      const { clock, ids } = start({ layout, node, encoding });
      const bytes = new Uint8Array(room + 3);
      const inBytes = () => {
        const end = 3 + ids.nextInto(bytes.fill(0), undefined, 3);
        assert.deepEqual([...bytes.subarray(0, 3), ...bytes.subarray(end)].filter(Boolean), []);
        return Buffer.from(bytes.subarray(3, end)).toString();
      };
      const ways = [() => ids.nextString(), inBytes];
      if (text.startsWith("timestamp:40")) ways.reverse();
      const last = Number(layout.info().expiresAt) - layout.epochMs - 1;
      // The texts of these ids go from the shortest to the longest.
      const times = [0, 1, 4, 255, 1e5, 1e9, 1e9 + 1, 2 ** 39, last];
      for (const ms of times) {
        clock.ms = layout.epochMs + ms;
        for (const [sequence, write] of ways.entries()) {
          const id = layout.encode({ timestampMs: clock.ms, node, sequence });
          assert.equal(write(), format(id, encoding), `${id} of ${layout}`);
        }
      }
      assert.throws(() => ids.nextInto(bytes, undefined, 4), { code: "invalid-option" });
      assert.equal(ids.stats().issued, 2 * times.length);
      ids.close();
    }
  }
});

test("a clock that closes its generator", () => {
  const layout = Layout.preset("js-safe");
  for (const issue of /** @type {((ids: edgeflake.Generator) => unknown)[]} */ ([
    (ids) => ids.next(),
    (ids) => ids.nextString(),
    (ids) => ids.nextInto(new Uint8Array(20)),
    (ids) => ids.nextNumber(),
    (ids) => ids.batch(1),
  ])) {
    /** @type {edgeflake.Generator | undefined} */
    let other;
    const now = () => {
      ids.close();
      // The new generator may get the internal number of the closed one.
      other = new Generator({ layout, node: 2 });
      return Date.now();
    };
    const ids = new Generator({ layout, node: 1, now });
    assert.throws(() => issue(ids), { code: "closed" });
    other?.close();
  }
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
    /** Issues an id, and returns its time and the number of clock readings. */
    const next = () => [Number(layout.decode(ids.next()).timestampMs) - start, readings];
    const ticks = [];
    // In the last of these ticks, an id would be refused if the old reading of the clock were still
    // used.
    for (const count of [3, 3, 2]) {
      ms++;
      for (let i = 0; i < count; i++) ticks.push(next());
    }
    assert.equal(ticks.join(" "), "1,1 1,1 2,1 2,1 3,2 3,2 4,3 4,3");
    assert.equal(ids.stats().exhausted, 0);
    for (const issue of [() => ids.next(), () => ids.nextString("hex"), () => ids.batch(2)]) {
      assert.throws(issue, { code: "exhausted" });
    }
    assert.equal(ids.stats().exhausted, 3);
    ms += 10;
    ids.next();
    // If `Date.now` is replaced, the new clock is read at once.
    readings = 0;
    Date.now = () => clock() + 10;
    assert.deepEqual(next(), [23, 1]);
  } finally {
    Date.now = now;
  }
});

test("a generator that is garbage-collected gives its node back", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const layout = Layout.preset("twitter");
  /** Starts a generator of a node, and drops the reference to it. */
  const start = () => new Generator({ layout, node: 909 }).next();
  const first = start();
  // An object that a `WeakRef` was made for stays until the end of the task.
  await nextTask();
  collect();
  // The finaliser, which runs in a later task, is not needed for this.
  assert.ok(start() > first);
  const { nodes } = Reflect.get(globalThis, Symbol.for("edgeflake/static-nodes/1"));
  const [[, node]] = [...nodes].filter(([key]) => key.startsWith("909 "));
  for (let turn = 0; node.use; turn++) {
    assert.ok(turn < 1000, "the finaliser did not free the node");
    collect();
    await nextTask();
  }
});

test("when the registry is silent, another of the named shards answers", async () => {
  const authority = namespace(() => undefined);
  const answered = authority.getByName;
  const silent = { fetch: () => Promise.reject(new Error("it is gone")) };
  authority.getByName = (object) => (object === "far/0" ? silent : answered(object));
  await new LeasedGenerator({ authority, sequencer: "far", shards: 4 }).next();
  // The holder's random place decides which shard is asked.
  assert.match(authority.calls[0][0], /^far\/[123]$/);
});

/** @param {object} options @param {Record<string, unknown>} variables */
const shardsOf = (options, variables) =>
  checked("new LeasedGenerator", /** @type {any} */ (options), { variables }).shards;

// Before the first answer, a leased generator takes the number of shards from its option or, for the
// sequencer `default`, from the Worker's variable.
test("the number of shards by option and variable", () => {
  const [authority, variables] = [namespace(), { EDGEFLAKE_SHARDS: "4" }];
  for (const [options, given, shards] of /** @type {[object, any, number][]} */ ([
    [{ authority }, {}, 1],
    [{ authority }, variables, 4],
    [{ authority }, { EDGEFLAKE_SHARDS: 4 }, 4],
    [{ authority, shards: 2 }, variables, 2],
    [{ authority, sequencer: "a" }, variables, 1],
    [{ authority: service() }, variables, 1],
    [{ authority: "https://ids.example.com" }, variables, 1],
  ])) {
    assert.equal(shardsOf(options, given), shards, JSON.stringify([options, given]));
  }
  for (const text of ["many", "65", ""]) {
    const message = `EDGEFLAKE_SHARDS is the string ${text}: give an integer from 1 to 64`;
    const refused = () => shardsOf({ authority }, { EDGEFLAKE_SHARDS: text });
    assert.throws(refused, { code: "invalid-configuration", message });
  }
});
