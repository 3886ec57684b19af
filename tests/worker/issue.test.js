import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, describe, test } from "node:test";
import { ascend, countRepeated, millisOf, nodeOf } from "./ids.js";
import { startIsolates } from "./isolates.js";

/** @typedef {Awaited<ReturnType<typeof startIsolates>>} Isolates */

const names = /** @type {const} */ (["a", "b", "c"]);

/** @param {number} count @param {() => Promise<T>} make @template T */
const times = (count, make) => Promise.all(Array.from({ length: count }, make));

describe("issuing", () => {
  /** @type {Isolates} */
  let isolates;
  beforeEach(async () => {
    isolates = await startIsolates();
  });
  afterEach(() => isolates.close());

  test("three isolates issue 300,000 ids at once, none twice", async () => {
    // Each isolate: 10 clients at once, which ask one time after the other.
    const chains = await Promise.all(
      names.flatMap((name) =>
        Array.from({ length: 10 }, async () => {
          const ids = [];
          for (let i = 0; i < 10; i++) ids.push(...(await isolates.ids(name, 1_000)));
          return { name, ids };
        }),
      ),
    );
    const all = chains.flatMap(({ ids }) => ids);
    assert.equal(all.length, 300_000);
    assert.equal(countRepeated(all), 0);
    for (const { ids } of chains) assert.ok(ascend(ids), "ids of one span ascend");

    const nodes = names.map((name) => {
      const ids = chains.filter((chain) => chain.name === name).flatMap((chain) => chain.ids);
      return [...new Set(ids.map(nodeOf))];
    });
    assert.deepEqual(nodes.flat().sort(), [1, 2, 3], "each isolate has a node of its own");

    const now = Date.now();
    assert.ok(
      all.every((id) => Math.abs(millisOf(id) - now) < 60_000),
      "ids carry the time",
    );
  });

  test("50 cold requests make one grant", async () => {
    const ids = await times(50, () => isolates.ids("a", 10));
    assert.equal(countRepeated(ids.flat()), 0);
    assert.equal(await isolates.calls(), 1);
    assert.equal((await isolates.sql("SELECT * FROM node")).length, 1);
  });

  test("50 cold requests make one grant when the authority takes 3 s", async () => {
    await isolates.fetch("a", "/test?delay_ms=3000");
    const ids = await times(50, () => isolates.ids("b", 10));
    assert.equal(countRepeated(ids.flat()), 0);
    assert.equal((await isolates.sql("SELECT * FROM node")).length, 1);
  });

  test("50 cold requests make one grant when the first client goes away", async () => {
    await isolates.fetch("a", "/test?delay_ms=500");
    const first = request(new URL("/v1/ids", isolates.url), { method: "POST" });
    first.end();
    while ((await isolates.calls()) === 0);
    first.destroy();
    await assert.rejects(once(first, "close"), /socket hang up/);

    const ids = await times(49, () => isolates.ids("a", 10));
    assert.equal(countRepeated(ids.flat()), 0);
    assert.equal(await isolates.calls(), 1, "the call of the first request was not lost");
    assert.equal((await isolates.sql("SELECT * FROM node")).length, 1);
  });

  test("an isolate asks the authority once, not once an id", async () => {
    for (let i = 0; i < 100; i++) await isolates.ids("a", 10);
    assert.equal(await isolates.calls(), 1);
  });

  test("a lease is renewed while ids are issued, and the isolate keeps its node", async () => {
    await isolates.close();
    isolates = await startIsolates({ LEASE_MILLIS: "1500", ALLOWED_FUTURE_MILLIS: "500" });
    const until = async () => (await isolates.sql("SELECT until_tick FROM node"))[0].until_tick;
    const all = await isolates.ids("a", 1);
    const granted = await until();
    // Until two leases after the grant; each renewal adds less than one.
    while (Number(await until()) < Number(granted) + 3_000) {
      all.push(...(await isolates.ids("a", 1)));
    }
    assert.ok(ascend(all));
    assert.deepEqual([...new Set(all.map(nodeOf))], [1]);
    assert.equal((await isolates.sql("SELECT * FROM node")).length, 1);
    const calls = await isolates.calls();
    assert.ok(calls >= 4 && calls <= 8, `one grant and a renewal each half lease: ${calls} calls`);
  });

  test("an evicted authority goes on from its rows", async () => {
    const [before] = await isolates.ids("a", 1);
    await isolates.evictAuthority();
    const [other] = await isolates.ids("b", 1);
    assert.deepEqual([before, other].map(nodeOf), [1, 2]);
  });

  test("a row that changed behind the authority is never granted over", async () => {
    await isolates.ids("a", 1);
    // As another instance of the object would, of which this one knows nothing.
    await isolates.sql(
      "INSERT INTO node SELECT 2, from_tick, until_tick, '0123456789abcdef0123456789abcdef', " +
        "0, 0, 0 FROM node WHERE node = 1",
    );
    const [id] = await isolates.ids("b", 1);
    assert.equal(nodeOf(id), 3);
    assert.equal(await isolates.calls(), 3, "a's, b's that found the change, b's second");
  });
});
