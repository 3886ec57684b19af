// node tools bench:waiting [--seconds N] [--json] measures how long requests wait for their ids in
// workerd, beside the time that the layout needs to have them. It also counts how many clients are
// served, refused and kept waiting while all of them ask for 100,000 ids again and again, as fast
// as they are answered.
//
// Every id is counted and compared: none comes twice.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../tools/command/arguments.js";
import { fail, run } from "../tools/command/run.js";
import { startWorkerd, worker } from "../tools/serve/workerd.js";
import { setup } from "../tools/setup/setup.js";
import { ask, BULK, crowd, unique } from "./crowd.js";
import { integer, print } from "./table.js";

const { values: options } = readArguments({
  options: {
    seconds: { type: "string", default: "20" },
    json: { type: "boolean", default: false },
  },
});
const seconds = integer("seconds", options.seconds);

/** The layouts, with the number of ids per ms of each. */
const layouts = [
  { name: "resource-type", perMs: 8, text: "unused:1 timestamp:41 node:19 sequence:3 @2024-01-01" },
  { name: "hazelcast", perMs: 64, text: "hazelcast" },
  { name: "twitter", perMs: 4_096, text: "twitter" },
];

/** Allowed futures, in ms. */
const futures = [0, 1, 15_000];

/** Largest number of ids of the allowed future to use up first; more would take minutes. */
const AHEAD_MAX = 1_000_000;

/** Numbers of concurrent requests, and of ids per request. */
const waits = [
  [1, 1],
  [1, 1_920],
  [1, 2_240],
  [1, 100_000],
  [1_000, 1],
  [20, 5_000],
];

/** Numbers of clients that ask for 100,000 ids each. */
const CROWDS = [10, 150, 400];

/** The longest that a request waits, in ms. */
const WAIT_MAX_MS = 5_000;

const objects = ["Authority", "Directory"].map((className) => ({
  binding: className.toUpperCase(),
  className,
}));

await setup();
run("node", ["tools", "build", "worker"], { stdio: ["ignore", process.stderr, "inherit"] });
const directory = mkdtempSync(join(tmpdir(), "edgeflake-bench-"));
process.on("exit", () => rmSync(directory, { force: true, recursive: true }));

/** @typedef {Awaited<ReturnType<typeof startWorkerd>>} Server */

/** @type {{ layout: string, future: number, requests: number, count: number, leastMs: number, lastMs: number }[]} */
const waited = [];
for (const layout of layouts) {
  for (const future of futures) {
    if (layout.perMs * future > AHEAD_MAX) continue;
    await serving(layout.text, future, async (server) => {
      // Afterwards, requests find only the ids of the clock's own ticks.
      await exhaust(server, layout.perMs * future);
      for (const [requests, count] of waits) {
        const leastMs = (requests * count) / layout.perMs;
        if (leastMs > WAIT_MAX_MS) continue;
        const row = await wait(server, requests, count);
        waited.push({ layout: layout.name, future, requests, count, leastMs, ...row });
      }
    });
  }
}
/** @type {Awaited<ReturnType<typeof crowd>>[]} */
const crowds = [];
for (const clients of CROWDS) {
  await serving("hazelcast", 0, async (server) => {
    const row = await crowd(server, clients, seconds);
    if (row.smallFailed > 0) fail(`${row.smallFailed} requests for one id failed`);
    crowds.push(row);
  });
}
report();

/** @param {string} layout @param {number} future @param {(server: Server) => Promise<unknown>} then */
async function serving(layout, future, then) {
  const storage = mkdtempSync(join(directory, "storage-"));
  const vars = {
    EDGEFLAKE_LAYOUT: layout,
    EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${future}`,
    EDGEFLAKE_PUBLIC_ISSUE: "true",
  };
  const services = [{ name: "worker", modules: worker, vars, objects }];
  const server = await startWorkerd({ directory, storage, services, inspected: true });
  try {
    await ask(server, 1);
    await then(server);
  } finally {
    await server.kill();
  }
}

/** Uses up the allowed future. @param {Server} server @param {number} ids */
async function exhaust(server, ids) {
  for (let left = ids; left > 0; left -= BULK) {
    const { status, text } = await ask(server, Math.min(BULK, left));
    if (status !== 200) fail(`${left} ids ahead of the clock: ${status} ${text}`);
  }
}

/** @param {Server} server @param {number} requests @param {number} count */
async function wait(server, requests, count) {
  const begin = performance.now();
  const answers = await Promise.all(Array.from({ length: requests }, () => ask(server, count)));
  const lastMs = performance.now() - begin;
  const failed = answers.filter(({ status }) => status !== 200).length;
  if (failed > 0) fail(`${failed} of ${requests} requests for ${count} ids failed`);
  unique(answers.map(({ ids }) => ids));
  return { lastMs };
}

function report() {
  if (options.json) return console.log(JSON.stringify({ seconds, waited, crowds }, undefined, 2));
  const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString("en");
  print([
    ["layout", "ahead ms", "requests", "ids each", "at least ms", "last after ms"],
    ...waited.map(({ layout, future, requests, count, leastMs, lastMs }) => [
      layout,
      ...[future, requests, count, leastMs, lastMs].map(whole),
    ]),
  ]);
  console.log(`\nHazelcast's layout, 64 ids per ms, ${BULK} ids each, for ${seconds} s:`);
  const columns = ["clients", "served", "ids/ms", "longest ms", "refused", "after ms", "retry s"];
  print([
    [...columns, "small", "p99 ms", "memory KB"],
    ...crowds.map((row) => [
      ...[row.clients, row.served, row.idsPerMs, row.servedMs].map(whole),
      ...[row.refused, row.refusedMs, row.retryAfter, row.small, row.smallP99Ms].map(whole),
      whole(row.memory / 1024),
    ]),
  ]);
}
