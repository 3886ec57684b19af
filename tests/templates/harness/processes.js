// Commands that a user of a template types.

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** A command may take so long, and a server until it answers. */
const LIMIT_MS = 120_000;

const QUIET = { CI: "1", WRANGLER_SEND_METRICS: "false", npm_config_update_notifier: "false" };

/** @typedef {{ cwd: string, env?: Record<string, string> }} Where */

/** @param {string} command @param {string[]} args @param {Where} where */
function start(command, args, { cwd, env = {} }) {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env;
  const child = spawn(command, args, {
    cwd,
    // The leader of a group: what it starts ends with it.
    detached: true,
    env: { ...inherited, ...QUIET, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      log += text;
    });
  }
  const kill = () => {
    try {
      process.kill(-(/** @type {number} */ (child.pid)), "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  process.once("exit", kill);
  /** @type {Promise<number | string>} */
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code ?? `${signal}`));
  });
  void ended.then(() => process.removeListener("exit", kill));
  return { ended, kill, log: () => stripVTControlCharacters(log) };
}

/**
 * Runs a command that must succeed, and answers what it printed.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Where} where
 */
export async function run(command, args, where) {
  const { code, log } = await attempt(command, args, where);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${code}\n${log}`);
  return log;
}

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Where} where
 */
export async function attempt(command, args, where) {
  const started = start(command, args, where);
  const timer = setTimeout(started.kill, LIMIT_MS);
  const code = await started.ended;
  clearTimeout(timer);
  return { code, log: started.log() };
}

/**
 * Starts `npm run dev` of a project, and asks it for an id until it answers one.
 *
 * @param {Where} where
 */
export async function firstId(where) {
  const port = await freePort();
  const args = ["run", "dev", "--", `--port=${port}`, "--inspector-port=0"];
  const server = start("npm", args, where);
  /** @type {number | string | undefined} */
  let ended;
  void server.ended.then((code) => {
    ended = code;
  });
  try {
    const until = Date.now() + LIMIT_MS;
    let found = "nothing";
    while (Date.now() < until && ended === undefined) {
      try {
        const url = `http://localhost:${port}/orders`;
        const signal = AbortSignal.timeout(LIMIT_MS);
        const response = await fetch(url, { method: "POST", signal });
        found = `${response.status} ${await response.text()}`;
        if (response.status === 201) return BigInt(JSON.parse(found.slice(4)).id);
      } catch (error) {
        found = `${error}`;
      }
      await sleep(100);
    }
    throw new Error(`npm run dev answered ${found} (${ended ?? "it runs"})\n${server.log()}`);
  } finally {
    server.kill();
    await server.ended;
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
