// Puts a Worker in workerd under the load of clients who ask for many ids at once, and measures how
// other requests fare meanwhile.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { countRepeated, together } from "../tests/worker/harness/ids.js";
import { fail } from "../tools/command/run.js";
import { startWorkerd, worker } from "../tools/serve/workerd.js";
import { spread } from "./table.js";

/** @typedef {Awaited<ReturnType<typeof startWorkerd>>} Server */

/** The largest number of ids that a request may ask for. */
export const BULK = 100_000;

/** Pause between two requests for one id, and between two readings of the memory, in ms. */
const SMALL_EVERY_MS = 20;

/** @type {string[]} */
const directories = [];
process.on("exit", () => {
  for (const directory of directories) rmSync(directory, { force: true, recursive: true });
});

/** Makes a directory that is removed when the process ends. */
export function temporary() {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-bench-"));
  directories.push(directory);
  return directory;
}

/** Declares the objects of a Worker. @param {string[]} classes */
export const objectsOf = (...classes) =>
  classes.map((className) => ({ binding: className.toUpperCase(), className }));

/**
 * Starts a server of the Worker on new storage, lets the Worker issue an id, and calls `use` with
 * the server.
 *
 * @template T @param {Record<string, string>} vars @param {(server: Server) => Promise<T>} use
 */
export async function serving(vars, use) {
  const [directory, storage] = [temporary(), temporary()];
  const objects = objectsOf("Authority", "Directory");
  const services = [{ name: "worker", modules: worker, vars, objects }];
  const server = await startWorkerd({ directory, storage, services, inspected: true });
  try {
    await ask(server, 1);
    return await use(server);
  } finally {
    await server.kill();
  }
}

/** @param {Server} server @param {number} count */
export async function ask(server, count) {
  const url = server.url("worker", `/v1/ids?count=${count}&format=binary`);
  const begin = performance.now();
  const response = await fetch(url, { method: "POST" });
  const body = await response.arrayBuffer();
  const ids = response.ok ? new BigUint64Array(body) : new BigUint64Array();
  return { ms: performance.now() - begin, status: response.status, ids };
}

/**
 * Sends requests for one id until `end`, each after a call of `before`.
 *
 * @param {Server} server @param {number} end @param {() => void} [before]
 */
export async function askForOne(server, end, before) {
  const ms = [];
  const ids = [];
  let failed = 0;
  while (performance.now() < end) {
    before?.();
    const answer = await ask(server, 1);
    if (answer.status !== 200) failed += 1;
    ms.push(answer.ms);
    ids.push(answer.ids);
    await pause(SMALL_EVERY_MS);
  }
  unique(ids);
  return { small: ms.length, failed, p99Ms: spread(ms).p99 };
}

/**
 * Lets `clients` clients ask for 100,000 ids each, again and again for `seconds`, and sends
 * requests for one id meanwhile.
 *
 * @param {Server} server @param {number} clients @param {number} seconds
 */
export async function crowd(server, clients, seconds) {
  const inspector = new WebSocket(server.inspector("worker"));
  await once(inspector, "open");
  const used = async () => {
    inspector.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    const [{ data }] = await once(inspector, "message");
    return JSON.parse(data).result.backingStorageSize;
  };
  const before = await used();
  let memory = before;
  const begin = performance.now();
  const end = begin + seconds * 1e3;
  /** Time from the start until the last ids arrived. No request was sent after `seconds`. */
  let lastMs = 0;
  /** @type {{ status: number, ids: BigUint64Array }[]} */
  const answers = [];
  const client = async () => {
    while (performance.now() < end) {
      const answer = await ask(server, BULK);
      if (answer.status === 200) lastMs = performance.now() - begin;
      answers.push(answer);
    }
  };
  const watch = async () => {
    while (performance.now() < end) {
      memory = Math.max(memory, await used());
      await pause(SMALL_EVERY_MS);
    }
  };
  const clientsEnd = Promise.all(Array.from({ length: clients }, client));
  const [small] = await Promise.all([askForOne(server, end), clientsEnd, watch()]);
  inspector.close();
  unique(answers.map(({ ids }) => ids));
  const count = (/** @type {number} */ code) =>
    answers.filter(({ status }) => status === code).length;
  const [served, refused] = [count(200), count(503)];
  if (served + refused < answers.length) fail("an answer is neither 200 nor 503");
  return { ...small, served, refused, lastMs, grown: memory - before };
}

/** Fails if an id came twice. @param {BigUint64Array[]} all */
function unique(all) {
  const repeated = countRepeated(together(all));
  if (repeated > 0) fail(`${repeated} ids came twice`);
}
