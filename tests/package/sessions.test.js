// Runs the built objects in this process. Checks which data a shard stores once its witness has
// opened a session, and which data the witness stores.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, test } from "node:test";
import { startWorker } from "./simulation/modules.js";
import { Random } from "./simulation/random.js";

const NOW_MS = 1_790_000_000_000;

/** The lines that the objects log. @type {string[]} */
const said = [];

/** The timers of the objects. @type {[run: () => void, ms: number][]} */
const timers = [];

const { Authority, Directory } = startWorker({
  now: () => NOW_MS,
  setTimeout: (run, ms) => timers.push([run, ms]),
  clearTimeout: () => {},
  fetch: () => Promise.reject(new Error("an object fetches nothing")),
  random: new Random(1),
  log: (...args) => said.push(args.join(" ")),
});

/**
 * Makes the state that the platform gives to an object of this database.
 *
 * @param {DatabaseSync} database
 */
const stateOf = (database) => ({
  storage: {
    sql: {
      exec: (/** @type {string} */ text, /** @type {any[]} */ ...values) => {
        const statement = database.prepare(text);
        if (!/^(SELECT|PRAGMA) /.test(text)) {
          return { raw: () => [], rowsWritten: Number(statement.run(...values).changes) };
        }
        const rows = statement.all(...values).map((row) => Object.values(row));
        return { raw: () => rows, rowsWritten: 0 };
      },
    },
    transactionSync: (/** @type {() => unknown} */ run) => {
      database.exec("SAVEPOINT part");
      try {
        return run();
      } catch (error) {
        database.exec("ROLLBACK TO part");
        throw error;
      } finally {
        database.exec("RELEASE part");
      }
    },
  },
});

/** @param {any} object @param {string} url @param {unknown} [message] */
async function ask(object, url, message) {
  const body = message === undefined ? "" : JSON.stringify(message);
  const method = message === undefined ? "GET" : "POST";
  const response = await object.fetch({ method, url, text: async () => body });
  const text = await response.text();
  return { status: response.status, text, answer: text.startsWith("{") ? JSON.parse(text) : {} };
}

const URL = "https://authority/v1/default/0/";
/** This statement opens another session in the storage of a witness. */
const ANOTHER = "UPDATE witness SET session = session + 1";

/** Makes the storage of a shard, and its witness. The witness is loaded anew for each call. */
function started() {
  const [database, witnessed] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
  /** Runs once, while the shard asks the witness. @type {{ once?: (() => void) | undefined }} */
  const hooks = {};
  const witness = {
    fetch: (/** @type {string} */ _, /** @type {{ method: string, body: string }} */ init) => {
      const { once } = hooks;
      hooks.once = undefined;
      once?.();
      const { method, body } = init;
      const request = { method, url: "https://witness/", text: async () => body };
      return new Directory(stateOf(witnessed), {}).fetch(request);
    },
  };
  const DIRECTORY = { getByName: () => witness };
  return {
    database,
    witnessed,
    hooks,
    load: () => new Authority(stateOf(database), { DIRECTORY }),
  };
}

const acquire = { acquire: { token: "c".repeat(32), now_ms: NOW_MS } };

/** Acquires a lease from a shard, and checks that it is granted. @param {any} object */
async function granted(object) {
  const { status, text, answer } = await ask(object, URL, acquire);
  assert.equal(status, 200, text);
  return answer.granted;
}

/**
 * Asks a shard, which must fail with this reason.
 *
 * @param {any} object @param {string} reason @param {string} url
 */
async function failed(object, reason, url = URL) {
  const { status, text } = await ask(object, url, url === URL ? acquire : undefined);
  assert.deepEqual([status, text], [500, reason]);
}

/** Reads one row of a database. @param {DatabaseSync} database @param {string} text @returns {any} */
const row = (database, text) => ({ ...database.prepare(text).get() });

beforeEach(() => {
  said.length = 0;
  timers.length = 0;
});

test("a session begins only with the version that the witness was asked with", async () => {
  const { database, hooks, load } = started();
  await granted(load());
  const object = load();
  // A second instance of the object writes while the witness is asked.
  hooks.once = () => database.exec("UPDATE node SET write = write + 1");
  await failed(object, "the storage has changed since the decision");
  assert.equal(row(database, "SELECT session FROM schema").session, 1);
  await granted(object);
});

test("each session has a number of its own, and each write of all", async () => {
  const { database, witnessed, load } = started();
  for (let session = 1; session < 4; session++) {
    await granted(load());
    const stored = row(database, "SELECT session, max(write) AS write FROM schema, node");
    assert.deepEqual(stored, { session, write: session + 1 });
    const confirmed = JSON.parse(row(witnessed, "SELECT stamp FROM witness").stamp);
    assert.deepEqual({ session: confirmed.session, write: confirmed.write }, stored);
  }
  assert.deepEqual(said, []);
});

test("a write that its witness refuses is not confirmed", async () => {
  const { hooks, witnessed, load } = started();
  const object = load();
  await granted(object);
  hooks.once = () => witnessed.exec(ANOTHER);
  await failed(object, "its witness has opened another session");
  await granted(object);
});

test("a session tells nothing of its storage before a stamp of it is confirmed", async () => {
  const { witnessed, hooks, load } = started();
  await granted(load());
  const object = load();
  // Another instance opens a session while this one asks for its first confirmation.
  hooks.once = () => {
    hooks.once = () => witnessed.exec(ANOTHER);
  };
  await failed(object, "its witness has opened another session", `${URL}status`);
  assert.equal((await ask(object, `${URL}status`)).status, 200);
  const { session, stamp } = row(witnessed, "SELECT session, stamp FROM witness");
  assert.equal(JSON.parse(stamp).session, session);
});

