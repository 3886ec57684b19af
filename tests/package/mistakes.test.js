// Tests Workers whose configuration is wrong. Each error comes at once, is logged once, and says
// how to fix it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bound, classes, harnessOf, migrations } from "../harness/wrangler.js";

const TOKEN = "lease-token-of-tests";

/** The longest time that a request may take, in ms. In an outage it would take 5 s. */
const AT_ONCE_MS = 4_000;

/** The Workers, by name. @type {Record<string, any>} */
const workers = {
  layout: { migrations, vars: { EDGEFLAKE_LAYOUT: "hazlecast" } },
  words: { migrations, vars: { EDGEFLAKE_SHARDS: "two" } },
  unmigrated: {},
  classes: { migrations: [{ tag: "v1", new_classes: classes }] },
  directory: {
    migrations: [{ tag: "v1", new_sqlite_classes: ["Authority"], new_classes: ["Directory"] }],
  },
  unbound: { durable_objects: undefined },
  right: { migrations },
  static: { main: "tests/package/consumer/own/static.js", durable_objects: undefined },
  // edgeflake's Worker, configured to call the objects of another Worker.
  ids: {
    main: "build/worker/index.js",
    durable_objects: bound("layout"),
    vars: { EDGEFLAKE_LEASE_TOKEN: TOKEN, EDGEFLAKE_PUBLIC_ISSUE: "true" },
  },
  named: {
    main: "build/worker/index.js",
    durable_objects: bound("directory"),
    vars: { EDGEFLAKE_PUBLIC_ISSUE: "true" },
  },
  caller: { services: [{ binding: "IDS", service: "ids" }] },
  client: { services: [{ binding: "IDS", service: "ids" }], vars: { TOKEN } },
  // Before the compatibility date 2026-04-21, the platform drops the properties of errors.
  early: { compatibility_date: "2026-04-20", services: [{ binding: "IDS", service: "ids" }] },
};

const harness = harnessOf(
  Object.fromEntries(
    Object.entries(workers).map(([name, config]) => [
      name,
      { main: "tests/package/consumer/own/mistaken.js", durable_objects: bound(), ...config },
    ]),
  ),
);
before(() => harness.listen());
after(() => harness.close());

/** @param {string} worker @param {string} path @returns {Promise<any>} */
const ask = async (worker, path) => (await harness.getWorker(worker).fetch(path)).json();

/** How each message begins. @type {Record<string, string>} */
const TEXTS = {
  layout:
    'EDGEFLAKE_LAYOUT is "hazlecast": no preset is named hazlecast (did you mean hazelcast?): ',
  shards: "EDGEFLAKE_SHARDS is the string two: give an integer from 1 to 64",
  sqlite:
    "the classes Authority and Directory have no SQLite storage: in the Worker that exports them, " +
    'write "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Authority", "Directory"] }], with ' +
    "new_sqlite_classes and not new_classes",
  migration:
    'authority is a class without a migration: add { "tag": "v1", "new_sqlite_classes": ' +
    '["Authority", "Directory"] } to migrations',
  binding:
    'authority is undefined: if it is a binding, add { "name": "AUTHORITY", "class_name": ' +
    '"Authority" } to durable_objects.bindings; if it is a URL, its variable is not set',
  class:
    "there is no binding AUTHORITY and no exported class Authority with a migration: add { " +
    '"name": "AUTHORITY", "class_name": "Authority" } to durable_objects.bindings',
};

/** Each row has a Worker, a path, and the message of its errors. */
const MISTAKES = `
layout /lease layout
layout /create layout
words /lease shards
unmigrated /lease sqlite
classes /lease sqlite
classes /create sqlite
directory /create sqlite
unbound /exports migration
unbound /lease binding
unbound /create class
caller /rpc layout
client /http layout
early /rpc layout`;

for (const row of MISTAKES.trim().split("\n")) {
  const [worker, path, name] = row.split(" ");
  const text = TEXTS[name];
  test(row, async () => {
    const { errors, messages, tookMs } = await ask(worker, path);
    const [{ message }] = errors;
    assert.equal(message.slice(0, text.length), text);
    assert.deepEqual(errors, Array(3).fill({ code: "invalid-configuration", message }));
    assert.deepEqual(messages, [message]);
    assert.ok(tookMs < 3 * AT_ONCE_MS, `${tookMs} ms`);
  });
}

describe("edgeflake's Worker", () => {
  for (const [worker, path, text] of [
    ["ids", "/v1/ids", TEXTS.layout],
    ["named", "/v1/sequencers/orders/ids", TEXTS.sqlite],
  ]) {
    test(`${worker} answers 500 at once`, async () => {
      const startMs = Date.now();
      const response = await harness.getWorker(worker).fetch(path, { method: "POST" });
      const { type, detail } = /** @type {any} */ (await response.json());
      assert.deepEqual([response.status, type], [500, "/problems/invalid-configuration"]);
      assert.equal(detail.slice(0, text.length), text);
      assert.equal(response.headers.get("Retry-After"), null);
      assert.ok(Date.now() - startMs < AT_ONCE_MS);
    });
  }

  test("the error of a call over RPC names its code", async () => {
    const [{ code, message }] = (await ask("caller", "/ids")).errors;
    assert.equal(code, "invalid-configuration");
    assert.match(message, /^invalid-configuration: EDGEFLAKE_LAYOUT is "hazlecast"/);
  });
});

test("a Worker is warned of static nodes once, and told what module scope has not", async () => {
  const { errors, warnings } = await ask("static", "/");
  const text =
    "as at module scope of a Worker: create and use the generator in a handler, or lease a node with ";
  const early = `before-epoch: the clock is at 0, ${text}edgeflake/lease`;
  assert.deepEqual(errors, [
    early,
    early,
    `invalid-option: sequenceStart and gaps need random bits, and there are none, ${text}edgeflake/lease`,
    "undefined: no random bits at module scope: get ids in a handler",
  ]);
  assert.deepEqual(
    warnings,
    [1, 3].map(
      (node) =>
        `edgeflake: a Worker runs in many isolates at once, and two isolates that use node ${node} issue ` +
        "the same ids. Lease a node with edgeflake/lease; or, if only one isolate uses this node, " +
        "as in a Durable Object, set the option exclusive to true.",
    ),
  );
});
