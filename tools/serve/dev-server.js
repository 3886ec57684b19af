// Runs `npm run dev` on a free port and with its own storage, for tests and benches. The server
// serves the existing build.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { root } from "../command/paths.js";

/** Time between two checks that the server is ready. */
const PAUSE_MS = 50;

/** Number of ports to try, because another program may take a free port before the server does. */
const PORTS_TRIED = 3;

/** While a server is not ready, it answers with this status or a higher status. */
const SERVER_ERROR = 500;

/** @param {string[]} [args] for wrangler */
export async function startDev(args = []) {
  return start(["tools", "dev", ...args]);
}

/**
 * Starts a server by a command that takes wrangler's arguments, and waits until the server answers.
 * `stop` ends the server.
 *
 * @param {string[]} command arguments for Node: a script, then the script's own arguments
 * @param {NodeJS.ProcessEnv} [env] further variables; if they have `PORT`, the server listens on
 * this port instead of the port in wrangler's arguments
 * @param {number} [tries] number of ports to try if the server ends before it answers
 */
export async function start(command, env, tries = PORTS_TRIED) {
  const storage = mkdtempSync(join(tmpdir(), "edgeflake-"));
  const port = await freePort();
  const own = ["--port", `${port}`, "--ip", "127.0.0.1", "--persist-to", storage];
  const child = spawn(process.execPath, [...command, ...own], {
    cwd: root,
    env: { ...process.env, ...env, EDGEFLAKE_BUILT: "true" },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  const url = `http://127.0.0.1:${env?.PORT ?? port}/`;
  const isReady = () =>
    fetch(url).then(
      ({ status }) => status < SERVER_ERROR,
      () => false,
    );
  while (!(await isReady())) {
    if ((child.exitCode ?? child.signalCode) !== null) {
      rmSync(storage, { recursive: true });
      if (tries > 1 && env?.PORT === undefined) return start(command, env, tries - 1);
      throw new Error(`${command.join(" ")} has ended: ${child.exitCode ?? child.signalCode}`);
    }
    await setTimeout(PAUSE_MS);
  }
  return {
    url,
    /** The directory of the server's storage. */
    storage,

    async stop() {
      child.kill("SIGINT");
      await exited;
      rmSync(storage, { recursive: true });
    },
  };
}

/** @returns {Promise<number>} a port that is free just now */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
