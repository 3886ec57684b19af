// What another Worker can call that binds this one as a service.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestHarness } from "wrangler";
import { ascend, countRepeated } from "./harness/ids.js";
import { json } from "./harness/isolates.js";

const root = new URL("../..", import.meta.url).pathname;
const compatibility_date = "2026-10-01";

/** @param {string} name @param {string} main @param {Record<string, string>} [vars] */
const built = (name, main, vars = {}) => ({
  config: {
    name,
    main,
    compatibility_date,
    vars,
    durable_objects: {
      bindings: [
        { name: "AUTHORITY", class_name: "Authority" },
        { name: "DIRECTORY", class_name: "Directory" },
      ],
    },
    migrations: [{ tag: "v1", new_sqlite_classes: ["Authority", "Directory"] }],
  },
});

/** @type {ReturnType<typeof createTestHarness>} */
let harness;
before(async () => {
  harness = createTestHarness({
    root,
    workers: [
      {
        config: {
          name: "caller",
          main: "tests/worker/harness/caller.js",
          compatibility_date,
          services: [{ binding: "IDS", service: "ids" }],
        },
      },
      // Without any variable: a service binding needs no token.
      built("ids", "build/worker/index.js"),
      built("exports", "tests/worker/harness/exports.js", { EDGEFLAKE_PUBLIC_ISSUE: "true" }),
      // Draws its random bits once.
      built("panics", "tests/worker/harness/exports.js"),
    ],
  });
  await harness.listen();
});
after(() => harness.close());

/**
 * @param {string} method
 * @param {unknown[]} args bigints as strings such as "1n"
 */
async function call(method, ...args) {
  const body = JSON.stringify({ method, args });
  return json(await harness.getWorker("caller").fetch("/", { method: "POST", body }));
}

/** @param {string} text */
const bigint = (text) => BigInt(text.replace(/n$/, ""));

test("next and batch issue ids of one run", async () => {
  const first = await call("next");
  assert.equal(first.type, "bigint");
  const batch = await call("batch", 1_000);
  assert.equal(batch.class, "BigUint64Array");
  const last = await call("next");
  const ids = [first.value, ...batch.value, last.value].map(bigint);
  assert.equal(ids.length, 1_002);
  assert.ok(ascend(ids));
  assert.equal(countRepeated(ids), 0);
  assert.equal((await call("batch", 100_000)).value.length, 100_000);
});

test("decode takes a bigint or a text apart", async () => {
  const { value } = await call("decode", "1541815603606036480n", "twitter");
  assert.equal(value.id, "1541815603606036480");
  assert.deepEqual([value.readings.length, value.readings[0].node], [1, "378"]);
  const hex = await call("decode", "1565a1b3d9800000", null);
  assert.equal(hex.value.encoding, "hex");
  assert.ok(hex.value.readings.length > 1);
});

for (const [method, args, error] of /** @type {[string, unknown[], string][]} */ ([
  ["batch", [], "invalid-parameter: count is "],
  ["batch", [0], "invalid-parameter: count is "],
  ["batch", [1.5], "invalid-parameter: count is "],
  ["batch", [-1], "invalid-parameter: count is "],
  ["batch", [100_001], "invalid-parameter: count is "],
  ["batch", ["3"], "invalid-parameter: count is "],
  ["batch", ["3n"], "invalid-parameter: count is "],
  ["decode", [1], "invalid-id: the id is "],
  ["decode", ["18446744073709551616n"], "invalid-id: the id is "],
  ["decode", ["1!"], 'invalid-id: the id is "1!": '],
  ["decode", ["1n", "twiter"], 'invalid-parameter: layout is "twiter", '],
  ["decode", ["1n", 7], "invalid-parameter: layout is "],
])) {
  test(`${method}(${args.join()}) is refused`, async () => {
    const refused = await call(method, ...args);
    assert.ok(refused.error?.startsWith(error), JSON.stringify(refused));
  });
}

test("nothing else is callable", async () => {
  const { callable } = await json(await harness.getWorker("exports").fetch("/"));
  assert.deepEqual(callable.sort(), ["batch", "constructor", "decode", "fetch", "next"]);
  for (const method of ["issue", "memory", "env", "constructor", "answer", "_worker_fetch"]) {
    const refused = await call(method);
    assert.ok(refused.error, `${method}: ${JSON.stringify(refused)}`);
  }
});

test("an answer that is there at once is no promise", async () => {
  const { isAnsweredAtOnce, status } = await json(await harness.getWorker("exports").fetch("/"));
  assert.deepEqual({ isAnsweredAtOnce, status }, { isAnsweredAtOnce: true, status: 200 });
});

test("an id takes five calls from WebAssembly", async () => {
  const calls = await json(await harness.getWorker("exports").fetch("/calls"));
  assert.deepEqual(calls, ["jsval_eq", "url", "method", "now", "issuedText"]);
});

test("after a panic the next request finds a Worker that works", async () => {
  const ends = await json(await harness.getWorker("panics").fetch("/panic"));
  assert.deepEqual(ends, ["RuntimeError", 200, 200]);
});
