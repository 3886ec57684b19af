// Tests the methods that a Worker can call if it binds edgeflake's Worker as a service.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bound, harnessOf, migrations } from "../harness/wrangler.js";
import { ascend, countRepeated } from "./harness/ids.js";

const TOKEN = "admin-token-of-tests";
const open = { EDGEFLAKE_PUBLIC_ISSUE: "true" };
const ratelimits = [
  { name: "ISSUE_RATE_LIMIT", namespace_id: "1", simple: { limit: 2, period: 60 } },
];

const MAIN = "build/worker/index.js";

/** @param {string} main @param {Record<string, string>} vars @param {object} more */
const built = (main, vars, more = {}) => {
  return { main, vars, ...more, durable_objects: bound(), migrations };
};

const harness = harnessOf({
  caller: {
    main: "tests/worker/harness/caller.js",
    services: [{ binding: "IDS", service: "ids" }],
  },
  // A caller with a service binding needs no token, but creating a sequencer over HTTP requires
  // one.
  ids: built(MAIN, { EDGEFLAKE_ADMIN_TOKEN: TOKEN }),
  exports: built("tests/worker/harness/exports.js", open),
  limited: built(MAIN, open, { ratelimits }),
});
before(async () => {
  await harness.listen();
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const init = { method: "PUT", headers, body: JSON.stringify({ layout: "twitter" }) };
  const { status } = await harness.getWorker("ids").fetch("/v1/sequencers/orders", init);
  assert.equal(status, 201);
});
after(() => harness.close());

/** @param {object} body */
async function called(body) {
  const init = { method: "POST", body: JSON.stringify(body) };
  const response = await harness.getWorker("caller").fetch("/", init);
  return /** @type {Promise<any>} */ (response.json());
}

/** @param {string} method @param {unknown[]} args bigints as strings such as "1n" */
const call = (method, ...args) => called({ method, args });

/** @param {string} name of a sequencer @param {string} method @param {unknown[]} args */
const callOf = (name, method, ...args) => called({ method, args, sequencer: [name] });

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

test("a sequencer by its name, in one line", async () => {
  const { type, value } = await callOf("orders", "next");
  assert.equal(type, "bigint");
  const batch = await callOf("orders", "batch", 3);
  assert.equal(batch.class, "BigUint64Array");
  const text = await callOf("orders", "nextString", "base62");
  assert.match(text.value, /^[0-9A-Za-z]{11}$/);
  const ids = [value, ...batch.value].map(bigint);
  assert.ok(ascend(ids));
  // The ids are decoded with the sequencer's layout, which differs from the one in the variables.
  const { value: decoded } = await callOf("orders", "decode", `${ids[3]}n`);
  assert.deepEqual(
    decoded.readings.map((/** @type {any} */ reading) => reading.preset),
    ["twitter"],
  );
  assert.match((await call("nextString", "hex")).value, /^[0-9a-f]{16}$/);
});

// Each line has the arguments, and the beginning of the error. A line that begins with a sequencer
// calls a method of the sequencer.
const REFUSED = `
next ["orders"] -> invalid-parameter: options is "orders": give an object with tag
next [{"tags":1}] -> invalid-parameter: the option "tags" is unknown (did you mean tag?):
next [{"tag":"1"}] -> invalid-parameter: tag is "1": give a whole number from 0 to 9007199254740991
next [{"tag":1}] -> too-large: tag 1 is too large: at most 0 is allowed
batch [3,"orders"] -> invalid-parameter: options is "orders": give an object with tag
batch [0] -> invalid-parameter: count is 0: give a whole number from 1 to 100000
batch [100001] -> invalid-parameter: count is 100001:
batch ["3n"] -> invalid-parameter: count is the bigint 3:
nextString ["base63"] -> invalid-parameter: encoding is "base63": give decimal,
nextString [62] -> invalid-parameter: encoding is 62: give decimal,
decode [1] -> invalid-id: the id is 1: give a bigint of 64 bits or a string
decode ["1!"] -> invalid-id: the id is "1!":
decode ["1n","twiter"] -> invalid-parameter: layout is "twiter": no preset is named
decode ["1n",7] -> invalid-parameter: layout is 7: give a string
sequencer ["Orders"] -> invalid-name: the sequencer's name is "Orders": give 1 to 63 characters of
nobodys.next [] -> unknown-sequencer: no sequencer is named "nobodys":
orders.next [1] -> invalid-parameter: options is 1: give an object with tag
orders.lease ["get","{}"] -> invalid-parameter: operation is "get": give acquire, renew,
orders.lease ["renew","{"] -> invalid-body: body is not JSON: send an object
orders.lease ["renew",{}] -> invalid-parameter: body is an object: give JSON`;

test("invalid arguments are refused", async () => {
  for (const line of REFUSED.trim().split("\n")) {
    const [, name, method, args, error] = /^(?:(\w+)\.)?(\w+) (.*) -> (.*)$/.exec(line) ?? [];
    const given = JSON.parse(args);
    const refused = await (name ? callOf(name, method, ...given) : call(method, ...given));
    assert.equal(refused.error?.slice(0, error.length), error, line);
    if (!name) assert.equal(refused.code, error.split(":")[0]);
  }
});

test("nothing else is callable, and an answer that is there at once is no promise", async () => {
  const response = await harness.getWorker("exports").fetch("/");
  const { callable, ofSequencer, isAnsweredAtOnce, status } = /** @type {any} */ (
    await response.json()
  );
  assert.deepEqual([isAnsweredAtOnce, status], [true, 200]);
  const METHODS = ["next", "nextString", "batch", "decode"];
  const own = ["constructor", "fetch", "sequencer"];
  assert.deepEqual(callable.sort(), [...METHODS, ...own].sort());
  assert.deepEqual(ofSequencer.sort(), [...METHODS, "lease", "constructor"].sort());
  for (const method of ["issue", "memory", "env", "constructor", "answer", "lease"]) {
    const refused = await call(method);
    assert.ok(refused.error, `${method}: ${JSON.stringify(refused)}`);
  }
});

test("the rate limit of the platform is kept to", async () => {
  const asked = Array.from({ length: 6 }, () =>
    harness.getWorker("limited").fetch("/v1/ids", { method: "POST" }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  assert.ok(statuses.includes(200), "no request was within the limit");
  // The requests may fall into two periods of the rate limit, with 2 allowed requests each.
  assert.ok(statuses.filter((status) => status === 429).length >= 2, `${statuses}`);
});
