// node tools soak [--minutes N | (--node | --postgres) [--ids N]] [--forget] runs the built Worker
// in workerd, in three isolates under full load, while clocks step, stop and run, objects are
// evicted, isolates panic, calls are lost, doubled and late, and the process is killed with SIGKILL
// and restarted on its storage. All ids are stored and sorted, and none may occur twice. Some kills
// must come while ids are ahead of the clocks. With --forget, the server restarts on empty storage
// each time, so the run fails unless it finds duplicates.
//
// With --node [--ids N] it runs the authority of `edgeflake/authority/node` and three processes
// that issue its ids. It kills each of them with SIGKILL at random, until there are N ids.
//
// With --postgres [--ids N] it does the same with PostgreSQL, and one of the three processes is in
// Rust: N ids with one server, N with a synchronous pair and N with an asynchronous pair. Each kill
// of a pair's server promotes its standby, ten times or more. At last, the asynchronous pair runs
// without noticing its failovers, and duplicates must be found.

import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { readArguments } from "../../tools/command/arguments.js";
import { exitCode, fail } from "../../tools/command/run.js";
import { setup } from "../../tools/setup/setup.js";
import { issueWhileKilled } from "../package/harness/killed.js";
import { named, startCluster } from "./harness/cluster.js";
import { countRepeated, millisOf } from "./harness/ids.js";

const MINUTE_MS = 60_000;
/** How long a server runs before it is killed, in ms. */
const LIFE_MS = 10_000;
/** The longest time between two faults, in ms. */
const FAULT_MS = 1_000;
/**
 * With --node and with --postgres: the least number of kills of each process, and the time between
 * two progress reports, in ms.
 */
const NODE_KILLS = 5;
const POSTGRES_KILLS = 10;
const REPORT_MS = 30_000;
/** The number of clients of each isolate. */
const CLIENTS = 4;

/**
 * Ids count as ahead if they are more than this many ms ahead of the clock. Reading the clock and
 * killing the process takes less time.
 */
const AHEAD_MS = 1_000;

/**
 * The layout and the settings of leases. The layout has so few ids per ms that the load uses them
 * up, and ids are as far ahead of the clock as possible when the process is killed. The timestamp
 * begins at bit 22 and counts from 2018, because `millisOf` reads it there. Leases end often.
 */
const VARIABLES = {
  EDGEFLAKE_LAYOUT: "unused:1 timestamp:41 sequence:2 node:20 @2018-01-01",
  EDGEFLAKE_NODE_COUNT: "8",
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "5000",
  EDGEFLAKE_LEASE_MILLIS: "10001",
};

const { values } = readArguments({
  options: {
    minutes: { type: "string", default: "2" },
    node: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    ids: { type: "string", default: "20000000" },
    forget: { type: "boolean", default: false },
  },
});
if (values.node || values.postgres) {
  process.exit(await soakProcesses(Number(values.ids), values.postgres));
}
const minutes = Number(values.minutes);
if (!(minutes > 0)) fail(`--minutes is ${values.minutes}; allowed: a number above 0`);

await setup("lint");
if (exitCode("node", ["tools", "build", "worker"]) !== 0) fail("the Worker does not build");

const isolates = named(3);
/** @type {BigUint64Array[]} */
const issued = [];
let count = 0;
/** @type {Record<string, number>} */
const happened = {};
const note = (/** @type {string} */ what) => {
  happened[what] = (happened[what] ?? 0) + 1;
};
const KILLED = "killed with -9";
const AHEAD = `${KILLED} while ids were more than ${AHEAD_MS} ms ahead of an isolate's clock`;

/**
 * The time of each isolate's last id since the server was started, in Unix ms. @type {Map<string,
 * number>}
 */
const latestMs = new Map();

const some = (/** @type {any[]} */ values) => values[randomInt(values.length)];

const step = () => Math.round((Math.random() - 0.5) * 2 * some([0.01, 1, 5, 60]) * 1_000);

// A fault that has two rows happens twice as often.
/** @type {[string, (isolate: string) => Promise<unknown>][]} */
const FAULTS = [
  ["clocks of isolates stepped", (isolate) => cluster.turn(isolate, { step_ms: step() })],
  ["clocks of isolates stepped", (isolate) => cluster.turn(isolate, { step_ms: step() })],
  ["clocks of the authority stepped", () => cluster.turn("authority", { step_ms: step() })],
  ["clocks stopped, or sped up", (isolate) => cluster.turn(isolate, { speed: some([0, 0.5, 3]) })],
  ["clocks set right", () => cluster.turnAll({ speed: 1, now_ms: Date.now() })],
  ["clocks set right", () => cluster.turnAll({ speed: 1, now_ms: Date.now() })],
  ["objects evicted", () => cluster.evict()],
  ["isolates that panicked", (isolate) => cluster.turn(isolate, { fail_at: 1 + randomInt(20) })],
  ["changes of the network", () => cluster.turn("authority", some(NETWORKS)())],
];
const NETWORKS = [
  () => ({ lost: 0, doubled: 0, late: 0 }),
  () => ({ lost: 0.2, doubled: 0.2, late: 0.2, late_ms: 3_000, seed: randomInt(1_000) }),
  () => ({ delay_ms: some([0, 0, 50]) }),
];

const started = Date.now();
const cluster = await startCluster(isolates, VARIABLES);
let nextReport = MINUTE_MS / 2;
for (let life = 1; Date.now() < started + minutes * MINUTE_MS; life++) {
  await live();
  if (await isAhead()) note(AHEAD);
  await cluster.kill();
  note(KILLED);
  await cluster.start(VARIABLES, values.forget ? `storage-${life}` : undefined);
  if (Date.now() - started > nextReport) {
    nextReport += MINUTE_MS / 2;
    console.error(`${Math.round((Date.now() - started) / 1_000)} s: ${count} ids`);
  }
}
await cluster.close();

