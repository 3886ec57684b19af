// edgeflake/lease in several processes beside each other, and in one that is killed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { countRepeated, nodesOf, together } from "../worker/ids.js";
import { startCluster, TOKEN } from "./cluster.js";

const PROCESSES = 3;
const IDS = 1_000_000;
const CALLS_MAX = 9;
const KILLS = 3;
const ID_BYTES = 8;

const issuer = fileURLToPath(new URL("issuer.js", import.meta.url));

/** @type {Awaited<ReturnType<typeof startCluster>>} */
let cluster;
before(async () => {
  cluster = await startCluster("edgeflake", ["orders"]);
});
after(() => cluster.close());

/**
 * The ids that a process writes until it ends. It is killed once there are more than `killed`.
 *
 * @param {number} [count] as many as it can, without it
 * @param {number} [killed]
 */
async function issue(count, killed = Number.POSITIVE_INFINITY) {
  const args = [issuer, cluster.url, TOKEN, ...(count === undefined ? [] : [`${count}`])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  child.stdout.on("data", (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > killed * ID_BYTES) child.kill("SIGKILL");
  });
  const [code, signal] = await ended;
  assert.deepEqual([code, signal], count === undefined ? [null, "SIGKILL"] : [0, null]);
  // A process that is killed may have written half of an id.
  const bytes = Buffer.concat(chunks).subarray(0, length - (length % ID_BYTES));
  return new BigUint64Array(new Uint8Array(bytes).buffer);
}

/** @param {Record<string, number>} calls */
const sum = (calls) => Object.values(calls).reduce((sum, count) => sum + count, 0);

test(`${PROCESSES} processes issue ${IDS} ids, none twice`, async () => {
  const each = Math.ceil(IDS / PROCESSES);
  const answers = await Promise.all(Array.from({ length: PROCESSES }, () => issue(each)));
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
    answers.push(...(await Promise.all([issue(undefined, 20_000), issue(undefined, 10_000)])));
  }
  const all = together(answers);
  assert.ok(all.length > KILLS * 30_000);
  assert.equal(countRepeated(all), 0);
});
