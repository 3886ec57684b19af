// node tools bench:postgres measures PostgreSQL as an authority. It prints the acquires and
// renewals per second of 1, 8 and 32 connections, compared with connections that each update one
// row of their own. An acquire takes two statements, one that reads and one that writes, so
// connections that read their row before each update are its floor. A renewal takes one statement.
// It also prints how long 1,000 holders that start at once take to get a lease each.
//
// Server and clients share the cores. Every row of the table is measured in every round, so that
// ratios compare the same moments.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { postgres, postgresAdmin } from "edgeflake/postgres";
import pg from "pg";
import { query, Servers, urlOf } from "../tests/harness/postgres.js";
import { readArguments } from "../tools/command/arguments.js";
import { fail } from "../tools/command/run.js";
import { median, print, whole } from "./table.js";

readArguments({});

const ROUNDS = 5;
/** Length of each measurement of a rate. */
const SECONDS = 2;
const CONNECTIONS = [1, 8, 32];
const STARTERS = 1_000;

/** A connection renews this number of leases in turn, because a renewal must gain at least 1 ms. */
const LEASES = 20;

/** Leases end long after the bench, and every holder gets a node. */
const SEQUENCER = { layout: "timestamp:41 sequence:2 node:20 @2018-01-01", lease_ms: 3_600_000 };

const SQL = readFileSync(new URL("../wire/src/database.sql", import.meta.url), "utf8");
const UPDATE = "UPDATE bench SET value = value + 1 WHERE id = $1 RETURNING value";
const READ = "SELECT value FROM bench WHERE id = $1";

/** Sends a message to a sequencer. @typedef {(message: string, body: object) => Promise<any>} Lease */

const servers = new Servers();
/** One client for each connection. @type {pg.Pool[]} */
const clients = await start();
try {
  await measure();
} finally {
  await Promise.all(clients.map((client) => client.end()));
  await servers.close();
}

async function start() {
  const { port } = await servers.start(servers.create());
  await query(port, SQL);
  await query(port, "CREATE TABLE bench (id integer PRIMARY KEY, value integer NOT NULL)");
  await query(port, "INSERT INTO bench SELECT id, 0 FROM generate_series(0, 99) id");
  const options = { connectionString: urlOf(port), max: 1 };
  return Array.from({ length: Math.max(...CONNECTIONS) }, () => new pg.Pool(options));
}

/**
 * Creates a sequencer, and returns for each connection a function that sends messages to this
 * sequencer.
 *
 * @param {string} name
 */
async function sequencer(name) {
  await postgresAdmin(clients[0]).create(name, SEQUENCER);
  return clients.map((client) => leaseOf(client, name));
}

/** @param {pg.Pool} client @param {string} name @returns {Lease} */
function leaseOf(client, name) {
  const authority = /** @type {any} */ (postgres(client)).sequencer(name);
  return async (message, body) =>
    JSON.parse(await authority.lease(message, JSON.stringify({ now_ms: Date.now(), ...body })));
}

/** @param {Lease} lease */
async function acquire(lease) {
  const token = randomBytes(16).toString("hex");
  const reply = await lease("acquire", { token });
  return reply.granted ?? fail(`expected a grant, got ${JSON.stringify(reply)}`);
}

/** Acquires a lease, and returns a function that renews it. @param {Lease} lease */
async function renewalOf(lease) {
  const { token, incarnation, node, from_tick: tick } = await acquire(lease);
  return async () => {
    const reply = await lease("renew", { token, incarnation, node, tick, issued: 1 });
    if (!reply.renewed) fail(`expected a renewal, got ${JSON.stringify(reply)}`);
  };
}

async function measure() {
  /** @type {Record<string, number[]>} */
  const rates = {};
  /** @param {string} name @param {number} connections @param {(client: pg.Pool, place: number) => Promise<() => Promise<unknown>>} prepare */
  async function rate(name, connections, prepare) {
    const calls = await Promise.all(clients.slice(0, connections).map(prepare));
    const untilMs = performance.now() + SECONDS * 1e3;
    let count = 0;
    await Promise.all(
      calls.map(async (call) => {
        for (; performance.now() < untilMs; count++) await call();
      }),
    );
    const key = `${name} ${connections}`;
    rates[key] = [...(rates[key] ?? []), count / SECONDS];
  }
  /** @type {number[]} */
  const startedMs = [];
  for (let round = 0; round < ROUNDS; round++) {
    const leases = await sequencer(`round-${round}`);
    const names = Array.from({ length: LEASES }, (_, i) => `renewed-${round}-${i}`);
    for (const name of names) await sequencer(name);
    for (const connections of CONNECTIONS) {
      await rate("update", connections, async (client, id) => () => client.query(UPDATE, [id]));
      await rate("floor", connections, async (client, id) => async () => {
        await client.query(READ, [id]);
        await client.query(UPDATE, [id]);
      });
      await rate("acquire", connections, async (_, place) => () => acquire(leases[place]));
      await rate("renew", connections, async (client) => {
        const renewals = await Promise.all(names.map((name) => renewalOf(leaseOf(client, name))));
        let next = 0;
        return () => renewals[next++ % LEASES]();
      });
    }
    const crowd = await sequencer(`crowd-${round}`);
    const begin = performance.now();
    let left = STARTERS;
    const starter = async (/** @type {Lease} */ lease) => {
      while (left-- > 0) await acquire(lease);
    };
    await Promise.all(crowd.map(starter));
    startedMs.push(performance.now() - begin);
  }
  const rows = CONNECTIONS.map((connections) => {
    const [update, ...others] = ["update", "floor", "acquire", "renew"].map((name) =>
      median(rates[`${name} ${connections}`]),
    );
    const share = (/** @type {number} */ value) => `${Math.round((100 * value) / update)} %`;
    const shares = others.flatMap((rate) => [whole(rate), share(rate)]);
    return [`${connections}`, whole(update), ...shares];
  });
  const names = ["floor/s", "acquires/s", "renewals/s"].flatMap((name) => [name, ""]);
  print([["connections", "updates/s", ...names], ...rows]);
  console.log(
    `\n${STARTERS} holders that start at once, on ${CONNECTIONS.at(-1)} connections: ${Math.round(median(startedMs))} ms`,
  );
}