const all = new BigUint64Array(count);
let at = 0;
for (let ids = issued.pop(); ids; ids = issued.pop()) {
  all.set(ids, at);
  at += ids.length;
}
const repeated = countRepeated(all);
for (const [what, times] of Object.entries(happened).sort()) {
  console.log(`${String(times).padStart(12)}  ${what}`);
}
console.log(
  `${String(count).padStart(12)}  ids in ${minutes} minutes, ${repeated} of them repeated`,
);
if (count === 0) fail("no ids were issued, so this run shows nothing");
if (!happened[AHEAD])
  fail("no kill came while ids were ahead of the clock, so this run shows little");
process.exit(outcomeOf(repeated));

/**
 * Returns the exit code of a run: 0 if no id was repeated or, with --forget, if one was.
 *
 * @param {number} repeated the number of repeated ids
 */
function outcomeOf(repeated) {
  return repeated > 0 === values.forget ? 0 : 1;
}

/**
 * Soaks an authority whose issuers are processes, and returns the exit code.
 *
 * @param {number} ids @param {boolean} isPostgres
 */
async function soakProcesses(ids, isPostgres) {
  if (!(ids > 0)) fail(`--ids is ${values.ids}; allowed: a number above 0`);
  await setup("lint");
  if (exitCode("node", ["tools", "build", "package"]) !== 0) fail("the package does not build");
  if (!isPostgres) return outcomeOf(await soakKilled({ ids, forget: values.forget }));
  const where = ["--manifest-path=tests/databases/Cargo.toml", "--target-dir=target"];
  if (exitCode("cargo", ["build", "--locked", ...where, "--examples"]) !== 0)
    fail("the issuer in Rust does not build");
  for (const standby of /** @type {const} */ (["none", "synchronous", "asynchronous"])) {
    console.log(`PostgreSQL, standby: ${standby}`);
    if ((await soakPostgres(ids, standby)) > 0) return 1;
  }
  console.log("PostgreSQL, standby: asynchronous, and failovers go unnoticed");
  if ((await soakPostgres(ids, "asynchronous", true)) > 0) return 0;
  fail("no id was repeated, so the runs before show nothing");
}

/**
 * @param {number} ids @param {import("../package/harness/killed-postgres.js").Standby} standby
 * @param {boolean} [forget] whether failovers go unnoticed
 */
async function soakPostgres(ids, standby, forget) {
  // This module is imported here because it needs the built package, and a driver that the set-up
  // installs.
  const { postgresAuthority } = await import("../package/harness/killed-postgres.js");
  const authority = await postgresAuthority(standby, forget);
  try {
    const repeated = await soakKilled({ ids, authority, kills: POSTGRES_KILLS });
    for (const [what, times] of Object.entries(authority.happened)) {
      console.log(`${String(times).padStart(12)}  ${what}`);
    }
    return repeated;
  } finally {
    await authority.close();
  }
}

/**
 * Returns the number of repeated ids.
 *
 * @param {Pick<Parameters<typeof issueWhileKilled>[0], "ids" | "forget" | "authority"> & { kills?: number }} options
 */
async function soakKilled(options) {
  let next = Date.now() + REPORT_MS;
  const { count, repeated, killed, ended } = await issueWhileKilled({
    kills: NODE_KILLS,
    lifeMs: FAULT_MS,
    report(count) {
      if (Date.now() < next) return;
      next = Date.now() + REPORT_MS;
      console.error(`${count} ids`);
    },
    ...options,
  });
  console.log(`${String(killed.authority).padStart(12)}  kills of the authority`);
  console.log(`${String(killed.issuers).padStart(12)}  kills of processes that issue ids`);
  console.log(`${String(ended).padStart(12)}  processes that failed while the authority was down`);
  console.log(`${String(count).padStart(12)}  ids, ${repeated} of them repeated`);
  return repeated;
}

/** Runs clients and faults until the server has run long enough. */
async function live() {
  const until = Date.now() + LIFE_MS;
  latestMs.clear();
  const clients = isolates.flatMap((isolate) =>
    Array.from({ length: CLIENTS }, () => request(isolate)),
  );
  while (Date.now() < until) {
    await wait(randomInt(FAULT_MS));
    await fault();
  }
  // The requests are not awaited, because the server is killed while they run.
  void Promise.allSettled(clients);
}

/** Returns whether the last ids of an isolate are ahead of its clock. */
async function isAhead() {
  const clocksMs = await Promise.all(isolates.map((isolate) => cluster.nowMs(isolate)));
  return isolates.some((isolate, i) => (latestMs.get(isolate) ?? 0) - clocksMs[i] > AHEAD_MS);
}

/** Requests ids again and again. @param {string} isolate */
async function request(isolate) {
  for (;;) {
    const answer = await cluster.ask(isolate, some([1, 1, 1, 10, 100])).catch(() => undefined);
    if (answer === undefined) return note("requests cut off");
    note(answer.problem ? `answers of ${answer.status}` : "requests answered with ids");
    if (answer.problem) continue;
    issued.push(answer.ids);
    count += answer.ids.length;
    const lastMs = millisOf(answer.ids[answer.ids.length - 1]);
    latestMs.set(isolate, Math.max(latestMs.get(isolate) ?? 0, lastMs));
  }
}

async function fault() {
  const [what, act] = some(FAULTS);
  note(what);
  await act(some(isolates));
}
