// node tools load [--seconds N] [--json]: puts the built Worker in workerd under load, and fails if it
// does not hold what docs/OPERATIONS.md says:
//
// - 400 clients who ask for 100,000 ids each, again and again: at least 90 % of what the layout allows
//   is delivered, the memory grows by 16 MB at most, and of the requests for one id beside them none
//   fails;
// - 1,000 connections that send nothing, and 1,000 that send a byte of a request each second: of the
//   requests for one id beside them none fails.
//
// Every id is compared: none comes twice.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readArguments } from "../command/arguments.js";
import { fail, run } from "../command/run.js";
import { startWorkerd, worker } from "../serve/workerd.js";
import { setup } from "../setup/setup.js";
import { ask, BULK, crowd, unique } from "./crowd.js";
import { integer, print } from "./table.js";

const { values: options } = readArguments({
  options: {
    seconds: { type: "string", default: "15" },
    json: { type: "boolean", default: false },
  },
});
const seconds = integer("seconds", options.seconds);

const CLIENTS = 400;
/** Those of the default layout, and how far its ids may be ahead of the clock. */
const IDS_PER_MS = 64;
const AHEAD_MS = 15_000;
const DELIVERED_MIN = 0.9;
const GROWN_MAX_BYTES = 16 * 1024 * 1024;
const CONNECTIONS = 1_000;

/** What a slow client sends, a byte per second. */
const REQUEST = "POST /v1/ids HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4096\r\n\r\n";
const SLOW_MS = 1_000;
const SMALL_EVERY_MS = 20;

const objects = ["Authority", "Directory"].map((className) => ({
  binding: className.toUpperCase(),
  className,
}));

await setup();
run("node", ["tools", "build", "worker"], { stdio: ["ignore", process.stderr, "inherit"] });
const directory = mkdtempSync(join(tmpdir(), "edgeflake-load-"));
process.on("exit", () => rmSync(directory, { force: true, recursive: true }));

const storage = mkdtempSync(join(directory, "storage-"));
const vars = {
  // The other variables have their defaults, as most deployments do.
  EDGEFLAKE_PUBLIC_ISSUE: "true",
};
const services = [{ name: "worker", modules: worker, vars, objects }];
const server = await startWorkerd({ directory, storage, services, inspected: true });
let bulk;
/** @type {Awaited<ReturnType<typeof beside>>[]} */
const held = [];
try {
  await ask(server, 1);
  bulk = await crowd(server, CLIENTS, seconds);
  for (const kind of /** @type {const} */ (["idle", "slow"])) held.push(await beside(kind));
} finally {
  await server.kill();
}

/** Requests for one id beside connections that take a place each. @param {"idle" | "slow"} kind */
async function beside(kind) {
  const { hostname: host, port } = new URL(server.url("worker", "/"));
  let closed = 0;
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(Number(port), host);
      socket.on("error", () => {});
      socket.on("close", () => (closed += 1));
      await once(socket, "connect");
      return socket;
    }),
  );
  const end = performance.now() + seconds * 1e3;
  const smallMs = [];
  const ids = [];
  let failed = 0;
  let sent = 0;
  let next = 0;
  while (performance.now() < end) {
    if (kind === "slow" && performance.now() >= next) {
      for (const socket of sockets) socket.write(REQUEST[sent % REQUEST.length]);
      sent += 1;
      next = performance.now() + SLOW_MS;
    }
    const answer = await ask(server, 1);
    if (answer.status !== 200) failed += 1;
    smallMs.push(answer.ms);
    ids.push(answer.ids);
    await pause(SMALL_EVERY_MS);
  }
  const left = CONNECTIONS - closed;
  for (const socket of sockets) socket.destroy();
  unique(ids);
  const p99Ms = smallMs.toSorted((a, b) => a - b)[Math.floor(smallMs.length * 0.99)];
  return { kind, left, small: smallMs.length, failed, p99Ms };
}

const delivered = (bulk.served * BULK) / (IDS_PER_MS * (AHEAD_MS + seconds * 1e3));
if (options.json) {
  console.log(JSON.stringify({ seconds, delivered, bulk, held }, undefined, 2));
} else {
  const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString("en");
  console.log(`${CLIENTS} clients who ask for ${BULK} ids each, for ${seconds} s:`);
  print([
    ["ids", "of what the layout allows", "refused", "small", "failed", "p99 ms", "grown KB"],
    [
      whole(bulk.served * BULK),
      `${whole(delivered * 100)} %`,
      ...[bulk.refused, bulk.small, bulk.smallFailed, bulk.smallP99Ms, bulk.grown / 1024].map(
        whole,
      ),
    ],
  ]);
  console.log(`\n${CONNECTIONS} connections, for ${seconds} s each:`);
  print([
    ["connections", "left at the end", "small", "failed", "p99 ms"],
    ...held.map((row) => [row.kind, ...[row.left, row.small, row.failed, row.p99Ms].map(whole)]),
  ]);
}
const failures = [
  delivered < DELIVERED_MIN && `${Math.round(delivered * 100)} % was delivered`,
  bulk.grown > GROWN_MAX_BYTES && `the memory has grown by ${bulk.grown} bytes`,
  bulk.smallFailed > 0 && `${bulk.smallFailed} small requests failed beside bulk`,
  ...held.map(({ kind, failed }) => failed > 0 && `${failed} failed beside ${kind} connections`),
].filter(Boolean);
if (failures.length > 0) fail(failures.join("; "));
