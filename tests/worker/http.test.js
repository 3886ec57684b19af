// Checks the methods, problems and parameters that all routes share, how ids are written into a
// response, and the routes that read ids.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { clusterOf, startCluster } from "./harness/cluster.js";
import { ascend, countRepeated, millisOf, nodeOf } from "./harness/ids.js";

const TOKEN = "admin-token-of-tests";

// Variables without the prefix EDGEFLAKE_ belong to other programs.
const others = { LAYOUT: "list", SHARDS: "three", ISSUE_TOKEN: "theirs" };
const cluster = clusterOf([["a", "b"], { ...others, EDGEFLAKE_ADMIN_TOKEN: TOKEN }]);

test("each route needs the role that is written here", () => {
  // http-access.test.js checks that the Worker follows the roles in openapi.json.
  const file = new URL("../../www/openapi.json", import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, "utf8"));
  /** @type {Record<string, string>} */
  const needed = {};
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(operations)) {
      const tokens = security.flatMap((/** @type {object} */ scheme) => Object.keys(scheme));
      const roles = ["read", "issue", "lease", "admin"];
      const isLowest = (/** @type {string} */ role) => tokens.includes(`edgeflake_${role}_token`);
      needed[`${method.toUpperCase()} ${path}`] = roles.find(isLowest) ?? "none";
    }
  }
  assert.deepEqual(needed, {
    "POST /v1/ids": "issue",
    "GET /v1/decode/{id}": "none",
    "GET /v1/range": "none",
    "GET /healthz": "none",
    "GET /readyz": "none",
    "GET /metrics": "read",
    "POST /v1/sequencers/{name}/ids": "issue",
    "GET /v1/sequencers/{name}": "read",
    "GET /v1/sequencers/{name}/nodes": "read",
    "PUT /v1/sequencers/{name}": "admin",
    "PATCH /v1/sequencers/{name}": "admin",
    "DELETE /v1/sequencers/{name}": "admin",
    "POST /v1/sequencers/{name}/leases": "lease",
    "POST /v1/sequencers/{name}/leases/renew": "lease",
    "POST /v1/sequencers/{name}/leases/release": "lease",
    "POST /v1/sequencers/{name}/batches": "lease",
  });
});

// Each line of http.txt is `METHOD PATH [BODY] -> STATUS EXPECTED`. EXPECTED is the body of the answer
// or, for a refusal, `TYPE: DETAIL`. "..." stands for any text.
describe("http.txt", () => {
  for (const line of readFileSync(new URL("http.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")) {
    const [request, answer] = line.split(" -> ");
    test(request, async () => {
      const [method, path, body] = request.split(" ");
      const found = await cluster.send("a", method, path, { token: TOKEN, body });
      const { status, headers, body: problem } = found;
      const isRefused = status >= 400;
      assert.match(found.said, RegExp(`^${answer.split("...").map(RegExp.escape).join(".*")}$`));
      const type = isRefused ? "application/problem+json" : "application/json";
      assert.equal(headers.get("content-type"), type);
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      if (!isRefused) return;
      assert.equal(problem.status, status);
      assert.ok(problem.title.length > 0);
      const allowed = status === 405 ? problem.detail.split("takes ")[1] : null;
      assert.equal(headers.get("allow"), allowed);
      if (allowed === null) return;
      const asked = await cluster.send("a", "OPTIONS", path);
      assert.deepEqual([asked.status, asked.headers.get("allow"), asked.text], [204, allowed, ""]);
    });
  }

  test("issue and create nothing", async () => {
    assert.deepEqual(await cluster.sql("SELECT node FROM node"), []);
    assert.deepEqual(await cluster.sql("SELECT * FROM sequencer"), []);
    await cluster.ids("a", 1);
    assert.equal((await cluster.sql("SELECT node FROM node")).length, 1);
  });
});

test("an id is issued in another encoding, and is decoded", async () => {
  const decode = async (/** @type {string} */ text, /** @type {string} */ query) =>
    (await cluster.send("a", "GET", `/v1/decode/${text}?${query}`)).body;
  const [id] = await cluster.ids("b", 1);
  const decoded = await decode(`${id}`, "layout=hazelcast");
  assert.deepEqual([decoded.id, decoded.encoding], [`${id}`, "decimal"]);
  const [{ preset, node, instant, instant_ms, warnings }] = decoded.readings;
  assert.deepEqual([preset, node, warnings], ["hazelcast", `${nodeOf(id)}`, []]);
  assert.equal(new Date(instant).getTime(), instant_ms);
  assert.ok(Math.abs(instant_ms - Date.now()) < 60_000);

  const path = "/v1/ids?count=2&encoding=base58";
  const lines = (await cluster.send("b", "POST", `${path}&format=text`)).text.trimEnd().split("\n");
  const issued = [...lines, ...(await cluster.send("b", "POST", path)).body.ids];
  const ids = issued.map(async (text) => BigInt((await decode(text, "encoding=base58")).id));
  assert.ok(ascend([id, ...(await Promise.all(ids))]));
});

test("json, text and binary have ids of one run", async () => {
  /** @type {bigint[]} */
  const all = [];
  for (const [query, type, pattern, count] of /** @type {const} */ ([
    ["", "application/json", /^\{"ids":\["\d{18,19}"\]\}$/, 1],
    ["?count=3", "application/json", /^\{"ids":\["\d{18,19}","\d{18,19}","\d{18,19}"\]\}$/, 3],
    ["?count=3&format=text", "text/plain; charset=utf-8", /^(\d{18,19}\n){3}$/, 3],
    ["?count=100000", "application/json", /^\{"ids":\[.+\]\}$/, 100_000],
  ])) {
    const { status, headers, text } = await cluster.send("b", "POST", `/v1/ids${query}`);
    const names = ["content-type", "cache-control", "x-content-type-options"];
    const said = names.map((name) => headers.get(name));
    assert.deepEqual([status, ...said], [200, type, "no-store", "nosniff"], query);
    assert.match(text, pattern);
    const ids = text.match(/\d{18,19}/g)?.map(BigInt) ?? [];
    assert.equal(ids.length, count);
    all.push(...ids);
  }
  // `cluster.ids` uses the format `binary`, and reads the ids as big-endian numbers.
  all.push(...(await cluster.ids("b", 10_000)));
  assert.equal(all.length, 110_007);
  assert.ok(ascend(all));
  assert.equal(countRepeated(all), 0);
  assert.ok(all.every((id) => Math.abs(millisOf(id) - Date.now()) < 60_000));
});

test("each answer has headers of its own, which say where its ids come from", async (context) => {
  const own = await startCluster(["holder", "a"], {
    EDGEFLAKE_NODE_COUNT: "2",
    EDGEFLAKE_ADMIN_TOKEN: TOKEN,
  });
  context.after(() => own.close());
  await own.turnAll({ frozen_ms: 1_790_000_000_000 });
  for (const method of ["PUT", "DELETE", "PUT"]) {
    const { status, text } = await own.send("a", method, "/v1/sequencers/orders", { token: TOKEN });
    assert.ok(status < 300, text);
  }
  await own.ids("holder", 1);
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
    const { headers } = await own.send("a", "POST", path);
    const said = ["node", "incarnation", "span"].map((name) => headers.get(`edgeflake-${name}`));
    assert.deepEqual(said, from, path);
    assert.equal(headers.get("edgeflake-ahead-millis"), ahead, path);
    assert.equal(headers.get("content-type"), type, path);
  }
});
