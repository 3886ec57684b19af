// `npm run dev` on a free port and with storage of its own, for tests and benches. It serves what is
// built, and builds nothing.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { root } from "./paths.js";

/** How often it is asked whether it is ready. */
const PAUSE_MS = 50;

/** @param {string[]} [args] wrangler's */
export async function startDev(args = []) {
  const storage = mkdtempSync(join(tmpdir(), "edgeflake-"));
  const port = await freePort();
  const own = ["--port", `${port}`, "--ip", "127.0.0.1", "--persist-to", storage];
  const dev = spawn(process.execPath, ["tools/dev.js", ...own, ...args], {
    cwd: root,
    env: { ...process.env, EDGEFLAKE_BUILT: "true" },
    stdio: "ignore",
  });
  const exited = once(dev, "exit");
  const url = `http://127.0.0.1:${port}/`;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (dev.exitCode !== null) throw new Error(`npm run dev has ended with ${dev.exitCode}`);
    await setTimeout(PAUSE_MS);
  }
  return {
    url,
    /** The directory. */
    storage,

    async stop() {
      dev.kill("SIGINT");
      await exited;
      rmSync(storage, { recursive: true });
    },
  };
}

/** @returns {Promise<number>} that nobody listens on just now */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
