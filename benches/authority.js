// node tools bench:authority [--rounds N] [--seconds N] [--json] measures an authority in its
// Durable Object, in workerd. It prints the operations per second, compared with an object that
// writes one row per request. It prints the rows that each operation reads and writes, as workerd
// counts them. It prints how long 65,536 nodes take to load, compared with the time in which SQLite
// alone reads each row of these nodes once.
//
// workerd has one core and wrk another. Loading may use all cores, because V8 optimizes in the
// background. Every row of the table is measured in every round, so that ratios compare the same
// moments.

import { mkdirSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readArguments } from "../tools/command/arguments.js";
import { fail, run } from "../tools/command/run.js";
import { startWorkerd, worker } from "../tools/serve/workerd.js";
import { benchPrograms, requirePrograms } from "../tools/setup/programs.js";
import { setup } from "../tools/setup/setup.js";
import { objectsOf, temporary } from "./crowd.js";
import { integer, print, spread, whole } from "./table.js";
import { load } from "./wrk.js";

const { values: options } = readArguments({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
  },
});
const rounds = integer("rounds", options.rounds);
const seconds = integer("seconds", options.seconds);

const NODES = 65_536;
/**
 * No lease ends while the bench runs. Each renewal moves the end of the lease, because otherwise
 * SQLite would write nothing.
 */
const LEASE_MS = 3_600_000;
const EPOCH_MS = 1_514_764_800_000;

/** One node in this number of nodes is free. */
const FREE = 8;

/**
 * Makes the same tokens as benches/worker/load.lua. Like random tokens, these tokens are in no
 * order.
 */
const token = (/** @type {number} */ node) => {
  const hex = (/** @type {number} */ value, /** @type {number} */ digits) =>
    value.toString(16).padStart(digits, "0");
  return `f${hex((node * 40_503) % NODES, 4)}${hex(node, 27)}`;
};

/** @typedef {{ name: string, path: string, operation: string }} Row */
/** @typedef {Awaited<ReturnType<typeof startWorkerd>>} Server */

const BASE = "an object that writes one row and answers";
/** @type {Row[]} */
const rows = [
  { name: BASE, path: "/row", operation: "renew" },
  { name: "renew", path: "/authority", operation: "renew" },
  { name: "acquire, then release", path: "/authority", operation: "lease" },
  { name: "6 renew, acquire, release", path: "/authority", operation: "mix" },
];

/** @type {import("../tools/serve/workerd.js").Service} */
const service = {
  name: "authority",
  modules: [join("benches", "worker", "authority.js"), ...worker],
  vars: { EDGEFLAKE_OPERATIONS_PER_SECOND_MAX: "1000000", EDGEFLAKE_LEASE_MILLIS: `${LEASE_MS}` },
  objects: objectsOf("Authority", "Counted", "Row", "Scan", "Directory"),
};

await setup();
requirePrograms(benchPrograms);
if (availableParallelism() < 2) fail("found 1 core: workerd and wrk need one each");
run("node", ["tools", "build", "worker"], { stdio: ["ignore", process.stderr, "inherit"] });

const directory = temporary();
const storage = join(directory, "storage");
mkdirSync(storage);

await withWorkerd([], async (ask) => {
  const layout = `unused:1 timestamp:41 sequence:6 node:16 @${EPOCH_MS} tick=1ms`;
  const create = { layout, first_node: 0, node_count: NODES, shards: 1 };
  for (const object of ["authority", "counted"]) await ask(`/${object}`, { create });
  await ask("/scan");
});
for (const name of ["Authority", "Counted", "Scan"]) fillNodes(name);
const loading = await measureLoading();
const counted = await countRows();
const measured = await measureOperations();
report();

/**
 * @template T
 * @param {string[]} prefix a command that runs workerd
 * @param {(ask: (path: string, body?: object) => Promise<any>, server: Server) => Promise<T>} use
 */
