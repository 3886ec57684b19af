// node tools bench:waiting [--json] measures how long requests wait for their ids in workerd.
// Beside each time, it prints the shortest time in which the layout can have that number of ids.
// `npm run load -- bulk` measures crowds of clients.
//
// All ids are counted and compared: no id may come twice.

import { readArguments } from "../tools/command/arguments.js";
import { fail, run } from "../tools/command/run.js";
import { setup } from "../tools/setup/setup.js";
import { ask, BULK, serving, unique } from "./crowd.js";
import { print, whole } from "./table.js";

const { values: options } = readArguments({
  options: { json: { type: "boolean", default: false } },
});

/** The layouts, with the number of ids per ms of each. */
const layouts = [
  { name: "resource-type", perMs: 8, text: "unused:1 timestamp:41 node:19 sequence:3 @2024-01-01" },
  { name: "hazelcast", perMs: 64, text: "hazelcast" },
  { name: "twitter", perMs: 4_096, text: "twitter" },
];

/** Allowed futures, in ms. */
const futures = [0, 1, 15_000];

/**
 * The bench leaves out an allowed future with more ids than this, because using them up would take
 * minutes.
 */
const AHEAD_MAX = 1_000_000;

/** Pairs of numbers: the concurrent requests, and the ids per request. */
const waits = [
  [1, 1],
  [1, 1_920],
  [1, 2_240],
  [1, 100_000],
  [1_000, 1],
  [20, 5_000],
];

/** The longest time that a request waits, in ms. */
const WAIT_MAX_MS = 5_000;

await setup();
run("node", ["tools", "build", "worker"], { stdio: ["ignore", process.stderr, "inherit"] });

/** @typedef {import("./crowd.js").Server} Server */

/** @type {{ layout: string, future: number, requests: number, count: number, leastMs: number, lastMs: number }[]} */
const waited = [];
for (const layout of layouts) {
  for (const future of futures) {
    if (layout.perMs * future > AHEAD_MAX) continue;
    const vars = {
      EDGEFLAKE_LAYOUT: layout.text,
      EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${future}`,
      EDGEFLAKE_PUBLIC_ISSUE: "true",
    };
    await serving(vars, async (server) => {
      // After this call, requests find only ids of ticks that the clock has reached.
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
report();

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
  if (options.json) return console.log(JSON.stringify({ waited }, undefined, 2));
  print([
    ["layout", "ahead ms", "requests", "ids each", "at least ms", "last after ms"],
    ...waited.map(({ layout, future, requests, count, leastMs, lastMs }) => [
      layout,
      ...[future, requests, count, leastMs, lastMs].map(whole),
    ]),
  ]);
}
