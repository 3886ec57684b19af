// What is read of an id, and of a time window.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { nodeOf } from "./harness/ids.js";
import { json, startIsolates } from "./harness/isolates.js";

/** @type {Awaited<ReturnType<typeof startIsolates>>} */
let isolates;
before(async () => {
  isolates = await startIsolates();
});
after(() => isolates.close());

/** @param {string} path @param {number} [status] */
async function get(path, status = 200) {
  const response = await isolates.fetch("a", path, "GET");
  const body = await json(response);
  assert.equal(response.status, status, JSON.stringify(body));
  const type = status === 200 ? "application/json" : "application/problem+json";
  assert.equal(response.headers.get("content-type"), type);
  return body;
}

test("an id of one's own, in every encoding, is the same id", async () => {
  const [id] = await isolates.ids("b", 1);
  const decoded = await get(`/v1/decode/${id}?layout=hazelcast`);
  assert.equal(decoded.id, `${id}`);
  assert.equal(decoded.encoding, "decimal");
  assert.equal(Object.keys(decoded.texts).length, 13);
  const [{ preset, node, instant, instant_ms, warnings }] = decoded.readings;
  assert.deepEqual(
    { preset, node, warnings },
    { preset: "hazelcast", node: `${nodeOf(id)}`, warnings: [] },
  );
  assert.equal(new Date(instant).getTime(), instant_ms);
  assert.ok(Math.abs(instant_ms - Date.now()) < 60_000);

  for (const [encoding, text] of Object.entries(decoded.texts)) {
    const again = await get(`/v1/decode/${text}?encoding=${encoding}`);
    assert.equal(again.id, `${id}`);
    assert.equal(again.encoding, encoding);
    assert.ok(again.readings.some((/** @type {any} */ reading) => reading.preset === "hazelcast"));
  }
});

test("without a layout, the likeliest first", async () => {
  const { readings } = await get("/v1/decode/6685980502161199104");
  assert.equal(readings[0].preset, "linkedin");
  assert.equal(readings[0].instant, "2020-07-06T18:59:31.226Z");
  assert.equal(
    readings[0].reasons,
    "date plausible, 1 unused bit is 0, node small, sequence small",
  );
  const percents = readings.map((/** @type {any} */ reading) => reading.percent);
  assert.ok(percents.length > 1 && percents[0] > percents[1]);
});

test("an id that is no id, or not of the layout", async () => {
  const unreadable = await get("/v1/decode/1%2F2", 400);
  assert.equal(unreadable.type, "/problems/invalid-id");
  const sign = await get("/v1/decode/-1?layout=twitter", 422);
  assert.equal(sign.type, "/problems/unused-bits");
  const layout = await get("/v1/decode/1?layout=twiter", 400);
  assert.match(layout.detail, /^layout is "twiter" \(did you mean twitter\?\): hazelcast, twitt/);
});

test("the ids of a day", async () => {
  const day = await get("/v1/range?from=2018-01-16&until=2018-01-17T00:00:00Z");
  assert.deepEqual(day, {
    min: "5435817984000000",
    max: "5798205849599999",
    from_ms: 1516060800000,
    until_ms: 1516147200000,
    layout: "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms",
    allowed_future_ms: 15000,
  });
  const node = await get("/v1/range?from=1516060800000&until=1516147200000&node=7");
  assert.deepEqual([node.min, node.node], ["5435817984000007", "7"]);
  const twitter = "/v1/range?from=2018-01-16&until=2018-01-17&layout=twitter";
  assert.match((await get(twitter)).layout, /datacenter/);
  assert.equal((await get(`${twitter}&node=datacenter=3,worker=5`)).node, "101");
  const wide = await get(`${twitter}&node=datacenter=3,worker=40`, 400);
  assert.equal(wide.detail, "worker is 40: at most 31 is allowed");
});

test("a window that cannot be", async () => {
  const order = await get("/v1/range?from=2&until=1", 422);
  assert.equal(order.type, "/problems/invalid-window");
  const missing = await get("/v1/range?from=2", 400);
  assert.equal(
    missing.detail,
    "there is no parameter until: Unix ms and RFC 3339 dates are allowed",
  );
});
