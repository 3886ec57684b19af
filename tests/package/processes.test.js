// edgeflake/lease in several processes beside each other, and with a store in a process that is
// killed.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { countRepeated, nodesOf, together } from "../worker/harness/ids.js";
import { startCluster, TOKEN } from "./harness/cluster.js";
import * as issuing from "./harness/issuing.js";

const PROCESSES = 3;
const IDS = 1_000_000;
const CALLS_MAX = 9;
const KILLS = 3;

/** This is more than one record reserves: 64 ids in each of 1,000 ticks. */
const WRITTEN = 100_000;

const directory = mkdtempSync(join(tmpdir(), "edgeflake-processes-"));
after(() => rmSync(directory, { recursive: true }));

/** @type {Awaited<ReturnType<typeof startCluster>>} */
let cluster;
before(async () => {
  cluster = await startCluster("edgeflake", ["orders", "stored", "copied", "shared"]);
});
after(() => cluster.close());

/** @typedef {{ count?: number, sequencer?: string, store?: string }} Issued without a count, it issues until it is killed */

/**
 * @param {Issued} options
 * @param {Parameters<typeof issuing.issue>[1]} watch
 */
const run = (options, watch = () => {}) =>
  issuing.issue({ authority: cluster.url, token: TOKEN, sequencer: "orders", ...options }, watch);

/**
 * Returns the ids that a process prints until it ends. It is killed once there are more than
 * `killed`.
 *
 * @param {Issued} options
 * @param {number} [killed]
 */
async function issue(options, killed = Number.POSITIVE_INFINITY) {
  const { ids, ...end } = await run(options, (count, child) => {
    if (count > killed) child.kill("SIGKILL");
  });
  const isKilled = killed < Number.POSITIVE_INFINITY;
  const [code, signal] = isKilled ? [null, "SIGKILL"] : [0, null];
  assert.deepEqual(end, { code, signal, errors: "" });
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

test("a store that was copied while in use is refused", async () => {
  const store = join(directory, "copied");
  const copy = join(directory, "copy");
  /** @type {ReturnType<typeof run> | undefined} */
  let starting;
  const { signal } = await run({ sequencer: "copied", store }, (count, child) => {
    if (starting || count === 0) return;
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