test("a session is stored with its restart or not at all", async () => {
  const { database, load } = started();
  await granted(load());
  database.exec("UPDATE node SET write = write - 1");
  database.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON sequencer BEGIN SELECT RAISE(ABORT, 'it is full'); END",
  );
  const object = load();
  await failed(object, "it is full");
  assert.equal(row(database, "SELECT session FROM schema").session, 1);
  database.exec("DROP TRIGGER full");
  await granted(object);
  assert.match(`${said}`, /was rolled back from version 1.2 to 1.1: every node starts at /);
});

/** @param {Record<string, unknown>} env */
const shardWith = (env) => new Authority(stateOf(new DatabaseSync(":memory:")), env);

test("each shard has a witness of its own", async () => {
  /** @type {string[]} */
  const names = [];
  const witnesses = {
    getByName: (/** @type {string} */ name) => {
      names.push(name);
      return { fetch: async () => new Response("gone", { status: 500 }) };
    },
  };
  const others = { getByName: () => assert.fail("these are not the witnesses") };
  for (const [shard, env] of /** @type {const} */ ([
    [0, { DIRECTORY: witnesses }],
    [3, { DIRECTORY: others, EDGEFLAKE_WITNESS: witnesses }],
  ])) {
    const url = `https://authority/v1/orders/${shard}/`;
    const { status, text } = await ask(shardWith(env), url, acquire);
    const silent = `the witness of shard ${shard} of orders does not answer: status 500: gone`;
    assert.deepEqual([status, text], [504, silent]);
  }
  assert.deepEqual(names, ["orders/0", "orders/3"]);
});

test("an object that is not a witness is one that does not answer", async () => {
  const getByName = () => ({ fetch: async () => new Response("what?", { status: 404 }) });
  const { status, text } = await ask(shardWith({ DIRECTORY: { getByName } }), URL, acquire);
  const silent = "the witness of shard 0 of default does not answer: its object is not a witness";
  assert.deepEqual([status, text], [504, silent]);
});

test("a witness that does not answer is not waited for without limit", async () => {
  const getByName = () => ({ fetch: () => new Promise(() => {}) });
  const object = shardWith({ DIRECTORY: { getByName } });
  const answers = [ask(object, URL, acquire), ask(object, `${URL}status`)];
  for (let turns = 0; timers.length < 1 && turns < 100; turns++) await new Promise(setImmediate);
  // Both requests wait for one call to the witness, which has a timer. When the timer fires, both
  // stop waiting.
  assert.deepEqual(
    timers.map(([, ms]) => ms),
    [4_000],
  );
  timers[0][0]();
  const silent = "the witness of shard 0 of default does not answer: there was no answer in time";
  for (const { status, text } of await Promise.all(answers)) {
    assert.deepEqual([status, text], [504, silent]);
  }
});

test("a shard runs without a witness only where a setting says so", async () => {
  const { status, answer } = await ask(shardWith({ EDGEFLAKE_WITNESS: "none" }), `${URL}status`);
  assert.deepEqual([status, answer.fence], [200, false]);
  for (const [found, shown] of [
    [null, "null"],
    ["no", '"no"'],
    [{}, "an object"],
  ]) {
    const { status, text } = await ask(shardWith({ EDGEFLAKE_WITNESS: found }), URL, acquire);
    const allowed = "a binding of the class Directory, and none, are allowed";
    const mistake = `EDGEFLAKE_WITNESS is ${shown}: ${allowed}`;
    assert.deepEqual([status, text], [500, `invalid-configuration: ${mistake}`]);
  }
});

/** Each row has an accident of a storage, and the statements that cause it. */
const RESTORED = [
  ["emptied", "DROP TABLE node; DROP TABLE proof; DROP TABLE sequencer; DROP TABLE schema"],
  [
    "restored to before its newest write",
    "UPDATE node SET until_tick = until_tick - 1000, write = write - 1",
  ],
];

for (const [how, restored] of RESTORED) {
  test(`a storage that was ${how}: nothing is granted again, and no lease is left`, async () => {
    const { database, load } = started();
    const { node, until_tick: end } = await granted(load());
    database.exec(restored);
    const object = load();
    const again = await granted(object);
    assert.equal(again.node, node + 1, JSON.stringify(again));
    const left = row(database, "SELECT from_tick, until_tick, token FROM node ORDER BY node");
    assert.deepEqual(left, { from_tick: end, until_tick: end, token: null });
    assert.match(`${said}`, /was rolled back from version 1.2 to .*: every node starts at /);
    // The restart is stored and confirmed, so it is counted only once.
    const told = said.length;
    await granted(load());
    assert.equal(said.length, told);
  });
}

test("all rows are read, also the first and last of each read", async () => {
  const { database, load } = started();
  await granted(load());
  const { node: first, from_tick: tick } = row(database, "SELECT * FROM node");
  const nodes = [0, 4_095, 4_096, 4_097, 8_191, 8_192, 12_288].map((more) => first + more);
  const insert = "INSERT INTO node VALUES (?, ?, ?, 0, NULL, 0, 0, 0)";
  for (const node of nodes.slice(1)) database.prepare(insert).run(node, tick, tick);
  const { answer, text } = await ask(load(), `${URL}nodes`);
  assert.deepEqual(answer.node, nodes, text);
});
