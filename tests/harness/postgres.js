// Starts PostgreSQL servers, each with a new cluster in a temporary folder.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresPrograms, requirePrograms } from "../../tools/setup/programs.js";
import { Failure, run, start } from "./processes.js";

/** Time between two looks at the log of a server that starts. */
const LOOK_MS = 20;

/**
 * Starts a server. The user of its URL is a superuser, and needs no password.
 *
 * @param {object} [options]
 * @param {Record<string, string | number>} [options.settings] of postgresql.conf
 */
export async function startPostgres({ settings = {} } = {}) {
  requirePrograms(postgresPrograms);
  const programs = dirname(`${process.env.EDGEFLAKE_POSTGRES}`);
  const folder = mkdtempSync(join(tmpdir(), "edgeflake-postgres-"));
  const where = { cwd: folder, ...userOf(folder) };
  await run(
    join(programs, "initdb"),
    ["--pgdata=data", "--username=postgres", "--no-locale", "--encoding=UTF8", "--no-sync"],
    where,
  );
  const port = await freePort();
  const all = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "", ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  /** @type {import("./processes.js").Process} */
  let server;
  const begin = async () => {
    server = start(join(programs, "postgres"), ["-D", "data", ...options], where);
    while (!server.log().includes("ready to accept connections")) {
      if (!server.isRunning) throw new Failure("PostgreSQL does not start", server.log());
      await sleep(LOOK_MS);
    }
  };
  /** Resolves when all processes of the server have ended. */
  const end = async (/** @type {"interrupt" | "kill"} */ way) => {
    server[way]();
    await server.ended;
  };
  await begin();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** The folder of the cluster, in which the server's processes run. */
    data: join(folder, "data"),
    /** Ends the server as kill -9 does. Its clients may still get answers for a moment. */
    kill: () => end("kill"),
    /** Starts the server again, also after `kill`. */
    async restart() {
      if (server.isRunning) await end("interrupt");
      await begin();
    },
    /** Ends the server, and deletes its cluster. */
    async stop() {
      if (server.isRunning) await end("interrupt");
      rmSync(folder, { recursive: true });
    },
  };
}

/** Gives a folder to the user who runs the server, which refuses root. @param {string} folder */
function userOf(folder) {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((id) => Number(execFileSync("id", [id, "postgres"])));
  chownSync(folder, uid, gid);
  return { uid, gid };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return port;
}
