// How ids are written into a response, and what its headers say.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { ascend, countRepeated, millisOf } from "./harness/ids.js";

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
afterEach(() => cluster.close());

test("json, text and binary have ids of one run", async () => {
  cluster = await startCluster(["a"]);
  /** @type {bigint[]} */
  const all = [];
  for (const [query, type, pattern, count] of /** @type {const} */ ([
    ["", "application/json", /^\{"ids":\["\d{18,19}"\]\}$/, 1],
    ["?count=3", "application/json", /^\{"ids":\["\d{18,19}","\d{18,19}","\d{18,19}"\]\}$/, 3],
    ["?count=3&format=text", "text/plain; charset=utf-8", /^(\d{18,19}\n){3}$/, 3],
    ["?count=100000", "application/json", /^\{"ids":\[.+\]\}$/, 100_000],
  ])) {
    const { status, headers, text } = await cluster.send("a", "POST", `/v1/ids${query}`);
    assert.deepEqual([status, headers.get("content-type")], [200, type], query);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(text, pattern);
    const ids = text.match(/\d{18,19}/g)?.map(BigInt) ?? [];
    assert.equal(ids.length, count);
    all.push(...ids);
  }
  // The ids are read as big-endian numbers.
  all.push(...(await cluster.ids("a", 10_000)));
  assert.equal(all.length, 110_007);
  assert.ok(ascend(all));
  assert.equal(countRepeated(all), 0);
  assert.ok(all.every((id) => Math.abs(millisOf(id) - Date.now()) < 60_000));
});

test("each answer has headers of its own, which say where its ids come from", async () => {
  const token = "admin-token-of-tests";
  cluster = await startCluster(["holder", "a"], {
    EDGEFLAKE_NODE_COUNT: "2",
    EDGEFLAKE_ADMIN_TOKEN: token,
  });
  await cluster.turnAll({ frozen_ms: 1_790_000_000_000 });
  for (const method of ["PUT", "DELETE", "PUT"]) {
    const { status, text } = await cluster.send("a", method, "/v1/sequencers/orders", { token });
    assert.ok(status < 300, text);
  }
  await cluster.ids("holder", 1);
  const batch = ["0", "1", null];
  const lease = ["1", "2", "275235200000/275235500000"];
  for (const [path, type, ahead, from] of /** @type {const} */ ([
    ["/v1/ids?count=64", "application/json", "0", batch],
    ["/v1/sequencers/orders/ids?count=64", "application/json", "0", lease],
    ["/v1/sequencers/orders/ids?format=binary", "application/octet-stream", "1", lease],
    ["/v1/ids?format=text", "text/plain; charset=utf-8", "1", batch],
    ["/v1/sequencers/orders/ids", "application/json", "1", lease],
    ["/v1/sequencers/orders/ids?count=638", "application/json", "10", lease],
    ["/v1/sequencers/orders/ids", "application/json", "11", lease],
    ["/v1/sequencers/default/ids", "application/json", "1", batch],
  ])) {
    const { headers } = await cluster.send("a", "POST", path);
    const said = ["node", "incarnation", "span"].map((name) => headers.get(`edgeflake-${name}`));
    assert.deepEqual(said, from, path);
    assert.equal(headers.get("edgeflake-ahead-millis"), ahead, path);
    assert.equal(headers.get("content-type"), type, path);
  }
});
