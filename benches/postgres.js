// node tools bench:postgres [--rounds N] [--seconds N] measures PostgreSQL as an authority. It
// prints the leases per second that 1, 8 and 32 connections get, compared with connections that
// each update one row of their own. A lease takes two statements, a reading and a write, so
// connections that read their row before each update are the floor. It also prints how long 1,000
// holders that start at once take to get a lease each.
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
import { integer, median, print, whole } from "./table.js";

const { values: options } = readArguments({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
  },
});
const rounds = integer("rounds", options.rounds);
const seconds = integer("seconds", options.seconds);

const CONNECTIONS = [1, 8, 32];
const STARTERS = 1_000;

/** Leases end long after the bench, and every holder gets a node. */
const SEQUENCER = { layout: "timestamp:41 sequence:2 node:20 @2018-01-01", lease_ms: 3_600_000 };

const SQL = readFileSync(new URL("../wire/src/database.sql", import.meta.url), "utf8");
const UPDATE = "UPDATE bench SET value = value + 1 WHERE id = $1 RETURNING value";
const READ = "SELECT value FROM bench WHERE id = $1";

/** Sends a message to a sequencer. @typedef {(message: string, body: object) => Promise<any>} Lease */

const servers = new Servers();
const pool = await start();
try {
  await measure();
} finally {
  await pool.end();
  await servers.close();
}

async function start() {
  const { port } = await servers.start(servers.create());
  await query(port, SQL);
  await query(port, "CREATE TABLE bench (id integer PRIMARY KEY, value integer NOT NULL)");
  await query(port, "INSERT INTO bench SELECT id, 0 FROM generate_series(0, 99) id");
  const max = Math.max(...CONNECTIONS);
  return new pg.Pool({ connectionString: urlOf(port), max });
}

/**
 * Creates a sequencer, and returns a function that sends messages to this sequencer.
 *
 * @param {string} name @returns {Promise<Lease>}
 */
async function sequencer(name) {
  await postgresAdmin(pool).create(name, SEQUENCER);
  const authority = /** @type {any} */ (postgres(pool)).sequencer(name);
  return async (message, body) =>
    JSON.parse(await authority.lease(message, JSON.stringify({ now_ms: Date.now(), ...body })));
}

/** @param {Lease} lease */
async function acquire(lease) {
  const token = randomBytes(16).toString("hex");
  const reply = await lease("acquire", { token });
  return reply.granted ?? fail(`a holder got no node, but ${JSON.stringify(reply)}`);
}

async function measure() {
  /** @type {Record<string, number[]>} */
  const rates = {};
  /** @param {string} name @param {number} connections @param {(place: number) => Promise<() => Promise<unknown>>} prepare */
  async function rate(name, connections, prepare) {
    const calls = await Promise.all(Array.from({ length: connections }, (_, i) => prepare(i)));
    const untilMs = performance.now() + seconds * 1e3;
    let count = 0;
    await Promise.all(
      calls.map(async (call) => {
        for (; performance.now() < untilMs; count++) await call();
      }),
    );
    const key = `${name} ${connections}`;
    rates[key] = [...(rates[key] ?? []), count / seconds];
  }
  /** @type {number[]} */
  const startedMs = [];
  for (let round = 0; round < rounds; round++) {
    const lease = await sequencer(`round-${round}`);
    for (const connections of CONNECTIONS) {
      await rate("update", connections, async (place) => () => pool.query(UPDATE, [place]));
      await rate("floor", connections, async (place) => async () => {
        await pool.query(READ, [place]);
        await pool.query(UPDATE, [place]);
      });
      await rate("acquire", connections, async () => () => acquire(lease));
      await rate("renew", connections, async () => {
        const { token, incarnation, node, from_tick: tick } = await acquire(lease);
        const body = { token, incarnation, node, tick, issued: 1 };
        return async () => {
          const reply = await lease("renew", body);
          if (!reply.renewed) fail(`a lease was not renewed, but ${JSON.stringify(reply)}`);
        };
      });
    }
    const crowd = await sequencer(`crowd-${round}`);
    const begin = performance.now();
    let left = STARTERS;
    const starter = async () => {
      while (left-- > 0) await acquire(crowd);
    };
    await Promise.all(Array.from({ length: Math.max(...CONNECTIONS) }, starter));
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
