// `npm run dev` on a free port and with storage of its own, for tests and benches. It serves what
// is built, and builds nothing.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { root } from "../command/paths.js";

/** How often it is asked whether it is ready. */
const PAUSE_MS = 50;

/** On how many ports it is tried: before a chosen port is used, another program may take it. */
const PORTS_TRIED = 3;

/** The lowest status that says that a server is not ready. */
const SERVER_ERROR = 500;

/** @param {string[]} [args] wrangler's */
export async function startDev(args = []) {
  return start(["tools", "dev", ...args]);
}

/**
 * A command that takes wrangler's arguments, until it ends or is told to.
 *
 * @param {string[]} command of node: the script and its arguments
 * @param {NodeJS.ProcessEnv} [env] added to the environment; `PORT` is where it listens, if
 * wrangler is not what does
 * @param {number} [tries] on other ports, where it ends before it answers
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
    if (child.exitCode !== null) {
      rmSync(storage, { recursive: true });
      if (tries > 1 && env?.PORT === undefined) return start(command, env, tries - 1);
      throw new Error(`${command.join(" ")} has ended with ${child.exitCode}`);
    }
    await setTimeout(PAUSE_MS);
  }
  return {
    url,
    /** The directory. */
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
