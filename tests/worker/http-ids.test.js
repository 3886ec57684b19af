// How ids are written into a response, and what its headers say.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";
import { ascend, countRepeated, millisOf, nodeOf } from "./harness/ids.js";
import { json, startIsolates } from "./harness/isolates.js";

/** @typedef {Awaited<ReturnType<typeof startIsolates>>} Isolates */

describe("POST /v1/ids", () => {
  /** @type {Isolates} */
  let isolates;
  before(async () => {
    isolates = await startIsolates();
  });
  after(() => isolates.close());

  /** @param {string} query @param {string} [path] */
  async function issue(query, path = "/v1/ids") {
    const response = await isolates.fetch("a", path + query);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    return response;
  }

  test("json", async () => {
    const response = await issue("?count=3");
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.match(await response.text(), /^\{"ids":\["\d{18,19}","\d{18,19}","\d{18,19}"\]\}$/);
    assert.equal((await json(await issue(""))).ids.length, 1);
    assert.equal((await json(await issue("?count=100000"))).ids.length, 100_000);
  });

  test("text", async () => {
    const response = await issue("?count=3&format=text");
    assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(await response.text(), /^\d{18,19}\n\d{18,19}\n\d{18,19}\n$/);
  });

  test("binary", async () => {
    const response = await issue("?count=10000&format=binary");
    assert.equal(response.headers.get("content-type"), "application/octet-stream");
    const ids = bigEndian(await response.arrayBuffer());
    assert.equal(ids.length, 10_000);
    assert.equal(countRepeated(ids), 0);
    assert.ok(ascend(ids), "big-endian");
    assert.ok(ids.every((id) => Math.abs(millisOf(id) - Date.now()) < 60_000));
    const [next] = await isolates.ids("a", 1);
    assert.ok(next > ids[9_999], "the same run goes on in another format");
  });

  for (const [encoding, pattern] of Object.entries({
    decimal: /^\d{18,19}$/,
    "signed-decimal": /^\d{18,19}$/,
    hex: /^[0-9a-f]{16}$/,
    binary: /^[01]{64}$/,
    base32: /^[0-9A-HJKMNP-TV-Z]{13}$/,
    "z-base-32": /^[a-km-uw-z13-9]{12,13}$/,
    base36: /^[0-9a-z]{12}$/,
    base58: /^[1-9A-HJ-NP-Za-km-z]{10,11}$/,
    "base58-flickr": /^[1-9A-HJ-NP-Za-km-z]{10,11}$/,
    base62: /^[0-9A-Za-z]{11}$/,
    base64url: /^[0-9A-Za-z_-]{10,11}$/,
    "base62-lower": /^[0-9A-Za-z]{10,11}$/,
    "base64url-bytes": /^[0-9A-Za-z_-]{11}$/,
  })) {
    test(`encoding=${encoding}`, async () => {
      const { ids } = await json(await issue(`?count=2&encoding=${encoding}`));
      const lines = await (await issue(`?count=2&format=text&encoding=${encoding}`)).text();
      const texts = [...ids, ...lines.trimEnd().split("\n")];
      assert.equal(texts.length, 4);
      for (const text of texts) assert.match(text, pattern);
      if (encoding === "hex") {
        const read = texts.map((text) => BigInt(`0x${text}`));
        assert.ok(ascend(read) && new Set(read.map(nodeOf)).size === 1);
      }
    });
  }

  test("the headers say where ids come from", async () => {
    const response = await isolates.fetch("b", "/v1/ids?count=6400&format=binary");
    const last = bigEndian(await response.arrayBuffer())[6_399];
    const header = (/** @type {string} */ name) => response.headers.get(`edgeflake-${name}`);
    assert.equal(header("node"), `${nodeOf(last)}`);
    assert.equal(header("incarnation"), "1");
    const [{ from_tick, until_tick }] = await isolates.sql(
      `SELECT from_tick, until_tick FROM node WHERE node = ${nodeOf(last)}`,
    );
    assert.equal(header("span"), `${from_tick}/${until_tick}`);
    const ahead = millisOf(last) - Date.now();
    const said = Number(header("ahead-millis"));
    assert.ok(said > 0 && Math.abs(said - ahead) < 5_000, `${said}, ${ahead}`);
  });

  test("ahead of a clock that stands still, to the ms", async () => {
    await isolates.fetch("a", `/test?frozen_ms=${Date.now() + 100_000}`);
    const response = await issue("?count=640&format=binary");
    assert.equal(response.headers.get("edgeflake-ahead-millis"), "9");
    const next = await issue("");
    assert.equal(next.headers.get("edgeflake-ahead-millis"), "10");
  });

  test("by the sequencer's name", async () => {
    const { ids } = await json(await issue("?count=2", "/v1/sequencers/default/ids"));
    assert.equal(ids.length, 2);
  });
});

test("each answer has headers of its own", async () => {
  const Authorization = "Bearer admin-token-of-tests";
  const vars = { EDGEFLAKE_NODE_COUNT: "2", EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests" };
  const cluster = await startCluster(["holder", "a"], vars);
  try {
    await cluster.turnAll({ frozen_ms: 1_790_000_000_000 });
    for (const method of ["PUT", "DELETE", "PUT"]) {
      const init = { method, headers: { Authorization } };
      assert.ok((await cluster.fetch("a", "/v1/sequencers/orders", init)).ok);
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
    ])) {
      const { headers } = await cluster.fetch("a", path);
      const said = ["node", "incarnation", "span"].map((name) => headers.get(`edgeflake-${name}`));
      assert.deepEqual(said, from, path);
      assert.equal(headers.get("edgeflake-ahead-millis"), ahead, path);
      assert.equal(headers.get("content-type"), type, path);
    }
  } finally {
    await cluster.close();
  }
});

/** @param {ArrayBuffer} bytes */
function bigEndian(bytes) {
  const view = new DataView(bytes);
  return Array.from({ length: bytes.byteLength / 8 }, (_, i) => view.getBigUint64(i * 8));
}
