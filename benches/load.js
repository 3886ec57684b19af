// node tools load [bulk] [held] [herd] [--before DIR] [--seconds N] puts the built Worker
// and the authority on Node under load, and fails if they break what the docs promise. Without a
// name it does all three. Every id is compared, and none may come twice.
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
// that take 2.5 ms. The holders share the cores with the authority. With --before, each herd also
// asks the authority of another built tree, with that tree's holders. Herds need Linux and a C
// compiler.

import { resolve } from "node:path";
import { readArguments } from "../tools/command/arguments.js";
import { root } from "../tools/command/paths.js";
import { fail, run } from "../tools/command/run.js";
import { setup } from "../tools/setup/setup.js";
import { BULK, crowd, serving, temporary } from "./crowd.js";
import { beside, kinds, TOKEN } from "./held.js";
import { measureHerds } from "./herd.js";
import { integer, print, whole } from "./table.js";

const { positionals, values: options } = readArguments({
  allowPositionals: true,
  options: {
    before: { type: "string" },
    seconds: { type: "string", default: "15" },
  },
});
const seconds = integer("seconds", options.seconds);
const PARTS = ["bulk", "held", "herd"];
const unknown = positionals.find((name) => !PARTS.includes(name));
if (unknown) fail(`unknown part ${unknown}; allowed: ${PARTS.join(", ")}`);
const has = (/** @type {string} */ part) => positionals.length === 0 || positionals.includes(part);

const CLIENTS = 400;
/** Number of ids per ms in the default layout. */
const IDS_PER_MS = 64;
/** The allowed futures to measure: the default, and none. */
const AHEAD_MS = [15_000, 0];
const DELIVERED_MIN = 0.9;
const GROWN_MAX_BYTES = 16 * 1024 * 1024;
const CONNECTIONS = 1_000;
const HERD_COLUMNS =
  "authority,tree,holders,witness,sync + ms,served,median ms,last ms,calls/holder,failed calls";

await setup();
const built = has("herd") ? ["worker", "package"] : ["worker"];
run("node", ["tools", "build", ...built], { stdio: ["ignore", process.stderr, "inherit"] });

/** @param {number} aheadMs */
const ahead = (aheadMs) => ({
  EDGEFLAKE_PUBLIC_ISSUE: "true",
  EDGEFLAKE_LEASE_TOKEN: TOKEN,
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${aheadMs}`,
});

const bulk = [];
for (const aheadMs of has("bulk") ? AHEAD_MS : []) {
  const found = await serving(ahead(aheadMs), (server) => crowd(server, CLIENTS, seconds));
  const allowed = IDS_PER_MS * (aheadMs + found.lastMs);
  bulk.push({ aheadMs, delivered: (found.served * BULK) / allowed, ...found });
}
const held = !has("held")
  ? []
  : await serving(ahead(AHEAD_MS[0]), async (server) => {
      const held = [];
      for (const kind of Object.keys(kinds)) {
        held.push(await beside(server, kind, CONNECTIONS, seconds));
      }
      return held;
    });
const trees = { ...(options.before && { before: resolve(options.before) }), now: root };
const herds = has("herd") ? await measureHerds(temporary(), trees) : [];

/** @param {string} title @param {string[]} head @param {string[][]} rows */
const table = (title, head, rows) => {
  if (rows.length === 0) return;
  console.log(`\n${title}:`);
  print([head, ...rows]);
};
table(
  `${CLIENTS} clients who ask for ${BULK} ids each, for ${seconds} s`,
  ["ahead ms", "ids", "delivered", "refused", "small", "failed", "p99 ms", "grown KB"],
  bulk.map((row) => [
    whole(row.aheadMs),
    whole(row.served * BULK),
    `${whole(row.delivered * 100)} %`,
    ...[row.refused, row.small, row.smallFailed, row.smallP99Ms, row.grown / 1024].map(whole),
  ]),
);
table(
  `${CONNECTIONS} connections, held for ${seconds} s each`,
  ["connections", "held at least", "made again", "small", "failed", "p99 ms"],
  held.map((row) => [
    row.kind,
    ...[row.least, row.again, row.small, row.failed, row.p99Ms].map(whole),
  ]),
);
table(
  "Holders that start at once",
  HERD_COLUMNS.split(","),
  herds.map((row) => [
    row.authority,
    row.tree,
    whole(row.holders),
    row.hasWitness ? "yes" : "no",
    `${row.syncMs}`,
    ...[row.served, row.medianMs, row.lastMs].map(whole),
    (row.calls / row.holders).toFixed(1),
    Object.entries(row.failed)
      .map(([code, count]) => `${whole(count)} ${code}`)
      .join(", "),
  ]),
);
const failures = [
  ...bulk.flatMap(({ aheadMs, delivered, grown, smallFailed }) => [
    aheadMs > 0 &&
      delivered < DELIVERED_MIN &&
      `only ${Math.round(delivered * 100)} % of the possible ids arrived, ${aheadMs} ms ahead`,
    grown > GROWN_MAX_BYTES &&
      `the memory has grown by ${grown} bytes, more than ${GROWN_MAX_BYTES}`,
    smallFailed > 0 && `${smallFailed} requests for one id failed beside the bulk`,
  ]),
  ...held.map(
    ({ kind, failed }) =>
      failed > 0 && `${failed} requests for one id failed beside connections ${kind}`,
  ),
  ...herds.map(
    ({ authority, tree, holders, served, lastMs, lastMaxMs }) =>
      tree === "now" &&
      (served < holders || lastMs > lastMaxMs) &&
      `${authority} served ${served} of ${holders} holders in ${Math.round(lastMs)} ms (at most ${lastMaxMs})`,
  ),
].filter(Boolean);
if (failures.length > 0) fail(failures.join("; "));