async function withWorkerd(prefix, use) {
  const server = await startWorkerd({ directory, storage, services: [service], prefix });
  try {
    return await use(async (path, body) => {
      const init = body && { method: "POST", body: JSON.stringify(body) };
      const response = await fetch(server.url(service.name, path), init);
      const text = await response.text();
      if (response.status !== 200) fail(`${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    }, server);
  } finally {
    await server.kill();
  }
}

/** Stores nodes that were all used, and most of which are held. @param {string} className */
function fillNodes(className) {
  const objects = join(storage, className);
  const file = readdirSync(objects).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  const database = new DatabaseSync(join(objects, file ?? fail(`${className} stored nothing`)));
  const insert = database.prepare("INSERT INTO node VALUES (?, ?, ?, 0, ?, ?, 0, 0)");
  const now = Date.now() - EPOCH_MS;
  database.exec("BEGIN");
  for (let node = 1; node < NODES; node++) {
    const from = now - Math.floor((Math.random() * LEASE_MS) / 2);
    const isFree = node % FREE === 0;
    const until = isFree ? from : from + LEASE_MS;
    insert.run(node, from, until, isFree ? null : token(node), Math.floor(Math.random() * 1e9));
  }
  database.exec("COMMIT");
  database.close();
}

/**
 * Measures loading, in ms: the time of the first request to an object whose isolate is running,
 * minus the time of the second. Measures the floor in the same round.
 */
async function measureLoading() {
  const first = async (/** @type {string} */ path) =>
    withWorkerd([], async (ask, server) => {
      await ask("/row/");
      const times = [];
      for (let request = 0; request < 2; request++) {
        const [begin, cpuBegin] = [performance.now(), server.cpuMillis()];
        const { used } = await ask(path);
        if (used !== NODES - 1) fail(`${path}: loaded ${used} nodes of ${NODES - 1}`);
        times.push([performance.now() - begin, server.cpuMillis() - cpuBegin]);
      }
      return { wall: times[0][0] - times[1][0], cpu: times[0][1] - times[1][1] };
    });
  /** @type {{ wall: number, cpu: number }[][]} */
  const [loads, floors] = [[], []];
  for (let round = 0; round < rounds; round++) {
    loads.push(await first("/authority/status"));
    floors.push(await first("/scan/"));
  }
  return {
    wallMillis: spread(loads.map(({ wall }) => wall)),
    cpuMillis: spread(loads.map(({ cpu }) => cpu)),
    floorMillis: spread(floors.map(({ wall }) => wall)),
    ratio: spread(loads.map(({ wall }, round) => wall / floors[round].wall)),
  };
}

/** Counts the rows that one request of each kind reads and writes. */
async function countRows() {
  return withWorkerd([], async (ask) => {
    const [asked, now] = ["/counted/", Date.now()];
    const { rows: load } = await ask("/counted/status");
    const of = async (/** @type {object} */ request) => {
      const { text, rows } = await ask(asked, request);
      return { reply: JSON.parse(text), rows };
    };
    const acquired = await of({ acquire: { token: token(NODES), now_ms: now } });
    const { node, from_tick: tick } = acquired.reply.granted;
    const lease = { token: token(NODES), incarnation: 1, node };
    const renewed = await of({ renew: { ...lease, tick, now_ms: now } });
    const released = await of({ release: { ...lease, until_tick: tick } });
    const batched = await of({ prefetch: { now_ms: now } });
    if (!renewed.reply.renewed || !released.reply.released || !batched.reply.batched) {
      fail(`refused: ${JSON.stringify([renewed, released, batched])}`);
    }
    const [acquire, renew, release, batch] = [acquired, renewed, released, batched].map(
      ({ rows }) => rows,
    );
    return { load, acquire, renew, release, batch };
  });
}

/** @returns {Promise<Map<Row, (import("./wrk.js").Load & { cpuMicros: number })[]>>} */
async function measureOperations() {
  return withWorkerd(["taskset", "-c", "0"], async (_, server) => {
    /** @type {Awaited<ReturnType<typeof measureOperations>>} */
    const results = new Map(rows.map((row) => [row, []]));
    const measure = (/** @type {Row} */ { name, path, operation }, /** @type {number} */ s) => {
      const begin = server.cpuMillis();
      const url = server.url(service.name, `${path}/`);
      const measured = load(name, url, s, operation);
      return { ...measured, cpuMicros: ((server.cpuMillis() - begin) * 1e3) / measured.whole };
    };
    for (const row of rows) measure(row, 1);
    for (let round = 0; round < rounds; round++) {
      for (const [row, results_] of results) results_.push(measure(row, seconds));
    }
    return results;
  });
}

function report() {
  const base = measured.get(rows[0]) ?? [];
  const operations = [...measured].map(([{ name }, results]) => ({
    ratio: spread(results.map(({ perSecond }, round) => perSecond / base[round].perSecond)),
    name,
    perSecond: spread(results.map(({ perSecond }) => perSecond)),
    cpuMicros: spread(results.map(({ cpuMicros }) => cpuMicros)),
    p50Micros: spread(results.map(({ p50 }) => p50)).median,
    p99Micros: spread(results.map(({ p99 }) => p99)).median,
    answers: results.reduce((sum, { whole }) => sum + whole, 0),
  }));
  if (options.json) {
    console.log(
      JSON.stringify({ rounds, seconds, nodes: NODES, operations, rows: counted, loading }),
    );
    return;
  }
  print([
    ["ratio", "spread", "", "requests/s", "processor µs", "p50 ms", "p99 ms", "answers"],
    ...operations.map(({ ratio, name, perSecond, cpuMicros, p50Micros, p99Micros, answers }) => [
      ratio.median.toFixed(2),
      `${ratio.least.toFixed(2)}-${ratio.most.toFixed(2)}`,
      name,
      whole(perSecond.median),
      cpuMicros.median.toFixed(0),
      (p50Micros / 1e3).toFixed(2),
      (p99Micros / 1e3).toFixed(2),
      whole(answers),
    ]),
  ]);
  const { wallMillis, cpuMillis, floorMillis } = loading;
  const range = (/** @type {import("./table.js").Spread} */ { median, least, most }) =>
    `${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
  console.log(`
Medians of ${rounds} rounds of ${seconds} s, at ${whole(NODES)} nodes; the ratio is to ${BASE} in the same round.
Loading ${whole(NODES)} nodes: ${range(wallMillis)}, of which the processor worked ${range(cpuMillis)}
SQLite alone, which reads each row once: ${range(floorMillis)}; ratio ${loading.ratio.median.toFixed(2)}

Rows read and written, as workerd counts them:`);
  for (const [name, { read, written }] of Object.entries(counted)) {
    console.log(`  ${name.padEnd(8)} ${whole(read).padStart(8)} ${whole(written).padStart(4)}`);
  }
}
