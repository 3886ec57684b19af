// Measures the throughput of the Worker in workerd, beside handlers that do nothing and beside one
// call to a Durable Object per id, and the first id of a cold isolate. Every row is measured in
// every round, so that a slow moment of the machine affects all of them and ratios hold. Every
// answer is checked to be complete.

import { join } from "node:path";
import { fail } from "../tools/command/run.js";
import { modulesIn, startWorkerd, worker } from "../tools/serve/workerd.js";
import { objectsOf, temporary } from "./crowd.js";
import { median, ratio, spread } from "./table.js";
import { load, PREFIX } from "./wrk.js";

/** @typedef {Awaited<ReturnType<typeof startWorkerd>>} Server */

const vars = {
  // This layout has 65,536 ids per ms, far more than any row issues.
  EDGEFLAKE_LAYOUT: "unused:1 timestamp:41 node:6 sequence:16 @1704067200000 tick=1ms",
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "15000",
  // Any caller gets ids, because the bench does not measure the check of secrets.
  EDGEFLAKE_PUBLIC_ISSUE: "true",
};

const bench = (/** @type {string} */ file) => join("benches", "worker", file);

const smallest = { name: "smallest-js", modules: [bench("smallest.js")] };
const ours = {
  name: "worker",
  modules: worker,
  vars,
  objects: objectsOf("Authority", "Directory"),
};
/** @type {import("../tools/serve/workerd.js").Service[]} */
const services = [
  { name: "smallest-rust", modules: modulesIn("smallest") },
  smallest,
  ours,
  { name: "call-an-id", modules: [bench("call-an-id.js")], objects: objectsOf("Counter") },
];

/** Reads the ids in each format. @type {Record<string, (body: Buffer) => bigint[]>} */
const formats = {
  json: (body) => JSON.parse(body.toString()).ids.map(BigInt),
  text: (body) => body.toString().trimEnd().split("\n").map(BigInt),
  binary: (body) => Array.from({ length: body.length / 8 }, (_, i) => body.readBigUInt64BE(i * 8)),
};

/**
 * @typedef {object} Asked
 * @property {string} name with the layout and the allowed future
 * @property {string} service
 * @property {string} path
 * @property {number} count ids per answer
 * @property {(body: Buffer) => bigint[]} [ids] reads the ids
 */

/** The first row is the floor. @type {Asked[]} */
const all = [
  { name: "smallest workers-rs handler", service: "smallest-rust", path: "/", count: 0 },
  { name: "smallest JavaScript handler", service: "smallest-js", path: "/", count: 0 },
  ...[1, 100, 10_000].flatMap((count) =>
    Object.entries(formats).map(([format, ids]) => ({
      name: `POST /v1/ids, ${count} ${format} (1/41/6/16, 15 s)`,
      service: "worker",
      // JSON is the default format.
      path: `/v1/ids?count=${count}${format === "json" ? "" : `&format=${format}`}`,
      count,
      ids,
    })),
  ),
  {
    name: "a Durable Object call for each id (1/41/22, unbounded)",
    ...{ service: "call-an-id", path: "/", count: 1, ids: formats.json },
  },
];

/**
 * @param {number} rounds @param {number} seconds of each round
 * @returns {Promise<import("./bench.js").Row[]>}
 */
export async function measureWorker(rounds, seconds) {
  const directory = temporary();
  const cold = await coldStart(directory, rounds);
  const storage = temporary();
  const server = await startWorkerd({ directory, storage, services, prefix: PREFIX });
  /** @type {import("./wrk.js").Load[][]} */
  const loads = all.map(() => []);
  try {
    // This short run compiles and warms up the code for the first round.
    for (const asked of all) await measure(server, asked, 1);
    for (let round = 0; round < rounds; round++) {
      for (const [i, asked] of all.entries()) loads[i].push(await measure(server, asked, seconds));
    }
  } finally {
    await server.kill();
  }
  const millis = (/** @type {number[]} */ micros) => (median(micros) / 1e3).toFixed(1);
  const rates = loads.map((rounds) => rounds.map(({ perSecond }) => perSecond));
  const requests = all.map(({ name }, i) => {
    const [p50, p99] = [loads[i].map(({ p50 }) => p50), loads[i].map(({ p99 }) => p99)];
    return {
      group: "Worker",
      name: `${name}: p50 ${millis(p50)}, p99 ${millis(p99)} ms`,
      value: spread(rates[i]),
      unit: "/s",
      ratio: ratio(rates[i], rates[0]),
    };
  });
  const group = "Worker: cold isolate to first id";
  const starts = Object.entries(cold).map(([name, times]) => {
    return { group, name, value: spread(times), unit: "ms" };
  });
  return [...requests, ...starts];
}

/**
 * Sends one request in addition to those of wrk, and counts the different ids in the answer.
 *
 * @param {Server} server @param {Asked} asked @returns {Promise<number>} bytes of the body
 */
async function check(server, { name, service, path, count, ids }) {
  const response = await fetch(server.url(service, path), { method: "POST" });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) fail(`${name}: ${response.status} ${body}`);
  const { size } = new Set(ids?.(body));
  if (size !== count) fail(`${name}: got ${size} of ${count} different ids`);
  return body.length;
}

/** @param {Server} server @param {Asked} asked @param {number} seconds */
async function measure(server, asked, seconds) {
  const bytes = await check(server, asked);
  const url = server.url(asked.service, asked.path);
  const measured = load(asked.name, url, seconds, `${bytes}`);
  await check(server, asked);
  return measured;
}

/** @param {() => Promise<T>} body @template T */
async function timed(body) {
  const begin = performance.now();
  return { result: await body(), ms: performance.now() - begin };
}

/**
 * Measures three parts of the first id's cost, in ms. `start` is the start of workerd with the
 * Worker, minus the start with the smallest handler. `lease` is the first request minus the second
 * request, and `generate` is the second request.
 *
 * @param {string} directory @param {number} rounds
 */
async function coldStart(directory, rounds) {
  /** @type {Record<"start" | "lease" | "generate", number[]>} */
  const times = { start: [], lease: [], generate: [] };
  /** @param {import("../tools/serve/workerd.js").Service} service */
  const start = (service) =>
    timed(() => startWorkerd({ directory, storage: temporary(), services: [service] }));
  for (let round = 0; round < rounds; round++) {
    const floor = await start(smallest);
    await floor.result.kill();
    const cold = await start(ours);
    const request = () =>
      timed(async () => {
        const response = await fetch(cold.result.url("worker", "/v1/ids"), { method: "POST" });
        await response.text();
        if (response.status !== 200) fail(`a request for an id: ${response.status}`);
      });
    const [first, second] = [await request(), await request()];
    await cold.result.kill();
    times.start.push(cold.ms - floor.ms);
    times.lease.push(first.ms - second.ms);
    times.generate.push(second.ms);
  }
  return times;
}
