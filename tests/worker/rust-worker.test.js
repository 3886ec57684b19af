// Tests the crate `edgeflake-workers` in a Worker in Rust, which is built from rust-worker/.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Layout, parse } from "edgeflake";
import { bound, harnessOf, migrations } from "../harness/wrangler.js";
import { countRepeated } from "./harness/ids.js";

const objects = { durable_objects: bound(), migrations };

const edgeflake = {
  main: "build/worker/index.js",
  vars: { EDGEFLAKE_PUBLIC_ISSUE: "true" },
  ...objects,
};

const overloaded = { main: "tests/worker/rust-worker/overloaded.js", ...objects };

/**
 * Runs the Worker for the tests of a suite.
 *
 * @param {object} config
 * @param {Record<string, object>} [beside] other Workers, by name
 */
function runWorker(config, beside) {
  const harness = harnessOf({ rust: { main: "build/rust-worker/index.js", ...config }, ...beside });
  before(() => harness.listen());
  after(() => harness.close());
  const text = async (/** @type {string} */ path) => {
    const response = await harness.fetch(path);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  };
  const separator = (/** @type {string} */ path) => (path.includes("?") ? "&" : "?");
  return {
    harness,
    fetch: harness.fetch,
    text,
    id: async (path = "/next") => BigInt(await text(path)),
    /** Returns the text of an error. @param {string} path */
    error: (path) => text(`${path}${separator(path)}told`),
  };
}

/** @param {(bigint | string)[]} ids */
const isRepeated = (ids) => countRepeated(BigUint64Array.from(ids, BigInt)) > 0;

describe("with objects of its own", () => {
  const { bindings } = bound();
  const caller = { name: "CALLER", class_name: "Caller" };
  const upgraded = { name: "UPGRADED", class_name: "Upgraded" };
  const worker = runWorker({
    durable_objects: { bindings: [...bindings, caller, upgraded] },
    migrations: [...migrations, { tag: "v2", new_sqlite_classes: ["Caller", "Upgraded"] }],
  });

  test("an id as text, and a batch", async () => {
    const before = await worker.id();
    assert.ok(before < parse(await worker.text("/next_string"), "base62"));
    const ids = (await worker.text("/batch?count=100000")).split(",");
    assert.deepEqual([ids.length, isRepeated(ids)], [100_000, false]);
    assert.equal(
      await worker.error("/batch?count=100001"),
      "invalid-parameter None count is 100001: give a whole number from 1 to 100000",
    );
  });

  test("a scheduled event, and a Durable Object", async () => {
    const before = await worker.id();
    await worker.harness.getWorker("rust").scheduled({ cron: "* * * * *" });
    const scheduled = await worker.id("/scheduled");
    assert.ok(before < scheduled && scheduled < (await worker.id()));
    assert.ok((await worker.id("/object")) > scheduled);
  });

  test("a sequencer by name is created, issues, and is destroyed", async () => {
    const next = "/next?sequencer=orders";
    const unknown =
      'unknown-sequencer None no sequencer is named "orders": create it by PUT ' +
      '/v1/sequencers/orders, or by admin.create("orders") of edgeflake/authority';
    assert.equal(await worker.error(next), unknown);
    for (const _ of [1, 2]) await worker.text("/create?name=orders&layout=twitter&shards=4");
    const ids = [await worker.id(next), await worker.id(next)];
    assert.ok(ids[0] < ids[1]);
    const bound = /^sequencer-already-registered None the sequencer "orders" is bound to another /;
    assert.match(await worker.error("/create?name=orders&layout=leaf"), bound);
    await worker.text("/destroy?name=orders");
    // The isolate gives up its own lease at once.
    assert.match(await worker.error(next), /^sequencer-destroyed /);
  });

  test("storage is upgraded once to an invented version 2, which code of version 1 refuses", async () => {
    const upgrade = (/** @type {number} */ versions, /** @type {string} */ sql) =>
      worker.text(`/upgrade?versions=${versions}&sql=${encodeURIComponent(sql)}`);
    const read = "SELECT version, session, proof.* FROM schema, proof";
    const version1 = { version: 1, session: 3, id: 1, written_ms: 5 };
    await upgrade(1, "INSERT INTO proof VALUES (1, 5)");
    await upgrade(1, "UPDATE schema SET session = 3");
    assert.deepEqual(JSON.parse(await upgrade(1, read)), [version1]);
    for (const _ of [1, 2]) {
      const rows = JSON.parse(await upgrade(2, read));
      assert.deepEqual(rows, [{ ...version1, version: 2, added: 12 }]);
      const refusal =
        "the stored data cannot be read: the schema has version 2: this code reads at most 1";
      assert.equal(await upgrade(1, read), refusal);
    }
  });
});

