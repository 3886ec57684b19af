import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { ascend, countRepeated, millisOf, nodeOf, nodesOf, together } from "./harness/ids.js";

const names = ["a", "b", "c"];

/** @param {number} count @param {() => Promise<T>} make @template T */
const times = (count, make) => Promise.all(Array.from({ length: count }, make));

describe("issuing", () => {
  /** @type {import("./harness/cluster.js").Cluster} */
  let cluster;
  beforeEach(async () => {
    cluster = await startCluster(names);
  });
  afterEach(() => cluster.close());

  /**
   * Slows the clocks down. A holder repeats a call after 1.5 s of its own clock, which take 15 s
   * here, so that a slow machine does not look like a lost call.
   */
  const runSlowly = () => cluster.turnAll({ speed: 0.1 });
  const calls = async () => (await cluster.calls()).calls;
  const rows = () => cluster.sql("SELECT * FROM node");

  test("three isolates issue 300,000 ids at once, none twice", async () => {
    // Each isolate has 10 concurrent clients, which each send one request after the other.
    const chains = await Promise.all(
      names.flatMap((name) =>
        Array.from({ length: 10 }, async () => {
          const answers = [];
          for (let i = 0; i < 10; i++) answers.push(await cluster.ids(name, 1_000));
          return { name, ids: together(answers) };
        }),
      ),
    );
    const all = together(chains.map(({ ids }) => ids));
    assert.equal(all.length, 300_000);
    assert.equal(countRepeated(all), 0);
    for (const { ids } of chains) assert.ok(ascend(ids), "ids of one span ascend");

    const nodes = names.map((name) =>
      nodesOf(together(chains.filter((chain) => chain.name === name).map(({ ids }) => ids))),
    );
    assert.deepEqual(nodes.flat().sort(), [1, 2, 3], "each isolate has a node of its own");

    const now = Date.now();
    assert.ok(
      all.every((id) => Math.abs(millisOf(id) - now) < 60_000),
      "ids carry the time",
    );
  });

  test("50 cold requests make one grant when the authority takes 3 s", async () => {
    await cluster.turnAuthority({ delay_ms: 3_000 });
    const ids = await times(50, () => cluster.ids("b", 10));
    assert.equal(countRepeated(together(ids)), 0);
    assert.equal((await rows()).length, 1);
  });

  test("50 cold requests make one grant when the first client goes away", async () => {
    await runSlowly();
    await cluster.turnAuthority({ delay_ms: 500 });
    const client = new AbortController();
    const first = cluster.fetch("a", "/v1/ids", { signal: client.signal });
    while ((await calls()) === 0);
    client.abort();
    await assert.rejects(first, /aborted/);

    const ids = await times(49, () => cluster.ids("a", 10));
    assert.equal(countRepeated(together(ids)), 0);
    assert.equal(await calls(), 1, "the call of the first request was not lost");
    assert.equal((await rows()).length, 1);
  });

  test("Q13 a row that changed behind the authority is never granted over", async () => {
    await runSlowly();
    await cluster.ids("a", 1);
    // Another instance of the object would change the row like this, unnoticed by this one.
    await cluster.sql(
      "INSERT INTO node SELECT 2, from_tick, until_tick, 0, '0123456789abcdef0123456789abcdef', " +
        "0, 0, 0 FROM node WHERE node = 1",
    );
    const [id] = await cluster.ids("b", 1);
    assert.equal(nodeOf(id), 3);
    assert.equal(await calls(), 3, "a's, b's that found the change, b's second");
  });
});
