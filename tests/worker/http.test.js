// Checks the methods, problems and parameters that all routes share, how ids are written into a
// response, and the routes that read ids.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { encodings } from "edgeflake";
import { repository } from "../../tools/build/published.js";
import { startCluster } from "./harness/cluster.js";
import { ascend, countRepeated, millisOf, nodeOf } from "./harness/ids.js";

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;
before(async () => {
  // Variables without the prefix belong to other programs.
  const others = { LAYOUT: "list", SHARDS: "three", ISSUE_TOKEN: "theirs" };
  cluster = await startCluster(["a", "b"], others);
});
after(() => cluster.close());

test("health and readiness", async () => {
  for (const [method, path, text] of [
    ["GET", "/healthz", '{"status":"ok"}'],
    ["HEAD", "/healthz", ""],
    ["GET", "/readyz", '{"status":"ok"}'],
    ["HEAD", "/readyz", ""],
  ]) {
    const answer = await cluster.send("b", method, path);
    assert.deepEqual([answer.status, answer.text], [200, text]);
    assert.equal(answer.headers.get("content-type"), "application/json");
    assert.equal(answer.headers.get("cache-control"), "no-store");
  }
});

test("each route needs the role that is written here", () => {
  // http-access.test.js holds the Worker against the roles of this file.
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

test("OPTIONS says which methods there are", async () => {
  for (const [path, allow] of [
    ["/v1/ids", "POST, OPTIONS"],
    ["/v1/sequencers/default/ids", "POST, OPTIONS"],
    ["/healthz", "GET, HEAD, OPTIONS"],
  ]) {
    const { status, headers, text } = await cluster.send("a", "OPTIONS", path);
    assert.deepEqual([status, headers.get("allow"), text], [204, allow, ""], path);
    assert.equal(headers.get("access-control-allow-origin"), null, path);
  }
});

describe("problems", () => {
  const counts = "a whole number from 1 to 100000 is allowed";
  const post = "this path takes POST, OPTIONS";
  const names = encodings();
  const encodingsAllowed = `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are allowed`;

  /** Requests with their details, by status and type. @type {Record<string, [string, string][]>} */
  const refused = {
    "400 invalid-parameter": [
      ["POST /v1/ids?count=0", `count is "0": ${counts}`],
      ["POST /v1/ids?count=100001", `count is "100001": ${counts}`],
      ["POST /v1/ids?count=1&count=1", "count is given twice: give it once"],
      [
        "POST /v1/ids?cuont=1",
        'there is a parameter "cuont" (did you mean count?): count, format, encoding and tag are allowed',
      ],
      ["POST /v1/ids?format=xml", 'format is "xml": json, text and binary are allowed'],
      ["POST /v1/ids?encoding=hexadecimal", `encoding is "hexadecimal": ${encodingsAllowed}`],
      [
        "POST /v1/ids?format=binary&encoding=hex",
        "encoding is given with format=binary: leave it out, or ask for json or text",
      ],
      [
        "GET /v1/range?from=2",
        "there is no parameter until: Unix ms and RFC 3339 dates are allowed",
      ],
      [
        "GET /v1/range?from=1&until=2&layout=twitter&node=datacenter=3,worker=40",
        "worker is 40: at most 31 is allowed",
      ],
    ],
    "400 invalid-name": [
      [
        "POST /v1/sequencers/orderItems/ids",
        'the sequencer\'s name is "orderItems": 1 to 63 of a-z, 0-9 and - are allowed, such as order-items',
      ],
    ],
    "400 invalid-id": [
      ["GET /v1/decode/1%2F2", `the id is "1/2": ${encodingsAllowed}, up to 64 bits`],
    ],
    "422 unused-bits": [
      [
        "GET /v1/decode/-1?layout=twitter",
        "bits 0x8000000000000000 are set, which the layout does not use: choose another layout",
      ],
    ],
    "422 invalid-window": [
      [
        "GET /v1/range?from=2&until=1",
        "a window from 1970-01-01T00:00:00.002Z until 1970-01-01T00:00:00.001Z is empty: the end must be after the start",
      ],
    ],
    "404 unknown-sequencer": [
      [
        "POST /v1/sequencers/orders/ids",
        'no sequencer is named "orders": create it by PUT /v1/sequencers/orders, or by admin.create("orders") of edgeflake/authority',
      ],
    ],
    "404 not-found": [
      [
        "GET /v1/ids/",
        `nothing is at "/v1/ids/": ${repository}/blob/main/docs/API.md lists what there is`,
      ],
    ],
    "405 method-not-allowed": [
      ["GET /v1/ids", `the method is "GET": ${post}`],
      ["PUT /v1/ids?count=0", `the method is "PUT": ${post}`],
      ["POST /healthz", 'the method is "POST": this path takes GET, HEAD, OPTIONS'],
    ],
  };

  for (const [answer, rows] of Object.entries(refused)) {
    test(answer, async () => {
      for (const [request, detail] of rows) {
        const [method, path] = request.split(" ");
        const { status, headers, body } = await cluster.send("a", method, path);
        assert.equal(`${status} ${body.type}`, answer.replace(" ", " /problems/"), request);
        assert.deepEqual([body.status, body.detail], [status, detail]);
        assert.ok(body.title.length > 0);
        assert.equal(headers.get("content-type"), "application/problem+json");
        assert.equal(headers.get("cache-control"), "no-store");
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        const allowed = status === 405 ? detail.split("takes ")[1] : null;
        assert.equal(headers.get("allow"), allowed);
      }
    });
  }

  test("issue and create nothing", async () => {
    assert.deepEqual(await cluster.sql("SELECT node FROM node"), []);
    assert.deepEqual(await cluster.sql("SELECT * FROM sequencer"), []);
    await cluster.ids("a", 1);
    assert.equal((await cluster.sql("SELECT node FROM node")).length, 1);
  });
});

/** @param {string} path */
async function get(path) {
  const { status, text, body } = await cluster.send("a", "GET", path);
  assert.equal(status, 200, text);
  return body;
}

test("an id is written and read in each encoding", async () => {
  const [id] = await cluster.ids("b", 1);
  const decoded = await get(`/v1/decode/${id}?layout=hazelcast`);
  assert.deepEqual([decoded.id, decoded.encoding], [`${id}`, "decimal"]);
  const [{ preset, node, instant, instant_ms, warnings }] = decoded.readings;
  assert.deepEqual([preset, node, warnings], ["hazelcast", `${nodeOf(id)}`, []]);
  assert.equal(new Date(instant).getTime(), instant_ms);
  assert.ok(Math.abs(instant_ms - Date.now()) < 60_000);

  const texts = Object.entries(decoded.texts);
  assert.equal(texts.length, 13);
  let last = id;
  for (const [encoding, text] of texts) {
    const again = await get(`/v1/decode/${text}?encoding=${encoding}`);
    assert.deepEqual([again.id, again.encoding], [`${id}`, encoding]);
    assert.ok(again.readings.some((/** @type {any} */ reading) => reading.preset === "hazelcast"));

    const issue = (/** @type {string} */ more) =>
      cluster.send("b", "POST", `/v1/ids?count=2&encoding=${encoding}${more}`);
    const lines = (await issue("&format=text")).text.trimEnd().split("\n");
    const issued = [...lines, ...(await issue("")).body.ids];
    assert.equal(issued.length, 4);
    for (const text of issued) {
      const next = BigInt((await get(`/v1/decode/${text}?encoding=${encoding}`)).id);
      assert.ok(next > last && nodeOf(next) === nodeOf(id), `${encoding}: ${text}`);
      last = next;
    }
  }
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
    assert.deepEqual([status, headers.get("content-type")], [200, type], query);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(text, pattern);
    const ids = text.match(/\d{18,19}/g)?.map(BigInt) ?? [];
    assert.equal(ids.length, count);
    all.push(...ids);
  }
  // The ids are read as big-endian numbers.
  all.push(...(await cluster.ids("b", 10_000)));
  assert.equal(all.length, 110_007);
  assert.ok(ascend(all));
  assert.equal(countRepeated(all), 0);
  assert.ok(all.every((id) => Math.abs(millisOf(id) - Date.now()) < 60_000));
});

test("each answer has headers of its own, which say where its ids come from", async (context) => {
  const token = "admin-token-of-tests";
  const own = await startCluster(["holder", "a"], {
    EDGEFLAKE_NODE_COUNT: "2",
    EDGEFLAKE_ADMIN_TOKEN: token,
  });
  context.after(() => own.close());
  await own.turnAll({ frozen_ms: 1_790_000_000_000 });
  for (const method of ["PUT", "DELETE", "PUT"]) {
    const { status, text } = await own.send("a", method, "/v1/sequencers/orders", { token });
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