describe("with objects of edgeflake's Worker", () => {
  const worker = runWorker({ durable_objects: bound("edgeflake") }, { edgeflake });

  async function idsOfBoth() {
    const other = worker.harness.getWorker("edgeflake");
    const response = await other.fetch("/v1/ids?count=1000", { method: "POST" });
    const { ids } = /** @type {any} */ (await response.json());
    return [...ids, ...(await worker.text("/batch?count=1000")).split(",")];
  }

  test("no id is issued twice, also after a panic", async () => {
    const ids = await idsOfBoth();
    const node = Layout.preset("hazelcast").decode(await worker.id()).node;
    await worker.fetch("/panic").catch(() => {});
    assert.ok(!isRepeated([...ids, ...(await idsOfBoth())]));
    assert.notEqual(Layout.preset("hazelcast").decode(await worker.id()).node, node);
  });
});

describe("without a binding", () => {
  const worker = runWorker({ migrations });

  test("the platform gives the objects by their classes", async () => {
    assert.ok((await worker.id()) > 0n);
    await worker.text("/create?name=orders");
    assert.ok((await worker.id("/next?sequencer=orders")) > 0n);
  });
});

describe("without objects", () => {
  const worker = runWorker({});

  test("an error says at once what is missing", async () => {
    const missing =
      "invalid-configuration None there is no binding AUTHORITY and no exported class Authority " +
      'with a migration: add { "name": "AUTHORITY", "class_name": "Authority" } to ' +
      "durable_objects.bindings";
    for (const path of ["/next", "/next?sequencer=orders", "/create?name=orders"]) {
      assert.equal(await worker.error(path), missing);
    }
  });
});

describe("with a variable that is not known", () => {
  const vars = { EDGEFLAKE_LAYUOT: "twitter" };
  const worker = runWorker({ ...objects, vars });

  test("it is named to each client, and once in the log", async () => {
    const said = await worker.error("/next");
    assert.match(said, /^invalid-configuration None the variable EDGEFLAKE_LAYUOT is not known: /);
    const response = await worker.fetch("/next");
    assert.deepEqual([response.status, response.headers.get("Retry-After")], [500, null]);
    const { error, detail } = /** @type {any} */ (await response.json());
    assert.equal(error, "invalid-configuration");
    assert.deepEqual(JSON.parse(await worker.text("/logged")), [
      { event: "configuration-refused", message: detail },
    ]);
  });
});

describe("with an authority that is overloaded", () => {
  const worker = runWorker({ durable_objects: bound("overloaded") }, { overloaded });

  test("clients are told when to try again", async () => {
    const response = await worker.fetch("/next");
    assert.equal(response.status, 503);
    assert.match(response.headers.get("Retry-After") ?? "", /^[1-9]\d*$/);
    const { error, detail } = /** @type {any} */ (await response.json());
    assert.equal(error, "overloaded");
    assert.match(detail, /^the authority is overloaded: retry in /);
    assert.match(await worker.error("/next"), /^overloaded Some\([1-9]\d*\) /);
  });
});
