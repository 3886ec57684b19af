// edgeflake/lease in several processes beside each other, and in one that is killed, with a store
// and without.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { countRepeated, nodesOf, together } from "../worker/harness/ids.js";
import { startCluster, TOKEN } from "./harness/cluster.js";

const PROCESSES = 3;
const IDS = 1_000_000;
const CALLS_MAX = 9;
const KILLS = 3;
const ID_BYTES = 8;

/** More than are written down at once: 64 in each of 1,000 ticks. */
const WRITTEN = 100_000;

const directory = mkdtempSync(join(tmpdir(), "edgeflake-processes-"));
after(() => rmSync(directory, { recursive: true }));

const issuer = fileURLToPath(new URL("harness/issuer.js", import.meta.url));

/** @type {Awaited<ReturnType<typeof startCluster>>} */
let cluster;
before(async () => {
  cluster = await startCluster("edgeflake", ["orders", "stored", "copied", "shared"]);
});
after(() => cluster.close());

/**
 * @typedef {object} Issued
 * @property {number} [count] as many as it can, without it
 * @property {string} [sequencer]
 * @property {string} [store]
 */

/**
 * A process that issues ids, until it ends or is killed.
 *
 * @param {Issued} options
 * @param {(count: number, child: import("node:child_process").ChildProcess) => void} watch told how
 * many ids there are
 */
async function run({ sequencer = "orders", ...options }, watch = () => {}) {
  const args = JSON.stringify({ authority: cluster.url, token: TOKEN, sequencer, ...options });
  const child = spawn(process.execPath, [issuer, args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.stdout.on("data", (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    watch(length / ID_BYTES, child);
  });
  const [code, signal] = await ended;
  // A process that is killed may have written half of an id.
  const bytes = Buffer.concat(chunks).subarray(0, length - (length % ID_BYTES));
  return { ids: new BigUint64Array(new Uint8Array(bytes).buffer), code, signal, errors };
}

/**
 * The ids that a process writes until it ends. It is killed once there are more than `killed`.
 *
 * @param {Issued} options
 * @param {number} [killed]
 */
async function issue(options, killed = Number.POSITIVE_INFINITY) {
  const { ids, code, signal, errors } = await run(options, (count, child) => {
    if (count > killed) child.kill("SIGKILL");
  });
  const isKilled = killed < Number.POSITIVE_INFINITY;
  assert.deepEqual([code, signal, errors], isKilled ? [null, "SIGKILL", ""] : [0, null, ""]);
  return ids;
}

/** @param {Record<string, number>} calls */
const sum = (calls) => Object.values(calls).reduce((sum, count) => sum + count, 0);

test(`${PROCESSES} processes issue ${IDS} ids, none twice`, async () => {
  const each = Math.ceil(IDS / PROCESSES);
  const answers = await Promise.all(
    Array.from({ length: PROCESSES }, () => issue({ count: each })),
  );
  const all = together(answers);
  assert.equal(all.length, each * PROCESSES);
  assert.equal(countRepeated(all), 0);
  assert.deepEqual(
    answers.map((ids) => nodesOf(ids).length),
    [1, 1, 1],
  );
  const calls = await cluster.calls("orders");
  assert.ok(sum(calls) <= CALLS_MAX, `${JSON.stringify(calls)}: at most ${CALLS_MAX} are allowed`);
});

test(`killed ${KILLS} times and started again: no id twice`, async () => {
  /** @type {BigUint64Array[]} */
  const answers = [];
  for (let i = 0; i < KILLS; i++) {
    answers.push(...(await Promise.all([issue({}, 20_000), issue({}, 10_000)])));
  }
  const all = together(answers);
  assert.ok(all.length > KILLS * 30_000);
  assert.equal(countRepeated(all), 0);
});

test(`killed ${KILLS} times with a store: one node, one call, no id twice`, async () => {
  const options = { sequencer: "stored", store: join(directory, "stored") };
  /** @type {BigUint64Array[]} */
  const answers = [];
  for (let i = 0; i < KILLS; i++) answers.push(await issue(options, WRITTEN));
  answers.push(await issue({ ...options, count: 1_000 }));
  const all = together(answers);
  assert.ok(all.length > KILLS * WRITTEN);
  assert.equal(countRepeated(all), 0);
  assert.equal(nodesOf(all).length, 1);
  assert.deepEqual(await cluster.calls("stored"), { acquire: 1 });
});

test("a store that was copied while it was in use is refused", async () => {
  const store = join(directory, "copied");
  const copy = join(directory, "copy");
  /** @type {ReturnType<typeof run> | undefined} */
  let starting;
  const { signal } = await run({ sequencer: "copied", store }, (_, child) => {
    if (starting) return;
    // The process is stopped between two writes.
    child.kill("SIGSTOP");
    copyFileSync(store, copy);
    starting = run({ sequencer: "copied", store: copy, count: 1 });
    starting.finally(() => child.kill("SIGKILL"));
  });
  assert.equal(signal, "SIGKILL");
  assert.ok(starting);
  const other = await starting;
  assert.equal(other.ids.length, 0);
  assert.match(other.errors, /EdgeflakeError: the store \S+copy is a copy or has one/);
});

test(`${PROCESSES} processes with one store, killed ${KILLS} times: no id twice`, async () => {
  const options = { sequencer: "shared", store: join(directory, "shared") };
  /** @type {BigUint64Array[]} */
  const answers = [];
  for (let i = 0; i < KILLS; i++) {
    const ends = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        run(options, (count, child) => {
          if (count > WRITTEN) child.kill("SIGKILL");
        }),
      ),
    );
    answers.push(...ends.map(({ ids }) => ids));
    const killed = ends.filter(({ signal }) => signal === "SIGKILL");
    for (const { signal, errors } of ends) {
      if (signal === null) assert.match(errors, /code: 'store-in-use'/);
    }
    assert.ok(killed.length > 0);
  }
  const all = together(answers);
  assert.ok(all.length > KILLS * WRITTEN);
  assert.equal(countRepeated(all), 0);
});
