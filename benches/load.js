// node tools load [bulk] [held] [herd] puts the built Worker and the authority on Node under load,
// and fails if they break what the docs promise. Without a name it does all three. Every id is
// compared, and none may come twice.
//
// bulk: 400 clients ask for 100,000 ids each, again and again, with the default allowed future. At
// least 90 % of the ids that the layout allows must arrive, the memory may grow by 16 MB at most,
// and no request for one id may fail meanwhile. The same load also runs without an allowed future.
// The 90 % are not checked then, because the rate depends on how late the machine's timers are.
//
// held: 1,000 connections of each kind in `held.js` are held, and no request for one id may fail
// meanwhile.
//
// herd: up to 6,000 holders start at once, with and without a witness, and with syncs of storage
// that take 2.5 ms. The holders share the cores with the authority. Herds need Linux and a C
// compiler.

import { readArguments } from "../tools/command/arguments.js";
import { fail, run } from "../tools/command/run.js";
import { setup } from "../tools/setup/setup.js";
import { BULK, crowd, serving } from "./crowd.js";
import { beside, CONNECTIONS, kinds, TOKEN } from "./held.js";
import { measureHerds } from "./herd.js";
import { print, whole } from "./table.js";

const { positionals } = readArguments({ allowPositionals: true });
const PARTS = ["bulk", "held", "herd"];
const unknown = positionals.find((name) => !PARTS.includes(name));
if (unknown) fail(`unknown part ${unknown}; allowed: ${PARTS.join(", ")}`);
const has = (/** @type {string} */ part) => positionals.length === 0 || positionals.includes(part);

/** Length of the load by clients, and of each kind of connections. */
const SECONDS = 15;
const CLIENTS = 400;
/** Number of ids per ms in the default layout. */
const IDS_PER_MS = 64;
/** The allowed futures to measure: the default, and none. */
const AHEAD_MS = [15_000, 0];
const DELIVERED_MIN = 0.9;
const GROWN_MAX_BYTES = 16 * 1024 * 1024;

await setup();
const built = has("herd") ? ["worker", "package"] : ["worker"];
run("node", ["tools", "build", ...built], { stdio: ["ignore", process.stderr, "inherit"] });

/** Messages about failures, which are printed at the end. @type {string[]} */
const failures = [];
if (has("bulk")) await measureBulk();
if (has("held")) await measureHeld();
if (has("herd")) await reportHerds();
if (failures.length > 0) fail(failures.join("; "));

/** @param {number} aheadMs */
function ahead(aheadMs) {
  return {
    EDGEFLAKE_PUBLIC_ISSUE: "true",
    EDGEFLAKE_LEASE_TOKEN: TOKEN,
    EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${aheadMs}`,
  };
}

async function measureBulk() {
  const rows = [];
  for (const aheadMs of AHEAD_MS) {
    const found = await serving(ahead(aheadMs), (server) => crowd(server, CLIENTS, SECONDS));
    const { served, refused, small, failed, p99Ms, grown } = found;
    const delivered = (served * BULK) / (IDS_PER_MS * (aheadMs + found.lastMs));
    rows.push([
      ...[whole(aheadMs), whole(served * BULK), `${whole(delivered * 100)} %`],
      ...[refused, small, failed, p99Ms, grown / 1024].map(whole),
    ]);
    if (aheadMs > 0 && delivered < DELIVERED_MIN) {
      const percent = Math.round(delivered * 100);
      failures.push(`only ${percent} % of the possible ids arrived, ${aheadMs} ms ahead`);
    }
    if (grown > GROWN_MAX_BYTES)
      failures.push(`the memory has grown by ${grown} bytes, more than ${GROWN_MAX_BYTES}`);
    if (failed > 0) failures.push(`${failed} requests for one id failed beside the bulk`);
  }
  console.log(`\n${CLIENTS} clients who ask for ${BULK} ids each, for ${SECONDS} s:`);
  const head = ["ahead ms", "ids", "delivered", "refused", "small", "failed", "p99 ms", "grown KB"];
  print([head, ...rows]);
}

async function measureHeld() {
  const rows = await serving(ahead(AHEAD_MS[0]), async (server) => {
    const rows = [];
    for (const kind of Object.keys(kinds)) {
      const { least, again, small, failed, p99Ms } = await beside(server, kind, SECONDS);
      rows.push([kind, ...[least, again, small, failed, p99Ms].map(whole)]);
      if (failed > 0)
        failures.push(`${failed} requests for one id failed beside connections ${kind}`);
    }
    return rows;
  });
  console.log(`\n${CONNECTIONS} connections, held for ${SECONDS} s each:`);
  print([["connections", "held at least", "made again", "small", "failed", "p99 ms"], ...rows]);
}

async function reportHerds() {
  const rows = [];
  for (const row of await measureHerds()) {
    const { authority, holders, served, medianMs, lastMs, lastMaxMs } = row;
    const failed = Object.entries(row.failed).map(([code, count]) => `${whole(count)} ${code}`);
    rows.push([
      ...[authority, whole(holders), row.hasWitness ? "yes" : "no", `${row.syncMs}`],
      ...[served, medianMs, lastMs].map(whole),
      ...[(row.calls / holders).toFixed(1), failed.join(", ")],
    ]);
    if (served < holders || lastMs > lastMaxMs) {
      const took = `in ${Math.round(lastMs)} ms (at most ${lastMaxMs})`;
      failures.push(`${authority} served ${served} of ${holders} holders ${took}`);
    }
  }
  console.log("\nHolders that start at once:");
  const head = ["authority", "holders", "witness", "sync + ms", "served", "median ms", "last ms"];
  print([[...head, "calls/holder", "failed calls"], ...rows]);
}
