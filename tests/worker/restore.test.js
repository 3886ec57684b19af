// What docs/OPERATIONS.md says of storage that was restored to an earlier moment.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startCluster } from "./cluster.js";
import { countRepeated, together } from "./ids.js";

const isolates = ["a", "b"];
const NOW_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;

const ALLOWED_FUTURE_MS = 10_000;
const CLOCK_DISAGREEMENT_MAX_MS = 5_000;
const LEASE_MS = 2 * ALLOWED_FUTURE_MS + 1;
const WAIT_MS = LEASE_MS + ALLOWED_FUTURE_MS + CLOCK_DISAGREEMENT_MAX_MS;

const EARLIER = "earlier";
const PATH = "/v1/sequencers/default";

/** @type {import("./cluster.js").Cluster} */
let cluster;
/** What was issued. @type {BigUint64Array[]} */
let all;

async function issue() {
  all.push(...(await Promise.all(isolates.map((isolate) => cluster.ids(isolate, 50_000)))));
}

/** @param {"DELETE" | "PUT"} method */
async function admin(method) {
  const headers = { Authorization: "Bearer admin" };
  const response = await cluster.fetch("a", PATH, { method, headers });
  const body = /** @type {any} */ (await response.json());
  assert.ok(response.ok, JSON.stringify(body));
  return body;
}

/** @param {number} nowMs */
const turnTo = (nowMs) => cluster.turnAll({ frozen_ms: nowMs });

/** @param {number} nowMs @param {string} [storage] */
async function restart(nowMs, storage) {
  await cluster.start(undefined, storage);
  await turnTo(nowMs);
}

// An hour ago a moment was kept; since then nodes were granted again, and ids issued of them.
beforeEach(async () => {
  all = [];
  cluster = await startCluster(isolates, {
    ADMIN_TOKEN: "admin",
    ALLOWED_FUTURE_MILLIS: `${ALLOWED_FUTURE_MS}`,
    CLOCK_DISAGREEMENT_MAX_MILLIS: `${CLOCK_DISAGREEMENT_MAX_MS}`,
    LEASE_MILLIS: `${LEASE_MS}`,
    NODE_COUNT: "3",
  });
  await turnTo(NOW_MS - HOUR_MS);
  await issue();
  await cluster.kill();
  cluster.keep(EARLIER);
  await restart(NOW_MS);
  await issue();
});
afterEach(() => cluster.close());

test("a restore repeats ids", async () => {
  await cluster.kill();
  await restart(NOW_MS, EARLIER);
  await issue();
  assert.ok(countRepeated(together(all)) > 0);
});

test("destroyed, and restored when the last span has ended: no id twice", async () => {
  const { recreatable_from: date } = await admin("DELETE");
  assert.ok(Date.parse(date) > NOW_MS && Date.parse(date) <= NOW_MS + WAIT_MS, date);
  await cluster.kill();
  await restart(Date.parse(date), EARLIER);
  await issue();
  assert.equal(countRepeated(together(all)), 0);
});

test("restored first, then destroyed: no id twice after the wait", async () => {
  await cluster.kill();
  await restart(NOW_MS, EARLIER);
  const { recreatable_from: date } = await admin("DELETE");
  assert.ok(Date.parse(date) < NOW_MS, "of what it remembers");
  await turnTo(NOW_MS + WAIT_MS);
  await admin("PUT");
  await issue();
  assert.equal(countRepeated(together(all)), 0);
});

test("restored first, then destroyed: what it remembers is not enough", async () => {
  await cluster.kill();
  await restart(NOW_MS, EARLIER);
  await admin("DELETE");
  await admin("PUT");
  await issue();
  assert.ok(countRepeated(together(all)) > 0);
});
