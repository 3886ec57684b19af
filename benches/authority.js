// Measures an authority in its Durable Object, in workerd. It measures the operations per second,
// compared with an object that writes one row per request, and how long 65,536 nodes take to load,
// compared with SQLite reading each of their rows once. Loading may use all cores, because V8
// optimizes in the background. Each round measures everything that is compared, so that ratios
// compare the same moments.

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fail } from "../tools/command/run.js";
import { startWorkerd, worker } from "../tools/serve/workerd.js";
import { objectsOf, temporary } from "./crowd.js";
import { ratio, spread } from "./table.js";
import { load, PREFIX } from "./wrk.js";

const NODES = 65_536;
/**
 * Lease time, so long that no lease ends while the bench runs. `fillNodes` stores ends that are
 * earlier than the ends that renewals set, because otherwise SQLite would have nothing to write.
 */
const LEASE_MS = 3_600_000;
const EPOCH_MS = 1_514_764_800_000;

/** One node in `FREE` is free. */
const FREE = 8;

/** Makes the same tokens as benches/worker/load.lua. Like random tokens, they are in no order. */
const token = (/** @type {number} */ node) => {
  const hex = (/** @type {number} */ value, /** @type {number} */ digits) =>
    value.toString(16).padStart(digits, "0");
  return `f${hex((node * 40_503) % NODES, 4)}${hex(node, 27)}`;
};

/** @typedef {Awaited<ReturnType<typeof startWorkerd>>} Server */

/**
 * The rows of the table, each with the object that wrk calls and the operation that wrk sends. The
 * first row is the floor.
 */
const OPERATIONS = [
  ["an object that writes one row and answers", "/row", "renew"],
  ["renew, without a witness", "/unwitnessed", "renew"],
  ["renew", "/authority", "renew"],
  ["acquire, then release", "/authority", "lease"],
  ["6 renew, acquire, release", "/authority", "mix"],
];

/** @type {import("../tools/serve/workerd.js").Service} */
const service = {
  name: "authority",
  modules: [join("benches", "worker", "authority.js"), ...worker],
  vars: { EDGEFLAKE_OPERATIONS_PER_SECOND_MAX: "1000000", EDGEFLAKE_LEASE_MILLIS: `${LEASE_MS}` },
  objects: objectsOf("Authority", "Unwitnessed", "Row", "Scan", "Directory"),
};

const directory = temporary();
const storage = join(directory, "storage");

/**
 * @param {number} rounds @param {number} seconds of each round
 * @returns {Promise<import("./bench.js").Row[]>}
 */
export async function measureAuthority(rounds, seconds) {
  mkdirSync(storage);
  await withWorkerd([], async (ask) => {
    const layout = `unused:1 timestamp:41 sequence:6 node:16 @${EPOCH_MS} tick=1ms`;
    const create = { layout, first_node: 0, node_count: NODES, shards: 1 };
    await ask("/authority", { create });
    await ask("/unwitnessed", { create });
    await ask("/scan");
  });
  for (const name of ["Authority", "Unwitnessed", "Scan"]) fillNodes(name);
  const { walls, cpus, floors } = await measureLoading(rounds);
  const rates = await measureOperations(rounds, seconds);
  const group = `Authority in its object, ${NODES} nodes`;
  const ms = (/** @type {number[]} */ values) => ({ group, value: spread(values), unit: "ms" });
  return [
    ...OPERATIONS.map(([name], i) => {
      const value = spread(rates[i]);
      return { group, name, value, unit: "/s", ratio: ratio(rates[i], rates[0]) };
    }),
    { name: "floor for loading: SQLite reads each row once", ...ms(floors) },
    { name: "loading", ...ms(walls), ratio: ratio(walls, floors) },
    { name: "loading, CPU time", ...ms(cpus) },
  ];
}

/**
 * @template T @param {string[]} prefix a command that runs workerd
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

/**
 * Stores a row for each node but the first, as if all had been used. Most of these nodes are held.
 *
 * @param {string} className
 */
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
 * minus the time of the second request. Measures the floor in the same round.
 *
 * @param {number} rounds
 */
async function measureLoading(rounds) {
  const first = async (/** @type {string} */ path) =>
    withWorkerd([], async (ask, server) => {
      await ask("/row/");
      const times = [];
      for (let request = 0; request < 2; request++) {
        const [begin, cpuBegin] = [performance.now(), server.cpuMillis()];
        const { used } = await ask(path);
        if (used !== NODES - 1) fail(`${path}: loaded ${used} of ${NODES - 1} nodes`);
        times.push([performance.now() - begin, server.cpuMillis() - cpuBegin]);
      }
      return { wall: times[0][0] - times[1][0], cpu: times[0][1] - times[1][1] };
    });
  /** @type {Record<"walls" | "cpus" | "floors", number[]>} */
  const times = { walls: [], cpus: [], floors: [] };
  for (let round = 0; round < rounds; round++) {
    const { wall, cpu } = await first("/authority/status");
    times.walls.push(wall);
    times.cpus.push(cpu);
    times.floors.push((await first("/scan/")).wall);
  }
  return times;
}

/** Measures the rate of each operation in each round. @param {number} rounds @param {number} seconds */
async function measureOperations(rounds, seconds) {
  return withWorkerd(PREFIX, async (ask, server) => {
    await ask("/authority/status");
    await ask("/unwitnessed/status");
    const measure = (/** @type {string[]} */ [name, path, operation], /** @type {number} */ s) =>
      load(name, server.url(service.name, `${path}/`), s, operation).perSecond;
    for (const operation of OPERATIONS) measure(operation, 1);
    /** @type {number[][]} */
    const rates = OPERATIONS.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, operation] of OPERATIONS.entries()) rates[i].push(measure(operation, seconds));
    }
    return rates;
  });
}
