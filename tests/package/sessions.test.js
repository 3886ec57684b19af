// Runs the built objects in this process, as sessions.txt says. Checks which data a shard stores once
// its witness has opened a session, and which data the witness stores.

import { DatabaseSync } from "node:sqlite";
import { beforeEach } from "node:test";
import { addTests } from "./harness/calls.js";
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
 * Makes the state that the platform would give to an object with this database.
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

/** Returns the status and the text of an answer. @param {any} object @param {string} path @param {string} [body] */
async function ask(object, path, body = "") {
  const url = `https://authority/v1/${path}`;
  const method = body ? "POST" : "GET";
  const response = await object.fetch({ method, url, text: async () => body });
  return `${response.status} ${await response.text()}`;
}

const ACQUIRE = JSON.stringify({ acquire: { token: "c".repeat(32), now_ms: NOW_MS } });

/** @param {any} object @param {string} [shard] */
async function acquire(object, shard = "default/0") {
  const answer = await ask(object, `${shard}/`, ACQUIRE);
  return answer.startsWith("200") ? JSON.parse(answer.slice(4)).granted : answer;
}

/** Makes the storage of a shard, and its witness. The witness is loaded anew for each call. */
function started() {
  const [database, witnessed] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
  /** @type {{ once?: (() => void) | undefined }} */
  const hooks = {};
  const witness = {
    fetch: (/** @type {string} */ url, /** @type {{ method: string, body: string }} */ init) => {
      const { once } = hooks;
      hooks.once = undefined;
      once?.();
      const request = { method: init.method, url, text: async () => init.body };
      return new Directory(stateOf(witnessed), {}).fetch(request);
    },
  };
  const DIRECTORY = { getByName: () => witness };
  const load = () => new Authority(stateOf(database), { DIRECTORY });
  return { database, witnessed, hooks, load };
}

/** The values that the lines of sessions.txt use, by name. */
const names = {
  ...{ acquire, ask, said, started, timers },
  status: (/** @type {any} */ object) => ask(object, "default/0/status"),
  shardWith: (/** @type {object} */ env) =>
    new Authority(stateOf(new DatabaseSync(":memory:")), env),
  answering: (/** @type {string} */ text, /** @type {number} */ status) => ({
    fetch: async () => new Response(text, { status }),
  }),
  /** Reads one row. @param {DatabaseSync} database @param {string} text */
  row: (database, text) => ({ ...database.prepare(text).get() }),
  /** This statement opens another session in the storage of a witness. */
  ANOTHER_SESSION: "UPDATE witness SET session = session + 1",
};

beforeEach(() => {
  said.length = 0;
  timers.length = 0;
});

addTests(new URL("sessions.txt", import.meta.url), names);
