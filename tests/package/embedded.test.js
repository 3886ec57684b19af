// Tests edgeflake/lease inside a Worker that binds the objects of edgeflake's Worker. No request
// may await a promise of another request, and no request may hang.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bound, harnessOf, migrations } from "../harness/wrangler.js";
import { countRepeated } from "../worker/harness/ids.js";

const REQUESTS = 50;
const HALF_LIFE_MS = 200_000;
const SEQUENCERS = "module handler both service slow left background";

const [token, admin] = ["lease-token-of-tests", "admin-token-of-tests"];
const [AUTHORITY] = bound("edgeflake").bindings;
const harness = harnessOf({
  embedding: {
    main: "tests/package/harness/embedding.js",
    vars: { EDGEFLAKE_LEASE_TOKEN: token },
    services: [{ binding: "IDS", service: "edgeflake" }],
    durable_objects: { bindings: [AUTHORITY] },
  },
  edgeflake: {
    main: "tests/worker/harness/entry.js",
    vars: { EDGEFLAKE_ADMIN_TOKEN: admin, EDGEFLAKE_LEASE_TOKEN: token },
    durable_objects: bound(),
    migrations,
  },
});

/** @type {URL} */
let url;
before(async () => {
  ({ url } = await harness.listen());
  const headers = { Authorization: `Bearer ${admin}` };
  const init = { method: "PUT", headers, body: JSON.stringify({ shards: 1 }) };
  for (const name of SEQUENCERS.split(" ")) {
    const { status } = await harness.getWorker("edgeflake").fetch(`/v1/sequencers/${name}`, init);
    assert.equal(status, 201, name);
  }
  await run(0.1);
});
after(() => harness.close());

/** Asks the embedding Worker. @param {string} path @returns {Promise<any>} */
async function ask(path) {
  const response = await harness.getWorker("embedding").fetch(path);
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/**
 * Sets handles of edgeflake's Worker (see `entry.js`), and returns the number of calls to each
 * object.
 *
 * @param {Record<string, number>} [handles]
 */
async function turn(handles = {}) {
  const pairs = Object.entries(handles).map(([name, value]) => [name, `${value}`]);
  const path = `/test?${new URLSearchParams(pairs)}`;
  const response = await harness.getWorker("edgeflake").fetch(path, { method: "POST" });
  return /** @type {any} */ (await response.json()).counts;
}

/** Returns the number of holders' calls to a shard, by kind. @param {string} sequencer */
async function calls(sequencer) {
  const counts = await turn();
  const kinds = ["acquire", "renew", "prefetch", "release"];
  const found = kinds.map((kind) => [kind, counts[`${sequencer}/0 ${kind}`]]);
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

/**
 * Sets the speed of the clocks and timers of both Workers. A holder repeats a call after 1.5 s of
 * its own clock. At speed 0.1 that takes 15 s, so that a slow machine does not look like a lost
 * call.
 *
 * @param {number} speed
 */
async function run(speed) {
  await turn({ speed });
  await ask(`/state?sequencer=module&speed=${speed}`);
}

/** @param {string} sequencer @param {number} [count] */
async function ids(sequencer, count = 1) {
  const answer = await ask(`/?sequencer=${sequencer}&count=${count}`);
  assert.ok(answer.ids, JSON.stringify(answer));
  return answer.ids.map(BigInt);
}

/** @param {() => Promise<boolean>} isThere */
async function until(isThere) {
  while (!(await isThere()));
}

for (const sequencer of ["module", "handler", "both", "service"]) {
  test(`${REQUESTS} cold requests, ${sequencer}: one grant`, async () => {
    await turn({ delay_ms: 500 });
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => ids(sequencer)));
    await turn({ delay_ms: 0 });
    assert.equal(answers.length, REQUESTS);
    assert.equal(countRepeated(answers.flat()), 0);
    assert.deepEqual(await calls(sequencer), { acquire: 1 });
  });

  test(`a renewal ends after its response, ${sequencer}`, async () => {
    const look = () => ask(`/state?sequencer=${sequencer}`);
    const { state, lease, layout } = await look();
    assert.equal(state, "attached");
    assert.match(layout, /^unused:1 timestamp:41 /);
    await turn({ delay_ms: 300, step_ms: HALF_LIFE_MS });
    await ask(`/?sequencer=${sequencer}&step_ms=${HALF_LIFE_MS}`);
    assert.equal((await look()).state, "renewing");
    // `look` asks for no id and makes no call, so the renewal must end by itself.
    await until(async () => (await look()).state === "attached");
    const { lease: renewed } = await look();
    assert.equal(renewed.node, lease.node);
    assert.ok(renewed.untilTick > lease.untilTick);
    await turn({ delay_ms: 0 });
    assert.deepEqual(await calls(sequencer), { acquire: 1, renew: 1 });
  });
}

test("an id from memory: a request's call in the background ends after its response", async () => {
  const look = () => ask("/state?sequencer=background");
  const attempt = () => ask("/try?sequencer=background");
  await turn({ delay_ms: 300 });
  assert.equal((await attempt()).code, "not-ready");
  // `look` makes no call, so the call of the first attempt must end by itself.
  await until(async () => (await look()).state === "attached");
  await turn({ delay_ms: 0 });
  const answers = [await attempt(), await attempt()].map(({ ids }) => BigInt(ids[0]));
  assert.ok(answers[0] < answers[1]);
  assert.deepEqual(await calls("background"), { acquire: 1 });
});

test("a client that leaves does not hang others", async () => {
  await turn({ delay_ms: 1_000 });
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = fetch(`${url.origin}/?sequencer=left`, { signal });
  // The request's call is under way when its client leaves.
  await until(async () => "acquire" in (await calls("left")));
  leaving.abort();
  await assert.rejects(left, { name: "AbortError" });

  const asked = Array.from({ length: REQUESTS }, () => ids("left"));
  assert.equal(countRepeated((await Promise.all(asked)).flat()), 0);
  await turn({ delay_ms: 0 });
  assert.deepEqual(await calls("left"), { acquire: 1 });
});

test("a silent authority does not hang requests", async () => {
  await run(1);
  await turn({ delay_ms: 60_000 });
  const asked = Array.from({ length: REQUESTS }, () => ask("/?sequencer=slow"));
  for (const { code } of await Promise.all(asked)) assert.equal(code, "authority-unreachable");
  await turn({ delay_ms: 0 });
  await until(async () => "ids" in (await ask("/?sequencer=slow")));
});
