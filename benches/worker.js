// node tools bench:worker [--rounds N] [--seconds N] [--json] [rows] measures the throughput of the
// Worker in workerd. It compares the Worker with handlers that do nothing, and with a handler that
// calls a Durable Object per id.
//
// workerd has one core and wrk another. Every row of the table is measured in every round, so that
// a slow moment of the machine affects all rows, and the ratios stay right. Every answer is checked
// to be complete.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readArguments } from "../tools/command/arguments.js";
import { fail, run } from "../tools/command/run.js";
import { modulesIn, startWorkerd, worker } from "../tools/serve/workerd.js";
import { benchPrograms, requirePrograms } from "../tools/setup/programs.js";
import { setup } from "../tools/setup/setup.js";
import { objectsOf, temporary } from "./crowd.js";
import { integer, isNoise, median, print, spread, whole } from "./table.js";
import { load } from "./wrk.js";

const { values: options, positionals: only } = readArguments({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const rounds = integer("rounds", options.rounds);
const seconds = integer("seconds", options.seconds);

/** A layout with 65,536 ids per ms, far more than any row issues. */
const LAYOUT = "unused:1 timestamp:41 node:6 sequence:16 @1704067200000 tick=1ms";

const vars = {
  EDGEFLAKE_LAYOUT: LAYOUT,
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "15000",
  // Any caller gets ids, because the bench does not measure the check of secrets.
  EDGEFLAKE_PUBLIC_ISSUE: "true",
};

const bench = (/** @type {string} */ file) => join("benches", "worker", file);

/** @type {import("../tools/serve/workerd.js").Service[]} */
const services = [
  { name: "smallest-rust", modules: modulesIn("smallest") },
  { name: "smallest-js", modules: [bench("smallest.js")] },
  {
    name: "worker",
    modules: worker,
    vars,
    objects: objectsOf("Authority", "Directory"),
  },
  {
    name: "call-an-id",
    modules: [bench("call-an-id.js")],
    objects: objectsOf("Counter"),
  },
];

/** Reads the ids in each format. @type {Record<string, (body: Buffer) => bigint[]>} */
const formats = {
  json: (body) => JSON.parse(body.toString()).ids.map(BigInt),
  text: (body) => body.toString().trimEnd().split("\n").map(BigInt),
  binary: (body) => Array.from({ length: body.length / 8 }, (_, i) => body.readBigUInt64BE(i * 8)),
};

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} service
 * @property {string} path
 * @property {number} count ids per answer
 * @property {string} layout
 * @property {string} allowedFuture
 * @property {(body: Buffer) => bigint[]} [ids] reads the ids
 *
 * @typedef {object} Result of one run of wrk
 * @property {number} perSecond requests
 * @property {number} p50 µs
 * @property {number} p99 µs
 * @property {number} ids counted in the answers
 */

const BASE = "smallest workers-rs handler";

const idle = { path: "/", count: 0, layout: "-", allowedFuture: "-" };
/** @type {Row[]} */
const all = [
  { ...idle, name: BASE, service: "smallest-rust" },
  { ...idle, name: "smallest JavaScript handler", service: "smallest-js" },
  ...[1, 100, 10_000].flatMap((count) =>
    Object.entries(formats).map(([format, ids]) => ({
      name: `POST /v1/ids, ${count} ${format}`,
      service: "worker",
      // JSON is the default format.
      path: `/v1/ids?count=${count}${format === "json" ? "" : `&format=${format}`}`,
      count,
      layout: "1/41/6/16",
      allowedFuture: "15 s",
      ids,
    })),
  ),
  {
    ...{ name: "a Durable Object call for each id", service: "call-an-id", path: "/", count: 1 },
    ...{ layout: "1/41/22", allowedFuture: "unbounded", ids: formats.json },
  },
];

await setup();
requirePrograms(benchPrograms);
if (availableParallelism() < 2) fail("found 1 core: workerd and wrk need one each");
run("node", ["tools", "build", "worker", "smallest"], {
  stdio: ["ignore", process.stderr, "inherit"],
});

const directory = temporary();

const start = await coldStart();
const server = await startWorkerd({
  directory,
  storage: temporary(),
  services,
  prefix: ["taskset", "-c", "0"],
});
/** @type {Map<Row, Result[]>} */
const results = new Map();
try {
  for (const row of all) {
    if (only.length > 0 && row.name !== BASE && !only.some((part) => row.name.includes(part))) {
      continue;
    }
    const response = await ask(row);
    if (response.status === 200) results.set(row, []);
    else console.error(`left out: ${row.name}: ${response.status} ${response.body}`);
  }
  // This short run compiles and warms up the code for the first round.
  for (const row of results.keys()) await measure(row, 1);
  for (let round = 0; round < rounds; round++) {
    for (const [row, measured] of results) measured.push(await measure(row, seconds));
  }
} finally {
  await server.kill();
}
report();

/** @param {Row} row */
async function ask({ service, path }) {
  const response = await fetch(server.url(service, path), { method: "POST" });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

/**
 * Sends one request in addition to the requests of wrk, and reads the ids of the answer one by one.
 *
 * @param {Row} row
 * @returns {Promise<number>} bytes of the body
 */
async function check(row) {
  const { status, body } = await ask(row);
  if (status !== 200) fail(`${row.name}: ${status} ${body}`);
  const ids = new Set(row.ids?.(body));
  if (ids.size !== row.count) fail(`${row.name}: got ${ids.size} ids of ${row.count}`);
  return body.length;
}

/** @param {Row} row @param {number} duration in s @returns {Promise<Result>} */
async function measure(row, duration) {
  const bytes = await check(row);
  const url = server.url(row.service, row.path);
  const { perSecond, whole, p50, p99 } = load(row.name, url, duration, `${bytes}`);
  await check(row);
  return { perSecond, p50, p99, ids: whole * row.count };
}

/**
 * Measures the cost of the first id in three parts, in ms. `start` is the start of workerd with the
 * Worker, minus the start with the smallest handler. `lease` is the first request minus the second
 * request. `generate` is the second request.
 */
async function coldStart() {
  /** @type {Record<"start" | "lease" | "generate", number[]>} */
  const times = { start: [], lease: [], generate: [] };
  for (let round = 0; round < rounds; round++) {
    const [, smallest, ours] = services;
    const floor = await startTime(smallest, async () => []);
    const cold = await startTime(ours, async (ask) => [await ask(), await ask()]);
    times.start.push(cold.start - floor.start);
    times.lease.push(cold.asked[0] - cold.asked[1]);
    times.generate.push(cold.asked[1]);
  }
  return times;
}

/**
 * @param {import("../tools/serve/workerd.js").Service} service
 * @param {(ask: () => Promise<number>) => Promise<number[]>} then
 */
async function startTime(service, then) {
  const storage = temporary();
  const begin = performance.now();
  const cold = await startWorkerd({ directory, storage, services: [service] });
  const start = performance.now() - begin;
  const asked = await then(async () => {
    const begin = performance.now();
    const response = await fetch(cold.url(service.name, "/v1/ids"), { method: "POST" });
    await response.text();
    if (response.status !== 200) fail(`the first id: ${response.status}`);
    return performance.now() - begin;
  });
  await cold.kill();
  return { start, asked };
}

function report() {
  const base = /** @type {Result[]} */ ([...results].find(([row]) => row.name === BASE)?.[1]);
  const rows = [...results].map(([row, measured]) => ({
    ratio: spread(measured.map(({ perSecond }, round) => perSecond / base[round].perSecond)),
    name: row.name,
    requestsPerSecond: spread(measured.map(({ perSecond }) => perSecond)),
    idsPerSecond: spread(measured.map(({ perSecond }) => perSecond * row.count)),
    p50Micros: median(measured.map(({ p50 }) => p50)),
    p99Micros: median(measured.map(({ p99 }) => p99)),
    ids: measured.reduce((sum, { ids }) => sum + ids, 0),
    layout: row.layout,
    allowedFuture: row.allowedFuture,
  }));
  const cold = {
    startMillis: spread(start.start),
    leaseMillis: spread(start.lease),
    generateMillis: spread(start.generate),
  };
  if (options.json) {
    console.log(JSON.stringify({ rounds, seconds, layout: LAYOUT, rows, cold }, undefined, 2));
    return;
  }

  /** @typedef {import("./table.js").Spread} Spread */
  const range = (/** @type {Spread} */ { low, high }, digits = 2) =>
    `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
  const told = (/** @type {Spread} */ found, digits = 2) =>
    isNoise(found) ? "n/a" : found.median.toFixed(digits);
  print([
    ["ratio", "spread", "", "requests/s", "ids/s", "p50 ms", "p99 ms", "ids", "layout", "ahead"],
    ...rows.map((row) => [
      told(row.ratio),
      range(row.ratio),
      row.name,
      whole(row.requestsPerSecond.median),
      whole(row.idsPerSecond.median),
      (row.p50Micros / 1e3).toFixed(2),
      (row.p99Micros / 1e3).toFixed(2),
      whole(row.ids),
      row.layout,
      row.allowedFuture,
    ]),
  ]);
  console.log(`
Medians of ${rounds} rounds of ${seconds} s; the ratio is to the ${BASE} in the same round.
Layout: ${LAYOUT}

Cold isolate to first id, in ms, and half of ${rounds} rounds:
  start     ${told(cold.startMillis, 1)} (${range(cold.startMillis, 1)}) beyond that of the smallest JavaScript handler
  lease     ${told(cold.leaseMillis, 1)} (${range(cold.leaseMillis, 1)}) with the start of the authority and its first row
  generate  ${told(cold.generateMillis, 1)} (${range(cold.generateMillis, 1)}) with HTTP`);
}
