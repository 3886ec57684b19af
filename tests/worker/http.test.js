// What every route has in common: methods, problems, parameters.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { repository } from "../../tools/build/repository.js";
import { json, startIsolates } from "./harness/isolates.js";

/** The page that lists the paths, as a path that is none answers. */
const API = `${repository}/blob/main/docs/API.md`;

/** @typedef {Awaited<ReturnType<typeof startIsolates>>} Isolates */

describe("HTTP", () => {
  /** @type {Isolates} */
  let isolates;
  before(async () => {
    isolates = await startIsolates();
  });
  after(() => isolates.close());

  test("health", async () => {
    const response = await isolates.fetch("b", "/healthz", "GET");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.deepEqual(await response.json(), { status: "ok" });
    const head = await isolates.fetch("b", "/healthz", "HEAD");
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-type"), "application/json");
    assert.equal(await head.text(), "");
  });

  for (const [path, allow] of [
    ["/v1/ids", "POST, OPTIONS"],
    ["/v1/sequencers/default/ids", "POST, OPTIONS"],
    ["/healthz", "GET, HEAD, OPTIONS"],
  ]) {
    test(`OPTIONS ${path} says which methods there are`, async () => {
      const response = await isolates.fetch("a", path, "OPTIONS");
      assert.equal(response.status, 204);
      assert.equal(response.headers.get("allow"), allow);
      assert.equal(response.headers.get("access-control-allow-origin"), null);
      assert.equal(await response.text(), "");
    });
  }

  const counts = "a whole number from 1 to 100000 is allowed";
  const names = "1 to 63 of a-z, 0-9 and - are allowed";
  const post = "this path takes POST, OPTIONS";
  for (const [method, path, status, type, detail] of /** @type {const} */ ([
    ["POST", "/v1/ids?count=0", 400, "invalid-parameter", `count is "0": ${counts}`],
    ["POST", "/v1/ids?count=-1", 400, "invalid-parameter", `count is "-1": ${counts}`],
    ["POST", "/v1/ids?count=abc", 400, "invalid-parameter", `count is "abc": ${counts}`],
    ["POST", "/v1/ids?count=1e3", 400, "invalid-parameter", `count is "1e3": ${counts}`],
    ["POST", "/v1/ids?count=100001", 400, "invalid-parameter", `count is "100001": ${counts}`],
    [
      "POST",
      "/v1/ids?count=99999999999999999999",
      400,
      "invalid-parameter",
      `count is "99999999999999999999": ${counts}`,
    ],
    ["POST", "/v1/ids?count=", 400, "invalid-parameter", `count is "": ${counts}`],
    [
      "POST",
      "/v1/ids?count=1&count=1",
      400,
      "invalid-parameter",
      "count is given twice: give it once",
    ],
    [
      "POST",
      "/v1/ids?cuont=1",
      400,
      "invalid-parameter",
      'there is a parameter "cuont" (did you mean count?): count, format, encoding and tag are allowed',
    ],
    [
      "POST",
      "/v1/ids?format=xml",
      400,
      "invalid-parameter",
      'format is "xml": json, text and binary are allowed',
    ],
    [
      "POST",
      "/v1/ids?encoding=hexadecimal",
      400,
      "invalid-parameter",
      'encoding is "hexadecimal": decimal, signed-decimal, hex, binary, base32, z-base-32, ' +
        "base36, base58, base58-flickr, base62, base64url, base62-lower and base64url-bytes are " +
        "allowed",
    ],
    [
      "POST",
      "/v1/ids?format=binary&encoding=hex",
      400,
      "invalid-parameter",
      "encoding is given with format=binary: leave it out, or ask for json or text",
    ],
    [
      "POST",
      "/v1/sequencers/orderItems/ids",
      400,
      "invalid-name",
      `the sequencer's name is "orderItems": ${names}, such as order-items`,
    ],
    [
      "POST",
      "/v1/sequencers/orders/ids",
      404,
      "unknown-sequencer",
      'no sequencer is named "orders": create it first',
    ],
    ["GET", "/v1/ids", 405, "method-not-allowed", `the method is "GET": ${post}`],
    ["PUT", "/v1/ids?count=0", 405, "method-not-allowed", `the method is "PUT": ${post}`],
    [
      "POST",
      "/healthz",
      405,
      "method-not-allowed",
      'the method is "POST": this path takes GET, HEAD, OPTIONS',
    ],
    ["POST", "/v1/id", 404, "not-found", `nothing is at "/v1/id": ${API} lists what there is`],
    ["GET", "/v1/ids/", 404, "not-found", `nothing is at "/v1/ids/": ${API} lists what there is`],
  ])) {
    test(`${method} ${path} answers ${status}`, async () => {
      const response = await isolates.fetch("a", path, method);
      assert.equal(response.status, status);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      if (status === 405) {
        const allow = path === "/healthz" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
        assert.equal(response.headers.get("allow"), allow);
      }
      const problem = await json(response);
      assert.equal(problem.type, `/problems/${type}`);
      assert.equal(problem.status, status);
      assert.equal(problem.detail, detail);
      assert.ok(problem.title.length > 0);
    });
  }

  test("nothing was issued for any of these", async () => {
    assert.deepEqual(await isolates.sql("SELECT node FROM node"), []);
    assert.deepEqual(await isolates.sql("SELECT * FROM sequencer"), [], "nor was one created");
    await isolates.ids("a", 1);
    assert.equal((await isolates.sql("SELECT node FROM node")).length, 1);
  });

  for (const [vars, detail] of /** @type {[Record<string, string>, string][]} */ ([
    [
      { EDGEFLAKE_NODE_COUNT: "two" },
      'EDGEFLAKE_NODE_COUNT is "two": a whole number from 0 to 9007199254740991 is allowed',
    ],
    [
      { EDGEFLAKE_NODE_CUONT: "2" },
      "there is a variable EDGEFLAKE_NODE_CUONT, which is not known: the nearest is " +
        "EDGEFLAKE_NODE_COUNT",
    ],
  ])) {
    test(`a wrong variable is named: ${Object.keys(vars)}`, async () => {
      const wrong = await startIsolates(vars);
      try {
        const response = await wrong.fetch("a", "/v1/ids");
        assert.equal(response.status, 500);
        const problem = await json(response);
        assert.equal(problem.type, "/problems/invalid-configuration");
        assert.equal(problem.detail, detail);
        assert.equal(await wrong.calls(), 0);
      } finally {
        await wrong.close();
      }
    });
  }

  test("variables without the prefix are somebody else's", async () => {
    const other = await startIsolates({ LAYOUT: "list", SHARDS: "three", ISSUE_TOKEN: "theirs" });
    try {
      assert.equal((await other.ids("a", 3)).length, 3);
    } finally {
      await other.close();
    }
  });
});
