// Starts PostgreSQL servers, each with a new cluster in a temporary directory.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../tools/serve/dev-server.js";
import { postgresPrograms, requirePrograms } from "../../tools/setup/programs.js";
import { output } from "./processes.js";

/** How long a server may take to start or to stop, in ms. */
const START_MAX_MS = 60_000;
const PAUSE_MS = 50;

/** Returns the path of a program of PostgreSQL. @param {string} name */
const program = (name) => join(dirname(`${process.env.EDGEFLAKE_POSTGRES}`), name);

/** Returns the user `postgres` if this process runs as root, because the programs refuse root. */
function user() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((option) => Number(output("id", [option, "postgres"])));
  return { uid, gid };
}

/** Forwards connections to a port. When the port changes, all connections are cut. */
export class Forwarder {
  /** @type {Set<import("node:net").Socket>} */
  #sockets = new Set();
  #server = createServer((socket) => this.#forward(socket));
  /** @type {number | undefined} */
  #target;
  port = 0;

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = /** @type {import("node:net").AddressInfo} */ (this.#server.address()).port;
    return this;
  }

  /**
   * Ends all connections. Later connections go to `port`; without a port, they are closed at once.
   *
   * @param {number} [port]
   */
  turn(port) {
    this.#target = port;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close() {
    this.turn();
    this.#server.close();
  }

  /** @param {import("node:net").Socket} socket */
  #forward(socket) {
    if (this.#target === undefined) return socket.destroy();
    const other = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ]) {
      this.#sockets.add(from);
      from.pipe(to);
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}

/** Servers with their data in one temporary directory, which `close` removes. */
export class Servers {
  #user = user();
  directory = mkdtempSync(join(tmpdir(), "edgeflake-postgres-"));
  #count = 0;
  /** @type {Set<import("node:child_process").ChildProcess>} */
  #children = new Set();

  constructor() {
    requirePrograms(postgresPrograms);
    chmodSync(this.directory, 0o755);
    // A test run that is interrupted must leave no server behind.
    process.once("exit", () => {
      for (const child of this.#children) child.kill("SIGKILL");
    });
    process.once("SIGTERM", () => process.exit(1));
  }

  /** Makes an empty cluster, whose superuser needs no password. */
  create() {
    const data = this.#next();
    const text = ["--no-locale", "--encoding=UTF8"];
    const args = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", ...text];
    output(program("initdb"), args, this.#user);
    return data;
  }

  /** Makes a standby of the server on this port. @param {number} port */
  copy(port) {
    const data = this.#next();
    const args = ["-D", data, "-d", urlOf(port), "--checkpoint=fast", "--write-recovery-conf"];
    output(program("pg_basebackup"), args, this.#user);
    return data;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param {string} data @param {Record<string, string>} [settings]
   */
  async start(data, settings = {}) {
    const port = await freePort();
    const all = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      port: `${port}`,
      max_connections: "100",
      wal_retrieve_retry_interval: "100ms",
      ...settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const untilMs = Date.now() + START_MAX_MS;
    for (;;) {
      const log = openSync(`${data}.log`, "w");
      const child = spawn(program("postgres"), ["-D", data, ...args], {
        ...this.#user,
        stdio: ["ignore", "ignore", log],
      });
      closeSync(log);
      this.#children.add(child);
      while (child.exitCode === null && child.signalCode === null) {
        const answers = await query(port, "SELECT 1").catch(() => undefined);
        if (answers) return { child, port, data };
        await wait(PAUSE_MS);
      }
      // The processes of a server that was killed may need a moment to end.
      if (Date.now() > untilMs) {
        throw new Error(`PostgreSQL did not start: ${readFileSync(`${data}.log`)}`);
      }
      await wait(PAUSE_MS);
    }
  }

  /** Promotes the standby in this directory. @param {string} data */
  promote(data) {
    output(program("pg_ctl"), ["-D", data, "-w", "promote"], this.#user);
  }

  async close() {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGQUIT");
      await once(child, "exit");
    }
    rmSync(this.directory, { force: true, recursive: true, maxRetries: 10 });
  }

  #next() {
    const data = join(this.directory, `${this.#count++}`);
    mkdirSync(data, { mode: 0o700 });
    const { uid, gid } = /** @type {{ uid?: number, gid?: number }} */ (this.#user);
    if (uid !== undefined && gid !== undefined) chownSync(data, uid, gid);
    return data;
  }
}

/** @param {number} port */
export const urlOf = (port) => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Runs SQL statements on a new connection. @param {number} port @param {string} sql */
export async function query(port, sql) {
  const client = new pg.Client({ connectionString: urlOf(port) });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
