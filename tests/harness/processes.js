// Runs commands, including servers, as a user would type them.

import { spawn, spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/**
 * How long a command may run, and how long a server may take to answer, unless a test sets other
 * limits.
 */
const LIMIT_MS = 120_000;

/** The time between an unanswered request and the next one, in ms. */
const LOOK_MS = 100;

/** With these variables, no tool reports usage, asks a question, or opens a browser. */
const QUIET = {
  ASTRO_TELEMETRY_DISABLED: "1",
  BROWSER: "none",
  CI: "1",
  DENO_NO_UPDATE_CHECK: "1",
  DO_NOT_TRACK: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NG_CLI_ANALYTICS: "false",
  NUXT_TELEMETRY_DISABLED: "1",
  WRANGLER_SEND_METRICS: "false",
  npm_config_update_notifier: "false",
};

/**
 * Runs a command, and returns its output. Throws if the command fails.
 *
 * @param {string} command @param {string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function output(command, args, options = {}) {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

/**
 * @typedef {object} Where
 * @property {string} cwd
 * @property {Record<string, string | undefined>} [env]
 * @typedef {ReturnType<typeof start>} Process
 */

/** The error of a command or a server that failed, with its output. */
export class Failure extends Error {
  /** @param {string} message @param {string} log */
  constructor(message, log) {
    super(`${message}\n${log}`);
    this.log = log;
  }
}

/**
 * Starts a command. `kill`, or the end of this process, ends the command and all processes that the
 * command has started.
 *
 * @param {string} command @param {string[]} args @param {Where} where
 */
export function start(command, args, { cwd, env = {} }) {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env;
  const child = spawn(command, args, {
    cwd,
    // The command leads a process group, so that `kill` also ends the processes that it starts.
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
      // The group has already ended by itself.
    }
  };
  process.once("exit", kill);
  /** @type {Promise<number | string>} */
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code ?? `${signal}`));
  });
  const running = {
    ended,
    kill,
    isRunning: true,
    /** Sends SIGINT to the command, as Ctrl-C does. */
    interrupt: () => child.kill("SIGINT"),
    log: () => stripVTControlCharacters(log),
  };
  void ended.then(() => {
    running.isRunning = false;
    process.removeListener("exit", kill);
  });
  return running;
}

/**
 * Runs a command to its end.
 *
 * @param {string} command @param {string[]} args @param {Where} where @param {number} [limitMs]
 */
export async function attempt(command, args, where, limitMs = LIMIT_MS) {
  const started = start(command, args, where);
  const timer = setTimeout(started.kill, limitMs);
  const code = await started.ended;
  clearTimeout(timer);
  return { code, log: started.log() };
}

/**
 * Runs a command that must succeed, and returns what it printed.
 *
 * @param {string} command @param {string[]} args @param {Where} where @param {number} [limitMs]
 */
export async function run(command, args, where, limitMs) {
  const { code, log } = await attempt(command, args, where, limitMs);
  if (code !== 0) throw new Failure(`${[nameOf(command), ...args].join(" ")}: ${code}`, log);
  return log;
}

/**
 * Sends a request again and again until the server answers with success or, if `status` is given,
 * with this status. Returns the text of that answer.
 *
 * @param {Process} server @param {string | URL} url @param {RequestInit} [init]
 * @param {number} [limitMs] @param {number} [status]
 */
export async function firstAnswer(server, url, init, limitMs = LIMIT_MS, status) {
  const until = Date.now() + limitMs;
  let found = "nothing";
  while (Date.now() < until && server.isRunning) {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(limitMs) });
      const text = await response.text();
      if (status ? response.status === status : response.ok) return text;
      found = `${response.status} ${text}`;
    } catch (error) {
      found = `${error}`;
    }
    await sleep(LOOK_MS);
  }
  throw new Failure(`${url} answered ${found}`, server.log());
}

/** @param {string} command */
export function nameOf(command) {
  return command.split("/").at(-1);
}
